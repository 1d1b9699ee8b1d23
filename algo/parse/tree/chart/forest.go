package chart

import (
	"math"

	"parlance/algo/engine/hypergraph"
	"parlance/algo/parse/tree"
)

// forest is the hypergraph of a chart: every span that has trees under the scores is a node, and every way to make it
// an edge: each tree is one derivation of the last node. Node 0 is the empty span.
type forest struct {
	hypergraph.Graph
	score []float64
	parts [][3]int32 // of edges, the parts that they have the scores of, -1 for none
}

// impossible stands for a span that has no trees.
const impossible = hypergraph.Impossible

func (g *forest) reset(p *tree.Parts, score []float64) {
	g.Reset(p.Ended)
	g.score, g.parts = score, g.parts[:0]
}

// add gives the node that is being made another edge, unless the scores or its tails forbid it.
func (g *forest) add(a, b int32, parts ...int) {
	x, weight := [3]int32{-1, -1, -1}, 0.0
	for i, p := range parts {
		weight += g.score[p]
		x[i] = int32(p)
	}
	if !math.IsNaN(weight) && g.Add(a, b, weight, 0) {
		g.parts = append(g.parts, x)
	}
}

// marginals adds the probability of each part to mu and returns ln Z.
func (g *forest) marginals(mu []float64) float64 {
	z := g.Marginals()
	for v := int32(g.Nodes() - 1); v > 0; v-- {
		if g.Mass[v] == 0 {
			continue
		}
		for i, to := g.Of(v); i < to; i++ {
			for _, p := range g.parts[i] {
				if p >= 0 {
					mu[p] += g.Mass[v] * g.Share[i]
				}
			}
		}
	}
	return z
}
