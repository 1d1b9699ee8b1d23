package chart

import "parlance/algo/parse/tree"

// places are where charts of spans with grandparents have their values: C of the arc from g to h up to e
// at row·(n+1)+e, the root in the row after the last arc, and I by head, direction, j and arc, where j
// numbers the arcs to the head as in tree.Parts.
type places struct {
	parts *tree.Parts
	arcs  int
	first []int
}

// place takes the parts of a sentence and returns how many I there are.
func (c *places) place(p *tree.Parts) int {
	c.parts, c.arcs, c.first = p, p.Arcs.Len(), c.first[:0]
	open := 0
	for h := range p.N + 1 {
		for d := tree.Left; d <= tree.Right; d++ {
			from, to := p.Of(h, d)
			c.first = append(c.first, open)
			open += c.above(h) * (to - from)
		}
	}
	return open
}

// siblings returns the number of sibling parts.
func (c *places) siblings() int {
	if c.arcs == 0 || c.parts.Types&tree.Sib == 0 {
		return 0
	}
	return c.parts.Sib(c.arcs-1, c.parts.Inner(c.arcs-1)) + 1 - c.arcs
}

// above returns how many j a head has.
func (c *places) above(h int) int {
	if h == 0 {
		return 1
	}
	return len(c.parts.In(h))
}

// row returns the row of the j-th head of h.
func (c *places) row(h, j int) int {
	if h == 0 {
		return c.arcs
	}
	return int(c.parts.In(h)[j])
}

// at returns the place of I of the first arc of h in a direction under its j-th head.
func (c *places) at(h, d, j int) int {
	from, to := c.parts.Of(h, d)
	return c.first[2*h+d] + j*(to-from)
}

// heads returns the number of heads of h before l, and the first one after r.
func (c *places) heads(h, l, r int) (int, int) {
	if h == 0 {
		return 0, 0
	}
	in := c.parts.In(h)
	before, after := 0, len(in)
	for before < len(in) && int(c.parts.Head[in[before]]) < l {
		before++
	}
	for after > before && int(c.parts.Head[in[after-1]]) > r {
		after--
	}
	return before, after
}

// bound returns where the spans of head s in a row end to the right.
func (c *places) bound(row, s int) int {
	if row < c.arcs && int(c.parts.Head[row]) > s {
		return int(c.parts.Head[row])
	}
	return c.parts.N + 1
}

// leftOf returns the arcs from h to tokens from s on at its left, and whether the last is the one to s.
func leftOf(p *tree.Parts, h, s int) (from, to int, found bool) {
	from, to = p.Of(h, tree.Left)
	for to > from && int(p.Mod[to-1]) < s {
		to--
	}
	return from, to, to > from && int(p.Mod[to-1]) == s
}
