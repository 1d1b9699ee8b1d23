// Package hypergraph has all derivations of a parser's chart as nodes and edges: the best derivation, the k best, the
// sum over all and the probability of each node and edge.
//
// A node is a part of an analysis, such as a span with a label. An edge is one way to make it of two other nodes, with
// a weight, a logarithm, that adds to theirs. Nodes stand after those that they are made of; node 0, Empty, is made of
// nothing, with weight 0, and stands for a tail that an edge has not. A derivation takes one edge for its node and one
// derivation for each tail; its score is the sum of its weights.
package hypergraph

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// Empty is made of nothing; Impossible stands for a node without derivations.
const (
	Empty      = 0
	Impossible = -1
)

// Edge makes a node of two.
type Edge struct {
	Tail   [2]int32
	Label  int32 // for who reads derivations
	Weight float64
}

// Graph is nodes by number with their edges. Reset comes first. It belongs to one goroutine.
type Graph struct {
	Edges  []Edge
	Inside []float64 // of Sum: ln of the sum over the derivations of a node
	Mass   []float64 // of Marginals: probability of a node
	Share  []float64 // of Sum: of an edge, its part of the derivations of its node
	Score  []float64 // of Best: the score of the best derivation of a node
	back   []int32   // its edge
	first  []int32   // edges of node v are first[v] to first[v+1]
	ended  func() bool
}

// watch is how many nodes are passed between two looks at whether the work is to end.
const watch = 63

// Reset leaves Empty alone. ended, which may be nil, tells that the work is to end: then what is asked for is not
// found.
func (g *Graph) Reset(ended func() bool) {
	g.Edges, g.ended = g.Edges[:0], ended
	g.first = append(g.first[:0], 0, 0)
}

// Add gives the node that is being made another edge, unless a tail is Impossible or the weight is −∞.
func (g *Graph) Add(a, b int32, weight float64, label int32) bool {
	if a == Impossible || b == Impossible || math.IsInf(weight, -1) {
		return false
	}
	g.Edges = append(g.Edges, Edge{Tail: [2]int32{a, b}, Weight: weight, Label: label})
	return true
}

// Node ends the node that is being made and returns its number, Impossible if it has no edge.
func (g *Graph) Node() int32 {
	if len(g.Edges) == int(g.first[len(g.first)-1]) {
		return Impossible
	}
	g.first = append(g.first, int32(len(g.Edges)))
	return int32(len(g.first) - 2)
}

// Nodes returns the number of nodes, Empty among them.
func (g *Graph) Nodes() int { return len(g.first) - 1 }

// Of returns the edges of a node as a range [from, to).
func (g *Graph) Of(v int32) (from, to int32) { return g.first[v], g.first[v+1] }

// stop tells whether the work is to end; it looks at every watch-th node.
func (g *Graph) stop(v int) bool { return v&watch == 0 && g.ended != nil && g.ended() }

// Sum fills Inside and Share and returns ln Z, that of the last node: Z = Σ exp(score) over its derivations; −∞ if the
// work was ended. O(edges).
func (g *Graph) Sum() float64 {
	g.Inside, g.Share = buffer.Resize(g.Inside, g.Nodes()), buffer.Resize(g.Share, len(g.Edges))
	g.Inside[0] = 0
	for v := 1; v < g.Nodes(); v++ {
		if g.stop(v) {
			return math.Inf(-1)
		}
		top := math.Inf(-1)
		from, to := g.first[v], g.first[v+1]
		for i := from; i < to; i++ {
			e := &g.Edges[i]
			g.Share[i] = g.Inside[e.Tail[0]] + g.Inside[e.Tail[1]] + e.Weight
			top = max(top, g.Share[i])
		}
		sum := 0.0
		for i := from; i < to; i++ {
			g.Share[i] = math.Exp(g.Share[i] - top)
			sum += g.Share[i]
		}
		for i := from; i < to; i++ {
			g.Share[i] /= sum
		}
		g.Inside[v] = top + math.Log(sum)
	}
	return g.Inside[g.Nodes()-1]
}

// Marginals fills Mass besides, the probability that a node is in a derivation of the last one; that of an edge is
// Mass of its node times Share. It returns ln Z.
func (g *Graph) Marginals() float64 {
	z := g.Sum()
	g.Mass = buffer.Resize(g.Mass, g.Nodes())
	clear(g.Mass)
	if math.IsInf(z, -1) {
		return z
	}
	g.Mass[g.Nodes()-1] = 1
	for v := g.Nodes() - 1; v > 0; v-- {
		if g.stop(v) {
			return math.Inf(-1)
		}
		if g.Mass[v] == 0 {
			continue
		}
		for i := g.first[v]; i < g.first[v+1]; i++ {
			e, x := &g.Edges[i], g.Mass[v]*g.Share[i]
			g.Mass[e.Tail[0]] += x
			g.Mass[e.Tail[1]] += x
		}
	}
	return z
}

// Best finds the best derivation of each node and returns the score of the last one's; Chosen tells its edges. Of equal
// ones it takes the first edge. weight gives that of an edge, nil takes those of the graph.
func (g *Graph) Best(weight func(edge int32) float64) float64 {
	g.Score, g.back = buffer.Resize(g.Score, g.Nodes()), buffer.Resize(g.back, g.Nodes())
	g.Score[0] = 0
	for v := 1; v < g.Nodes(); v++ {
		if g.stop(v) {
			return math.Inf(-1)
		}
		top, at := math.Inf(-1), g.first[v]
		for i := g.first[v]; i < g.first[v+1]; i++ {
			e := &g.Edges[i]
			x := e.Weight
			if weight != nil {
				x = weight(i)
			}
			if x += g.Score[e.Tail[0]] + g.Score[e.Tail[1]]; x > top {
				top, at = x, i
			}
		}
		g.Score[v], g.back[v] = top, at
	}
	return g.Score[g.Nodes()-1]
}

// Chosen is the edge of the best derivation of a node.
func (g *Graph) Chosen(v int32) *Edge { return &g.Edges[g.back[v]] }
