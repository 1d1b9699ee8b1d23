package chart

import (
	"parlance/algo/engine/hypergraph"
	"parlance/algo/parse/tree"
)

// KBest implements tree.Lister by algorithm 3 of Huang and Chiang 2005: the k-th derivation of a node is
// found when the next one of a node above needs it. The cost is that of the hypergraph and
// O(k·n·log k). Equal trees are listed by the order of their edges.
func (c *Chart) KBest(p *tree.Parts, score []float64, k int, dst []tree.Scored) []tree.Scored {
	if k <= 0 {
		return dst
	}
	if p.N == 0 {
		return append(dst, tree.Scored{Heads: []int32{0}})
	}
	if !c.build(p, score) {
		return dst
	}
	l := lister{g: &c.graph, Lister: hypergraph.NewLister(&c.graph.Graph)}
	root := int32(c.graph.Nodes() - 1)
	for i := range k {
		if !l.Find(root, int32(i)) || p.Ended() {
			break
		}
		heads := make([]int32, p.N+1)
		l.trace(&p.Arcs, heads, root, int32(i))
		dst = append(dst, tree.Scored{Heads: heads, Score: l.At(root, int32(i)).Score})
	}
	return dst
}

// lister lists trees of a forest.
type lister struct {
	g *forest
	*hypergraph.Lister
}

// trace writes the arcs of the k-th derivation of node v.
func (l lister) trace(arcs *tree.Arcs, heads []int32, v, k int32) {
	if v == 0 {
		return
	}
	d := l.At(v, k)
	e := &l.g.Edges[d.Edge]
	for _, p := range l.g.parts[d.Edge] {
		if p >= 0 && int(p) < arcs.Len() {
			heads[arcs.Mod[p]] = arcs.Head[p]
		}
	}
	l.trace(arcs, heads, e.Tail[0], d.At[0])
	l.trace(arcs, heads, e.Tail[1], d.At[1])
}
