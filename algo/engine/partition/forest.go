package partition

import (
	"cmp"
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
// such edge could join (Kruskal 1956). Edges of equal weight are taken in their order.
func SpanningForest(n int, edges []Edge, threshold float64) (Forest, error) {
	if err := checkEdges(n, edges); err != nil {
		return Forest{}, err
	}
	var order []int32
	for i, e := range edges {
		if e.Weight > threshold {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(edges[b].Weight, edges[a].Weight), cmp.Compare(a, b))
	})
	f, sets := Forest{}, NewUnionFind(n)
	for _, i := range order {
		if e := edges[i]; sets.Union(e.A, e.B) {
			f.Edges = append(f.Edges, i)
			f.Weight += e.Weight
		}
	}
	f.Labels = sets.Labels(nil)
	return f, nil
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
