package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// carrerasGraph makes the spans of carreras nodes of a hypergraph; the brackets of O and the maximum of
// K are nodes too.
type carrerasGraph struct {
	single bool
	p      *tree.Parts
	g      *forest
	w      int
	closed []int32 // by arc·w+e
	open   []int32 // by arc
}

func (c *carrerasGraph) build(p *tree.Parts, g *forest) int32 {
	c.p, c.g, c.w = p, g, p.N+1
	c.closed, c.open = buffer.Resize(c.closed, p.Arcs.Len()*c.w), buffer.Resize(c.open, p.Arcs.Len())
	for s := p.N; s >= 0 && !p.Ended(); s-- {
		for a, to := p.Of(s, tree.Right); a < to && !p.Ended(); a++ {
			m := int(p.Mod[a])
			c.inner(a, s, m)
			for e := m; e <= p.N; e++ {
				c.span(a, m, e)
			}
		}
		for h := s + 1; h <= p.N && s > 0; h++ {
			if a := p.Find(h, s); a >= 0 {
				c.inner(a, h, s)
				c.span(a, s, s)
			}
			for _, a := range p.In(h) {
				if int(p.Head[a]) > h {
					c.span(int(a), h, s)
				}
			}
		}
	}
	for a, to := p.Of(0, tree.Right); a < to; a++ {
		c.g.add(c.closed[a*c.w+p.N], 0)
	}
	return c.g.Node()
}

// span makes K of an arc to m up to e.
func (c *carrerasGraph) span(a, m, e int) {
	out := int32(impossible)
	if c.open[a] == impossible {
		c.closed[a*c.w+e] = impossible
		return
	}
	if e == m {
		c.g.add(c.open[a], 0, c.p.Leaf(a, tree.Outside))
	} else {
		out = c.outermost(m, e, c.p.Rank(a))
		c.g.add(c.open[a], out)
	}
	c.closed[a*c.w+e] = c.g.Node()
}

// outermost makes max_c K(m,e,c) + g(h,m,c), where j numbers the arc from h to m.
func (c *carrerasGraph) outermost(m, e, j int) int32 {
	d := tree.Right
	if e < m {
		d = tree.Left
	}
	for x, to := c.p.Of(m, d); x < to; x++ {
		if t := int(c.p.Mod[x]); t != e && (t > e) == (d == tree.Right) {
			break
		}
		c.g.add(c.closed[x*c.w+e], 0, c.p.Grand(x, j))
	}
	return c.g.Node()
}

// inner makes O of an arc.
func (c *carrerasGraph) inner(a, h, m int) {
	l, r := min(h, m), max(h, m)
	if c.single && h == 0 {
		r = 1
	}
	made := make([][2]int32, 0, r-l)
	for at := l; at < r; at++ {
		if h < m {
			made = append(made, [2]int32{c.siblings(a, h, at), c.modifiers(a, m, at+1)})
		} else {
			made = append(made, [2]int32{c.siblings(a, h, at+1), c.modifiers(a, m, at)})
		}
	}
	for _, x := range made {
		c.g.add(x[0], x[1], a)
	}
	c.open[a] = c.g.Node()
}

// siblings makes the first bracket, of the spans of the head up to e.
func (c *carrerasGraph) siblings(a, h, e int) int32 {
	if e == h {
		c.g.add(0, 0, c.p.Sib(a, 0))
		return c.g.Node()
	}
	for b, k := a-c.p.Inner(a), 1; b < a; b, k = b+1, k+1 {
		if s := int(c.p.Mod[b]); s != e && (s > e) == (e > h) {
			break
		}
		c.g.add(c.closed[b*c.w+e], 0, c.p.Sib(a, k))
	}
	return c.g.Node()
}

// modifiers makes the second bracket, of the spans of the modifier up to e.
func (c *carrerasGraph) modifiers(a, m, e int) int32 {
	if e == m {
		c.g.add(0, 0, c.p.Leaf(a, tree.Inside))
		return c.g.Node()
	}
	return c.outermost(m, e, c.p.Rank(a))
}
