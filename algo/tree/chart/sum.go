package chart

import "parlance/algo/tree"

// builder makes the hypergraph of a chart and returns its last node.
type builder interface {
	build(p *tree.Parts, g *hypergraph) int32
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

// build makes the hypergraph of all trees, false if there is none.
func (c *Chart) build(p *tree.Parts, score []float64) bool {
	if c.builder == nil {
		c.builder = c.newBuilder()
	}
	c.graph.reset(score)
	return c.builder.build(p, &c.graph) != impossible
}

// Marginals implements tree.Summer by inside and outside sums over a hypergraph, about thirty times as
// much work as Best. It multiplies probabilities where they are in the range of a float64, with a tree
// of the best score as 1, and adds logarithms otherwise, so that scores of any size are safe.
func (c *Chart) Marginals(p *tree.Parts, score, mu []float64) (float64, bool) {
	clear(mu)
	if p.N == 0 {
		return 0, true
	}
	c.heads = resize(c.heads, p.N+1)
	if _, ok := c.Best(p, score, c.heads); !ok || !c.build(p, score) {
		return none, false
	}
	c.parts = c.factorization.Parts(c.heads, c.parts[:0])
	c.own = resize(c.own, p.N+1)
	clear(c.own)
	for _, x := range c.parts {
		c.own[x.M] += score[p.Number(x)]
	}
	c.shift = resize(c.shift, p.Arcs.Len())
	shifted := 0.0
	for a, m := range p.Mod {
		c.shift[a] = c.own[m]
	}
	for _, x := range c.own {
		shifted += x
	}
	return c.graph.marginals(mu, c.shift, shifted), true
}
