package partition

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Edge is a pair of items with a weight.
type Edge struct {
	A, B   int32
	Weight float64
}

// Forest is trees over items.
type Forest struct {
	Edges  []int32 // those chosen, by their numbers, in the order of choice
	Labels []int32 // the tree of each item, numbered from 0 by its first item
	Weight float64 // sum over the edges
}

// SpanningForest returns the forest of the greatest weight among those of edges above a threshold that no further
// such edge could join (Kruskal 1956). Edges of equal weight are taken in their order. It looks at its context between
// the runs of edges that it sorts.
func SpanningForest(ctx context.Context, n int, edges []Edge, threshold float64) (Forest, error) {
	if err := checkEdges(n, edges); err != nil {
		return Forest{}, err
	}
	var order []int32
	for i, e := range edges {
		if e.Weight > threshold {
			order = append(order, int32(i))
		}
	}
	order, err := sorted(ctx, order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(edges[b].Weight, edges[a].Weight), cmp.Compare(a, b))
	})
	if err != nil {
		return Forest{}, err
	}
	f, sets := Forest{}, NewUnionFind(n)
	for k, i := range order {
		if k&(sortedRun-1) == 0 && ctx.Err() != nil {
			return Forest{}, ctx.Err()
		}
		if e := edges[i]; sets.Union(e.A, e.B) {
			f.Edges = append(f.Edges, i)
			f.Weight += e.Weight
		}
	}
	f.Labels = sets.Labels(nil)
	return f, nil
}

// sortedRun is how many items are sorted or merged between two looks at the context.
const sortedRun = 1 << 16

// sorted sorts a list in place of slices.SortFunc where it may take seconds: runs, then pairs of runs that are merged.
// The list may be changed.
func sorted(ctx context.Context, list []int32, compare func(a, b int32) int) ([]int32, error) {
	for run := range slices.Chunk(list, sortedRun) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		slices.SortFunc(run, compare)
	}
	if len(list) <= sortedRun {
		return list, nil
	}
	other := make([]int32, len(list))
	for width := sortedRun; width < len(list); width *= 2 {
		for from := 0; from < len(list); from += 2 * width {
			a, b := list[from:min(from+width, len(list))], list[min(from+width, len(list)):min(from+2*width, len(list))]
			out := other[from : from+len(a)+len(b)]
			for k := range out {
				if k&(sortedRun-1) == 0 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
					out[k], a = a[0], a[1:]
				} else {
					out[k], b = b[0], b[1:]
				}
			}
		}
		list, other = other, list
	}
	return list, nil
}

func checkEdges(n int, edges []Edge) error {
	if n < 0 || n > math.MaxInt32 || len(edges) > math.MaxInt32 {
		return fmt.Errorf("%w: %d items with %d edges", ErrInvalid, n, len(edges))
	}
	for i, e := range edges {
		if err := checkPair(n, e.A, e.B); err != nil {
			return fmt.Errorf("edge %d: %w", i, err)
		}
		if math.IsNaN(e.Weight) {
			return fmt.Errorf("edge %d: %w: its weight is not a number", i, ErrInvalid)
		}
	}
	return nil
}

func checkPair(n int, a, b int32) error {
	if a < 0 || b < 0 || int(a) >= n || int(b) >= n || a == b {
		return fmt.Errorf("%w: pair of %d and %d, want two of %d items", ErrInvalid, a, b, n)
	}
	return nil
}
