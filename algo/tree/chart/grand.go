package chart

import "parlance/algo/tree"

// grand is the chart of Koo and Collins 2010, whose spans know the grandparent g, outside the span: all
// grandchildren (Model 0), grand-siblings (Model 1), or tri-siblings and the grandparents of the
// outermost pair (Model 2). For h < m, the left side mirrored:
//
//	C^g(h,e) = max_{h<m≤e} I^g(h,m) + C^h(m,e),  C^g(h,h) = 0
//	S^h(a,b) = max_{a≤r<b} C^h(a,r) + C^h(b,r+1)
//
// C stands by the arc from g to h, S as the part of an arc and its sibling, and I by the head, j and
// the arc: j numbers the arcs to h as in tree.Parts. What is in no arc, the root, has the row after
// the last arc and j = 0. model.go has I.
type grand struct {
	single bool
	model  tree.Factorization
	p      *tree.Parts
	score  []float64
	n, w   int
	arcs   int

	closed []float64 // C at arc·w+e
	open   []float64 // I at first[2h+d] + j·arcs of h and d + place of the arc
	pair   []float64 // S, and J of Model 2, by the number of the sibling part less arcs
	triple []float64
	column []float64 // C by arc at the present left end
	base   []float64 // what I of an arc has whatever the grandparent, by sibling
	first  []int
}

func (c *grand) reset(p *tree.Parts, score []float64) {
	c.p, c.score, c.n, c.w, c.arcs = p, score, p.N, p.N+1, p.Arcs.Len()
	c.closed = resize(c.closed, (c.arcs+1)*c.w)
	c.column, c.base = resize(c.column, c.arcs), resize(c.base, c.w)
	c.first = c.first[:0]
	open := 0
	for h := range c.n + 1 {
		above := 1
		if h > 0 {
			above = len(p.In(h))
		}
		for d := tree.Left; d <= tree.Right; d++ {
			from, to := p.Of(h, d)
			c.first = append(c.first, open)
			open += above * (to - from)
		}
	}
	c.open = resize(c.open, open)
	fill(c.closed, none)
	fill(c.open, none)
	if c.model != tree.Model0 && c.arcs > 0 {
		c.pair = resize(c.pair, p.Sib(c.arcs-1, p.Inner(c.arcs-1))+1-c.arcs)
		c.triple = resize(c.triple, len(c.pair))
	}
	for a, m := range p.Mod {
		c.closed[a*c.w+int(m)] = 0
	}
	c.closed[c.arcs*c.w] = 0
}

// row returns the arc from the j-th head of h, or what stands for it.
func (c *grand) row(h, j int) int {
	if h == 0 {
		return c.arcs
	}
	return int(c.p.In(h)[j])
}

// opens returns I of the arcs of h in a direction under its j-th head.
func (c *grand) opens(h, d, j int) []float64 {
	from, to := c.p.Of(h, d)
	i := c.first[2*h+d] + j*(to-from)
	return c.open[i : i+to-from]
}

func (c *grand) above(h int) int {
	if h == 0 {
		return 1
	}
	return len(c.p.In(h))
}

// outside returns the number of heads of h before l, and the first one after r.
func (c *grand) outside(h, l, r int) (int, int) {
	if h == 0 {
		return 0, 0
	}
	in := c.p.In(h)
	before, after := 0, len(in)
	for before < len(in) && int(c.p.Head[in[before]]) < l {
		before++
	}
	for after > before && int(c.p.Head[in[after-1]]) > r {
		after--
	}
	return before, after
}

func (c *grand) fill(p *tree.Parts, score []float64) float64 {
	c.reset(p, score)
	for s := c.n; s >= 0; s-- {
		c.right(s)
		if s > 0 {
			c.left(s)
		}
	}
	return c.closed[c.arcs*c.w+c.n]
}

// right fills the spans of head s to its right.
func (c *grand) right(s int) {
	from, to := c.p.Of(s, tree.Right)
	for a := from; a < to; a++ {
		m := int(c.p.Mod[a])
		c.prepare(a, s, m)
		before, after := c.outside(s, s, m)
		for j := range c.above(s) {
			if j >= before && j < after {
				continue
			}
			open := c.opens(s, tree.Right, j)
			x, _ := c.attach(a, s, m, j, open)
			open[a-from] = x
			row, end := c.row(s, j), c.w
			if row < c.arcs && int(c.p.Head[row]) > s {
				end = int(c.p.Head[row])
			}
			if x > none {
				raise(c.closed[row*c.w+m:row*c.w+end], c.closed[a*c.w+m:], x)
			}
		}
	}
}

// left fills the spans of all heads that end on their left at s.
func (c *grand) left(s int) {
	for h := s + 1; h <= c.n; h++ {
		from, to := c.p.Of(h, tree.Left)
		for to > from && int(c.p.Mod[to-1]) < s {
			to--
		}
		in := c.p.In(h)
		before, after := c.outside(h, s, h)
		found := to > from && int(c.p.Mod[to-1]) == s
		if found {
			c.prepare(to-1, h, s)
			c.column[to-1] = 0
		}
		column := c.column[from:to]
		for j, row := range in {
			if j >= before && j < after {
				continue
			}
			open := c.opens(h, tree.Left, j)
			if found {
				open[to-1-from], _ = c.attach(to-1, h, s, j, open)
			}
			x, _ := join(open[:len(column)], column)
			c.closed[int(row)*c.w+s], c.column[row] = x, x
		}
	}
}

// trace reads off the best tree.
func (c *grand) trace(heads []int32) { c.traceClosed(heads, 0, 0, c.n) }

// traceClosed writes the arcs of C of h under its j-th head up to e.
func (c *grand) traceClosed(heads []int32, h, j, e int) {
	for h != e {
		d := tree.Right
		if e < h {
			d = tree.Left
		}
		open := c.opens(h, d, j)
		from, to := c.p.Of(h, d)
		best, arc := none, -1
		for a := from; a < to; a++ {
			m := int(c.p.Mod[a])
			if m != e && (m > e) == (d == tree.Right) {
				break
			}
			if x := open[a-from] + c.closed[a*c.w+e]; x > best {
				best, arc = x, a
			}
		}
		c.traceOpen(heads, arc, h, j)
		h, j = int(c.p.Mod[arc]), c.p.Rank(arc)
	}
}

// traceArc writes the arcs of C of the modifier of an arc up to e.
func (c *grand) traceArc(heads []int32, a, e int) {
	c.traceClosed(heads, int(c.p.Mod[a]), c.p.Rank(a), e)
}

// tracePair writes those of S of an arc and a nearer one.
func (c *grand) tracePair(heads []int32, a, b int) {
	if c.p.Mod[a] > c.p.Mod[b] {
		a, b = b, a
	}
	_, r := c.split(a, b)
	r += int(c.p.Mod[a])
	c.traceArc(heads, a, r)
	c.traceArc(heads, b, r+1)
}

// split returns S of two arcs of one head, the left one first, with the distance of r from the left
// end.
func (c *grand) split(a, b int) (float64, int) {
	l, r := int(c.p.Mod[a]), int(c.p.Mod[b])
	return join(c.closed[a*c.w+l:a*c.w+r], c.closed[b*c.w+l+1:b*c.w+r+1])
}
