package chart

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// hypergraph has every span of a chart that has trees under the scores as a node, and every way to make
// it as an edge: each tree is one derivation of the last node. Nodes stand after those they are made
// of. Node 0 is the empty span.
type hypergraph struct {
	p     *tree.Parts
	score []float64
	edges []edge
	first []int32 // edges of node v are first[v] to first[v+1]

	inside []float64 // ln of the sum over the derivations of a node
	share  []float64 // of an edge, its part of inside of its node
	mass   []float64 // probability of a node
}

// edge makes a node of two with the scores of parts, −1 for none.
type edge struct {
	tail [2]int32
	part [3]int32
}

// impossible stands for a span that has no trees.
const impossible = -1

func (g *hypergraph) reset(p *tree.Parts, score []float64) {
	g.p, g.score, g.edges = p, score, g.edges[:0]
	g.first = append(g.first[:0], 0, 0)
}

// add gives the node that is being made another edge, unless the scores or its tails forbid it.
func (g *hypergraph) add(a, b int32, parts ...int) {
	if a == impossible || b == impossible {
		return
	}
	e := edge{[2]int32{a, b}, [3]int32{-1, -1, -1}}
	for i, p := range parts {
		if math.IsInf(g.score[p], -1) {
			return
		}
		e.part[i] = int32(p)
	}
	g.edges = append(g.edges, e)
}

// node ends the node that is being made.
func (g *hypergraph) node() int32 {
	if len(g.edges) == int(g.first[len(g.first)-1]) {
		return impossible
	}
	g.first = append(g.first, int32(len(g.edges)))
	return int32(len(g.first) - 2)
}

func (g *hypergraph) nodes() int { return len(g.first) - 1 }

// sum fills inside and share and returns ln Z.
func (g *hypergraph) sum() float64 {
	g.inside[0] = 0
	for v := 1; v < g.nodes(); v++ {
		if v&63 == 0 && g.p.Ended() {
			return none
		}
		top := none
		for i := g.first[v]; i < g.first[v+1]; i++ {
			g.share[i] = g.value(int(i), g.inside)
			top = max(top, g.share[i])
		}
		sum := 0.0
		for i := g.first[v]; i < g.first[v+1]; i++ {
			g.share[i] = math.Exp(g.share[i] - top)
			sum += g.share[i]
		}
		for i := g.first[v]; i < g.first[v+1]; i++ {
			g.share[i] /= sum
		}
		g.inside[v] = top + math.Log(sum)
	}
	return g.inside[g.nodes()-1]
}

// value returns the score of an edge with those of its tails.
func (g *hypergraph) value(i int, node []float64) float64 {
	e := &g.edges[i]
	x := node[e.tail[0]] + node[e.tail[1]]
	for _, p := range e.part {
		if p >= 0 {
			x += g.score[p]
		}
	}
	return x
}

// marginals adds the probability of each part to mu and returns ln Z.
func (g *hypergraph) marginals(mu []float64) float64 {
	g.inside, g.mass = buffer.Resize(g.inside, g.nodes()), buffer.Resize(g.mass, g.nodes())
	g.share = buffer.Resize(g.share, len(g.edges))
	z := g.sum()
	clear(g.mass)
	g.mass[g.nodes()-1] = 1
	for v := g.nodes() - 1; v > 0; v-- {
		if v&63 == 0 && g.p.Ended() {
			break
		}
		if g.mass[v] == 0 {
			continue
		}
		for i := g.first[v]; i < g.first[v+1]; i++ {
			e, x := &g.edges[i], g.mass[v]*g.share[i]
			g.mass[e.tail[0]] += x
			g.mass[e.tail[1]] += x
			for _, p := range e.part {
				if p >= 0 {
					mu[p] += x
				}
			}
		}
	}
	return z
}
