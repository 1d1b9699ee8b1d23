package chart

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// builder makes the hypergraph of a chart and returns its last node.
type builder interface {
	build(p *tree.Parts, g *forest) int32
}

func (c *Chart) newBuilder() builder {
	switch c.factorization {
	case tree.Sibling:
		return &siblingGraph{single: c.single}
	case tree.Carreras:
		return &carrerasGraph{single: c.single}
	}
	return &grandGraph{grand: grand{single: c.single, model: c.factorization}}
}

// build makes the hypergraph of all trees, false if there is none or the context has ended.
func (c *Chart) build(p *tree.Parts, score []float64) bool {
	if c.builder == nil {
		c.builder = c.newBuilder()
	}
	c.graph.reset(p, score)
	return c.builder.build(p, &c.graph) != impossible && !p.Ended()
}

// summer is a chart of sums. Its values are products of weights, the exp of scores.
type summer interface {
	// inside fills the chart from the weights of parts and returns Z.
	inside(p *tree.Parts, weight, mu []float64) float64
	// safe tells whether the values are far from the ends of the range of a float64.
	safe() bool
	// outside adds the probability of each part to mu.
	outside(z float64)
}

func (c *Chart) newSummer() summer {
	a := adjoint{single: c.single}
	switch c.factorization {
	case tree.Sibling:
		return &siblingSum{adjoint: a}
	case tree.Carreras:
		return &carrerasSum{adjoint: a}
	}
	return &grandSum{adjoint: a, model: c.factorization}
}

// Values of spans are between low and high or 0, weights of parts between least and most or 0: so no
// product of two spans and the parts that join them leaves the range of a float64, and a 0 means a
// score of −∞.
const low, high, least, most = 1e-70, 1e70, 1e-40, 1e40

func safe(values []float64) bool {
	for _, x := range values {
		if !(x <= high) || x < low && x != 0 {
			return false
		}
	}
	return true
}

// weigh fills the weights; false if one is too small or too large.
func (c *Chart) weigh(p *tree.Parts, score []float64) bool {
	c.weight = buffer.Resize(c.weight, p.Len())
	for i, x := range score[:p.Len()] {
		if i&4095 == 0 && p.Ended() {
			return false
		}
		if i < len(c.shift) {
			x -= c.shift[i]
		}
		w := math.Exp(x)
		if c.weight[i] = w; !(w <= most) || w < least && !math.IsInf(x, -1) {
			return false
		}
	}
	return true
}

// Marginals implements tree.Summer by inside and outside sums. It multiplies weights, with the best tree
// as 1, where their products are in the range of a float64: then it costs a few times as much as Best.
// Otherwise it adds logarithms over a hypergraph that has every way to make every span, which is slower
// and takes up to O(n⁴) space; so scores of any size are safe.
func (c *Chart) Marginals(p *tree.Parts, score, mu []float64) (float64, bool) {
	clear(mu)
	if p.N == 0 {
		return 0, true
	}
	c.heads = buffer.Resize(c.heads, p.N+1)
	if _, ok := c.Best(p, score, c.heads); !ok {
		return none, false
	}
	shifted := c.shiftBest(p, score)
	if c.weigh(p, score) {
		if c.summer == nil {
			c.summer = c.newSummer()
		}
		z := c.summer.inside(p, c.weight, mu)
		if p.Ended() {
			return none, false
		}
		if c.summer.safe() {
			c.summer.outside(z)
			return math.Log(z) + shifted, !p.Ended()
		}
	}
	if !c.build(p, score) {
		return none, false
	}
	z := c.graph.marginals(mu)
	return z, !p.Ended()
}

// shiftBest fills shift with what to take off the score of each arc so that the best tree has 0: the
// score of the parts of its modifier in that tree. It returns the score of the tree.
func (c *Chart) shiftBest(p *tree.Parts, score []float64) float64 {
	c.parts = c.factorization.Parts(c.heads, c.parts[:0])
	c.own = buffer.Resize(c.own, p.N+1)
	clear(c.own)
	for _, x := range c.parts {
		c.own[x.M] += score[p.Number(x)]
	}
	c.shift = buffer.Resize(c.shift, p.Arcs.Len())
	shifted := 0.0
	for a, m := range p.Mod {
		c.shift[a] = c.own[m]
	}
	for _, x := range c.own {
		shifted += x
	}
	return shifted
}
