package partition

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Options bound the work of correlation clustering.
type Options struct {
	Exact int // components of at most this many items are solved by branch and bound
	Nodes int // at most this many nodes of the search for each; then they are solved greedily
}

// Defaults are options under which a component of few items takes a fraction of a second.
func Defaults() Options { return Options{Exact: 40, Nodes: 1_000_000} }

// Clustering is a partition with its value.
type Clustering struct {
	Labels []int32 // clusters of the items, numbered from 0 by their first items
	Value  float64 // v of it
	Bound  float64 // no partition has a greater value
	Nodes  int     // nodes of the search

	Certified bool // no partition is better, but for rounding
}

// Gap returns how much better a partition might be.
func (c Clustering) Gap() float64 { return max(0, c.Bound-c.Value) }

// tolerance is what sums of weights may be off by rounding, in relation to them.
const tolerance = 1e-10

// Correlation clusters items so that the weights inside clusters are large in all. Pairs without an edge weigh 0, and
// weights of one pair add up. A weight of +Inf joins a pair, one of −Inf parts it, and neither counts in the value;
// if they contradict each other, the error is a Contradiction.
func Correlation(ctx context.Context, n int, edges []Edge, o Options) (Clustering, error) {
	if err := checkEdges(n, edges); err != nil {
		return Clustering{}, err
	}
	group, err := hardPairs(ctx, n, edges)
	if err != nil {
		return Clustering{}, err
	}
	g := newGraph(group, edges)
	c := Clustering{Labels: make([]int32, g.n), Certified: true}
	next := int32(0)
	for _, items := range g.components() {
		s, err := solve(ctx, g.part(items), o)
		if err != nil {
			return Clustering{}, err
		}
		c.Bound += s.bound
		c.Nodes += s.nodes
		c.Certified = c.Certified && s.certified
		for i, v := range items {
			c.Labels[v] = next + s.labels[i]
		}
		next += slices.Max(s.labels) + 1
	}
	ofItems := make([]int32, n)
	for i, v := range group {
		ofItems[i] = c.Labels[v]
	}
	c.Labels = appendLabels(nil, ofItems)
	c.Bound += g.inside
	for _, e := range edges {
		if c.Labels[e.A] == c.Labels[e.B] && !math.IsInf(e.Weight, 0) {
			c.Value += e.Weight
		}
	}
	if c.Bound = max(c.Bound, c.Value); c.Certified {
		c.Bound = c.Value
	}
	return c, nil
}

// hardPairs returns the groups that infinite weights make of the items.
func hardPairs(ctx context.Context, n int, edges []Edge) ([]int32, error) {
	var must, cannot [][2]int32
	for _, e := range edges {
		switch {
		case math.IsInf(e.Weight, 1):
			must = append(must, [2]int32{e.A, e.B})
		case math.IsInf(e.Weight, -1):
			cannot = append(cannot, [2]int32{e.A, e.B})
		}
	}
	return Closure(ctx, n, must, cannot)
}

// graph is the weights between groups of items, each pair once, lists sorted by neighbour.
type graph struct {
	n      int
	near   [][]arc
	inside float64 // weights inside the groups
}

type arc struct {
	to     int32
	weight float64
}

func newGraph(group []int32, edges []Edge) *graph {
	g := &graph{}
	for _, v := range group {
		g.n = max(g.n, int(v)+1)
	}
	g.near = make([][]arc, g.n)
	for _, e := range edges {
		a, b := group[e.A], group[e.B]
		switch {
		case a != b:
			g.near[a] = append(g.near[a], arc{b, e.Weight})
			g.near[b] = append(g.near[b], arc{a, e.Weight})
		case !math.IsInf(e.Weight, 0):
			g.inside += e.Weight
		}
	}
	for v, list := range g.near {
		slices.SortStableFunc(list, func(a, b arc) int { return int(a.to) - int(b.to) })
		g.near[v] = addUp(list)
	}
	return g
}

// addUp makes one arc of those to the same neighbour.
func addUp(list []arc) []arc {
	kept := list[:0]
	for _, a := range list {
		if n := len(kept); n > 0 && kept[n-1].to == a.to {
			kept[n-1].weight += a.weight
		} else {
			kept = append(kept, a)
		}
	}
	return kept
}

// components returns the items joined by positive weights, by their first items.
func (g *graph) components() [][]int32 {
	sets := NewUnionFind(g.n)
	for v, list := range g.near {
		for _, a := range list {
			if a.weight > 0 {
				sets.Union(int32(v), a.to)
			}
		}
	}
	parts := make([][]int32, sets.Sets())
	for v, c := range sets.Labels(nil) {
		parts[c] = append(parts[c], int32(v))
	}
	return parts
}

// part returns the graph of some items, which rise, numbered by their places.
func (g *graph) part(items []int32) *graph {
	p := &graph{n: len(items), near: make([][]arc, len(items))}
	for i, v := range items {
		for _, a := range g.near[v] {
			if k, ok := slices.BinarySearch(items, a.to); ok {
				p.near[i] = append(p.near[i], arc{int32(k), a.weight})
			}
		}
	}
	return p
}

// solution is what is known of a component.
type solution struct {
	labels    []int32
	bound     float64
	nodes     int
	certified bool
}

func solve(ctx context.Context, g *graph, o Options) (solution, error) {
	if g.n == 1 {
		return solution{labels: []int32{0}, certified: true}, nil
	}
	labels, err := greedy(ctx, g)
	if err != nil {
		return solution{}, err
	}
	value := g.value(labels)
	bound, err := triangleBound(ctx, g)
	if err != nil {
		return solution{}, err
	}
	if tight := bound-value <= g.rounding(); tight || g.n > o.Exact {
		return solution{labels: labels, bound: bound, certified: tight}, nil
	}
	b := newBranching(g, labels, value, o.Nodes)
	switch err := b.run(ctx); {
	case errors.Is(err, errNodes):
		return solution{labels, min(bound, b.bound()), b.nodes, false}, nil
	case err != nil:
		return solution{}, fmt.Errorf("clustering of %d items: %w", g.n, err)
	}
	return solution{b.best, b.value, b.nodes, true}, nil
}

// rounding returns by how much sums of weights may be off.
func (g *graph) rounding() (sum float64) {
	for _, list := range g.near {
		for _, a := range list {
			sum += max(0, a.weight)
		}
	}
	return sum * tolerance
}

// value returns v of a partition.
func (g *graph) value(labels []int32) (sum float64) {
	for v, list := range g.near {
		for _, a := range list {
			if int(a.to) > v && labels[a.to] == labels[v] {
				sum += a.weight
			}
		}
	}
	return sum
}
