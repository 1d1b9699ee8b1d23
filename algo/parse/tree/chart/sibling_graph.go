package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// siblingGraph makes the spans of sibling nodes of a hypergraph.
type siblingGraph struct {
	single bool
	p      *tree.Parts
	g      *forest
	w      int
	closed []int32 // by h·w+e
	pair   []int32 // by a·w+b
	open   []int32 // by arc
}

const unknown = -2

func (c *siblingGraph) build(p *tree.Parts, g *forest) int32 {
	c.p, c.g, c.w = p, g, p.N+1
	c.closed, c.pair, c.open = buffer.Resize(c.closed, c.w*c.w), buffer.Resize(c.pair, c.w*c.w),
		buffer.Resize(c.open, p.Arcs.Len())
	for i := range c.closed {
		c.closed[i], c.pair[i] = impossible, unknown
	}
	for s := p.N; s >= 0 && !p.Ended(); s-- {
		c.closed[s*c.w+s] = 0
		for a, to := p.Of(s, tree.Right); a < to; a++ {
			c.inner(a, s, int(p.Mod[a]))
		}
		for e := s + 1; e <= p.N; e++ {
			if s > 0 || e == p.N {
				c.span(s, e, tree.Right)
			}
		}
		for h := s + 1; h <= p.N && s > 0; h++ {
			if a := p.Find(h, s); a >= 0 {
				c.inner(a, h, s)
			}
			c.span(h, s, tree.Left)
		}
	}
	return c.closed[p.N]
}

func (c *siblingGraph) span(h, e, d int) {
	for a, to := c.p.Of(h, d); a < to; a++ {
		m := int(c.p.Mod[a])
		if m != e && (m > e) == (d == tree.Right) {
			break
		}
		c.g.add(c.open[a], c.closed[m*c.w+e])
	}
	c.closed[h*c.w+e] = c.g.Node()
}

func (c *siblingGraph) inner(a, h, m int) {
	k, near := c.p.Inner(a), h+1
	if m < h {
		near = h - 1
	}
	if c.single && h == 0 {
		k = 0
	}
	for b := a - c.p.Inner(a); k > 0 && b < a; b++ {
		c.siblings(min(m, int(c.p.Mod[b])), max(m, int(c.p.Mod[b])))
	}
	c.g.add(c.closed[m*c.w+near], 0, a, c.p.Sib(a, 0))
	for i := range k {
		b := a - c.p.Inner(a) + i
		s := int(c.p.Mod[b])
		c.g.add(c.open[b], c.pair[min(m, s)*c.w+max(m, s)], a, c.p.Sib(a, i+1))
	}
	c.open[a] = c.g.Node()
}

func (c *siblingGraph) siblings(a, b int) {
	x := &c.pair[a*c.w+b]
	if *x != unknown {
		return
	}
	for r := a; r < b; r++ {
		c.g.add(c.closed[a*c.w+r], c.closed[b*c.w+r+1])
	}
	*x = c.g.Node()
}
