package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// grandGraph makes the spans of grand nodes of a hypergraph.
type grandGraph struct {
	grand // its rows and places; its numbers are not filled
	g     *forest
	span  []int32 // C, as closed
	arc   []int32 // I, as open
	base  []int32 // dep, sib and S of the present arc (Model 1), J of all (Model 2)
	share []int32 // S of the present arc
}

func (c *grandGraph) build(p *tree.Parts, g *forest) int32 {
	c.reset(p, g.score)
	c.g = g
	c.span, c.arc = buffer.Resize(c.span, len(c.closed)), buffer.Resize(c.arc, len(c.open))
	c.base, c.share = buffer.Resize(c.base, len(c.triple)+c.w), buffer.Resize(c.share, c.w)
	for i := range c.span {
		c.span[i] = impossible
	}
	for i := range c.arc {
		c.arc[i] = impossible
	}
	for a, m := range p.Mod {
		c.span[a*c.w+int(m)] = 0
	}
	c.span[c.arcs*c.w] = 0
	for s := c.n; s >= 0 && !c.p.Ended(); s-- {
		for e := s + 1; e <= c.n && !c.p.Ended(); e++ {
			c.extend(s, e, tree.Right, s, e)
		}
		for h := s + 1; h <= c.n && s > 0 && !c.p.Ended(); h++ {
			c.extend(h, s, tree.Left, s, h)
		}
	}
	return c.span[c.arcs*c.w+c.n]
}

// extend makes the spans between l and r, h at one end and e at the other.
func (c *grandGraph) extend(h, e, d, l, r int) {
	a := c.p.Find(h, e)
	if a >= 0 {
		c.prepare(a, h, e)
	}
	before, after := c.heads(h, l, r)
	from, to := c.p.Of(h, d)
	for j := range c.above(h) {
		if h > 0 && j >= before && j < after {
			continue
		}
		open := c.arc[c.at(h, d, j):][:to-from]
		if a >= 0 {
			c.attach(a, h, e, j, open)
			open[a-from] = c.g.Node()
		}
		if h == 0 && c.single && e < c.n {
			continue
		}
		for x := from; x < to; x++ {
			if m := int(c.p.Mod[x]); m != e && (m > e) == (d == tree.Right) {
				break
			}
			c.g.add(open[x-from], c.span[x*c.w+e])
		}
		c.span[c.row(h, j)*c.w+e] = c.g.Node()
	}
}

// pairs makes S of the arc with each nearer one.
func (c *grandGraph) pairs(a, m, k int) {
	for i := 1; i <= k; i++ {
		b := a - c.p.Inner(a) + i - 1
		l, r, x, y := m, int(c.p.Mod[b]), a, b
		if r < l {
			l, r, x, y = r, l, b, a
		}
		for at := l; at < r; at++ {
			c.g.add(c.span[x*c.w+at], c.span[y*c.w+at+1])
		}
		c.share[i] = c.g.Node()
	}
}

// prepare makes base of the arc, or J.
func (c *grandGraph) prepare(a, h, m int) {
	if c.model == tree.Model0 {
		return
	}
	p, k, near := c.p, c.p.Inner(a), h+1
	if m < h {
		near = h - 1
	}
	if c.single && h == 0 {
		k = 0
	}
	c.pairs(a, m, k)
	if c.model == tree.Model1 {
		for i := 0; i <= k; i++ {
			x := c.span[a*c.w+near]
			if i > 0 {
				x = c.share[i]
			}
			c.g.add(x, 0, a, p.Sib(a, i))
			c.base[i] = c.g.Node()
		}
		return
	}
	triple := c.base[p.Sib(a, 0)-c.arcs:]
	c.g.add(c.span[a*c.w+near], 0, a, p.Sib(a, 0), p.TriSib(a, 0, 0))
	triple[0] = c.g.Node()
	for i := 1; i <= p.Inner(a); i++ {
		b := a - p.Inner(a) + i - 1
		for l := 0; l < i && i <= k; l++ {
			c.g.add(c.base[p.Sib(b, l)-c.arcs], 0, p.TriSib(a, i, l))
		}
		third := c.g.Node()
		if i <= k {
			c.g.add(third, c.share[i], a, p.Sib(a, i))
		}
		triple[i] = c.g.Node()
	}
}

// attach gives I of the arc its edges.
func (c *grandGraph) attach(a, h, m, j int, open []int32) {
	p, k := c.p, c.p.Inner(a)
	if c.single && h == 0 {
		k = 0
	}
	if c.model == tree.Model0 {
		c.gap(a, h, m, j)
		return
	}
	for i := 0; i <= k; i++ {
		b, parts := a-p.Inner(a)+i-1, [3]int{p.GrandSib(a, j, i)}
		n := 1
		if h > 0 {
			parts[n], n = p.Grand(a, j), n+1
		}
		if c.model == tree.Model2 {
			if h > 0 && i > 0 {
				parts[n], n = p.Grand(b, j), n+1
			}
			c.g.add(c.base[p.Sib(a, i)-c.arcs], 0, parts[:n]...)
		} else if i == 0 {
			c.g.add(c.base[0], 0, parts[:n]...)
		} else {
			c.g.add(c.base[i], open[b-(a-p.Inner(a))], parts[:n]...)
		}
	}
}

func (c *grandGraph) gap(a, h, m, j int) {
	parts := []int{a}
	if h > 0 {
		parts = append(parts, c.p.Grand(a, j))
	}
	row, l, r := c.row(h, j), min(h, m), max(h, m)
	if c.single && h == 0 {
		r = 1
	}
	for at := l; at < r; at++ {
		if h < m {
			c.g.add(c.span[row*c.w+at], c.span[a*c.w+at+1], parts...)
		} else {
			c.g.add(c.span[row*c.w+at+1], c.span[a*c.w+at], parts...)
		}
	}
}
