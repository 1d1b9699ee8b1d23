package linking

import (
	"context"
	"math"

	"parlance/algo/engine/partition"
	"parlance/algo/engine/zeroone"
)

// Drop names which of three constraints each triple of mentions i < j < k goes without:
//
//	trans  y_ik ≥ y_ij + y_jk − 1
//	eucl   y_jk ≥ y_ij + y_ik − 1
//	anti   y_ij ≥ y_ik + y_jk − 1
type Drop string

// The choices.
const (
	DropNone  Drop = "none"
	DropTrans Drop = "trans"
	DropEucl  Drop = "eucl"
	DropAnti  Drop = "anti"
)

// AllOptions say how clusters are searched by the sum of the scores inside.
type AllOptions struct {
	Drop  Drop
	Exact int // components of at most this many mentions are solved exactly, others greedily, without Drop
	Nodes int // of the search in each component; then it is greedy as well
	Rules *Rules
}

// AllClusters is a clustering with its value.
type AllClusters struct {
	Clusters  []int32 // numbered from 0 by their first mentions
	Value     float64 // Σ over the chosen pairs of their scores
	Certified bool    // no choice is better
}

// AllLink chooses pairs y so that Σ w_ij y_ij is greatest (Chang et al. 2011, eq. 3). Without Drop the pairs are all
// those inside the clusters. With it y need not be transitive, and the clusters are what y joins. No best choice
// reaches over components of the pairs above 0, so that each is solved alone.
func AllLink(ctx context.Context, t *Table, o AllOptions) (AllClusters, error) {
	edges := t.edges()
	for _, r := range o.Rules.list() {
		edges = append(edges, partition.Edge{A: r.A, B: r.B, Weight: r.Weight})
	}
	if o.Drop == DropNone || o.Drop == "" {
		return correlation(ctx, t.Len(), edges, o)
	}
	if t.Len() == 0 {
		return AllClusters{Certified: true}, nil
	}
	out := AllClusters{Certified: true}
	joined := partition.NewUnionFind(t.Len())
	for _, items := range components(t.Len(), edges) {
		part := within(items, edges)
		var pairs [][2]int32
		var value float64
		certified := false
		var err error
		if len(items) <= o.Exact {
			pairs, value, certified, err = dropped(ctx, len(items), part, o)
		}
		if err == nil && !certified {
			pairs, value, err = whole(ctx, len(items), part, o)
		}
		if err != nil {
			return AllClusters{}, err
		}
		for _, p := range pairs {
			joined.Union(items[p[0]], items[p[1]])
		}
		out.Value += value
		out.Certified = out.Certified && certified
	}
	out.Clusters = joined.Labels(nil)
	return out, nil
}

func correlation(ctx context.Context, n int, edges []partition.Edge, o AllOptions) (AllClusters, error) {
	c, err := partition.Correlation(ctx, n, edges, partition.Options{Exact: o.Exact, Nodes: o.Nodes})
	return AllClusters{c.Labels, c.Value, c.Certified}, err
}

// whole is the pairs of the clusters that obey all constraints.
func whole(ctx context.Context, n int, edges []partition.Edge,
	o AllOptions) (pairs [][2]int32, value float64, err error) {
	c, err := correlation(ctx, n, edges, o)
	for i := range c.Clusters {
		for j := range i {
			if c.Clusters[i] == c.Clusters[j] {
				pairs = append(pairs, [2]int32{int32(j), int32(i)})
				break
			}
		}
	}
	return pairs, c.Value, err
}

// components are the mentions that pairs above 0 join, by their first ones. Single ones are left out.
func components(n int, edges []partition.Edge) [][]int32 {
	u := partition.NewUnionFind(n)
	for _, e := range edges {
		if e.Weight > 0 {
			u.Union(e.A, e.B)
		}
	}
	labels := u.Labels(nil)
	all := make([][]int32, u.Sets())
	for i, l := range labels {
		all[l] = append(all[l], int32(i))
	}
	var out [][]int32
	for _, items := range all {
		if len(items) > 1 {
			out = append(out, items)
		}
	}
	return out
}

// within are the pairs among some mentions, renumbered.
func within(items []int32, edges []partition.Edge) []partition.Edge {
	place := map[int32]int32{}
	for k, i := range items {
		place[i] = int32(k)
	}
	var out []partition.Edge
	for _, e := range edges {
		a, ok := place[e.A]
		b, both := place[e.B]
		if ok && both {
			out = append(out, partition.Edge{A: a, B: b, Weight: e.Weight})
		}
	}
	return out
}

// dropped solves a component with two constraints a triple.
func dropped(ctx context.Context, n int, edges []partition.Edge,
	o AllOptions) (pairs [][2]int32, value float64, certified bool, err error) {
	weight := make([]float64, n*n)
	for _, e := range edges {
		weight[int(e.A)*n+int(e.B)] += e.Weight
	}
	var p zeroone.Problem
	y := make([]int, n*n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			w := weight[i*n+j]
			y[i*n+j] = p.Variable(max(-hard, min(hard, w)))
			if math.IsInf(w, 0) {
				p.Constrain("rule", []zeroone.Term{{Var: y[i*n+j], Coef: 1}}, zeroone.Equal, map[bool]int{true: 1}[w > 0])
			}
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for k := j + 1; k < n; k++ {
				ij, jk, ik := y[i*n+j], y[j*n+k], y[i*n+k]
				triple(&p, o.Drop, ij, jk, ik)
			}
		}
	}
	s, err := p.Solve(ctx, zeroone.Options{Nodes: o.Nodes})
	if err != nil || !s.Certified {
		if ctx.Err() == nil {
			err = nil // too many nodes: greedily then
		}
		return nil, 0, false, err
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if w := weight[i*n+j]; s.X[y[i*n+j]] {
				pairs = append(pairs, [2]int32{int32(i), int32(j)})
				if !math.IsInf(w, 0) {
					value += w
				}
			}
		}
	}
	return pairs, value, true, nil
}

// triple adds the constraints of three mentions.
func triple(p *zeroone.Problem, d Drop, ij, jk, ik int) {
	for _, c := range []struct {
		name    Drop
		a, b, c int // a ≥ b + c − 1
	}{{DropTrans, ik, ij, jk}, {DropEucl, jk, ij, ik}, {DropAnti, ij, ik, jk}} {
		if c.name != d {
			p.Constrain(string(c.name), []zeroone.Term{{Var: c.b, Coef: 1}, {Var: c.c, Coef: 1}, {Var: c.a, Coef: -1}},
				zeroone.AtMost, 1)
		}
	}
}

// AllValue is the sum of the scores inside clusters.
func AllValue(t *Table, labels []int32) (sum float64) {
	t.check(labels)
	for i := range t.Len() {
		for k, w := range t.Row(i) {
			if labels[t.First(i)+k] == labels[i] {
				sum += w
			}
		}
	}
	return sum
}
