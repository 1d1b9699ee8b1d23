package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// grand is the chart of Koo and Collins 2010, whose spans know the grandparent g, outside the span: all
// grandchildren (Model 0), grand-siblings (Model 1), or tri-siblings and the grandparents of the
// outermost pair (Model 2). For h < m, the left side mirrored:
//
//	C^g(h,e) = max_{h<m≤e} I^g(h,m) + C^h(m,e),  C^g(h,h) = 0
//	S^h(a,b) = max_{a≤r<b} C^h(a,r) + C^h(b,r+1)
//
// S stands as the part of an arc and its sibling. model.go has I.
type grand struct {
	single bool
	model  tree.Factorization
	p      *tree.Parts
	score  []float64
	n, w   int
	places

	closed []float64 // C
	open   []float64 // I
	pair   []float64 // S, and J of Model 2, by the number of the sibling part less arcs
	triple []float64
	column []float64 // C by arc at the present left end
	base   []float64 // what I of an arc has whatever the grandparent, by sibling
}

func (c *grand) reset(p *tree.Parts, score []float64) {
	c.p, c.score, c.n, c.w = p, score, p.N, p.N+1
	c.open = buffer.Resize(c.open, c.place(p))
	c.closed = buffer.Resize(c.closed, (c.arcs+1)*c.w)
	c.column, c.base = buffer.Resize(c.column, c.arcs), buffer.Resize(c.base, c.w)
	c.pair, c.triple = buffer.Resize(c.pair, c.siblings()), buffer.Resize(c.triple, c.siblings())
	fill(c.closed, none)
	fill(c.open, none)
	for a, m := range p.Mod {
		c.closed[a*c.w+int(m)] = 0
	}
	c.closed[c.arcs*c.w] = 0
}

// opens returns I of the arcs of h in a direction under its j-th head.
func (c *grand) opens(h, d, j int) []float64 {
	from, to := c.p.Of(h, d)
	return c.open[c.at(h, d, j):][:to-from]
}

func (c *grand) fill(p *tree.Parts, score []float64) float64 {
	c.reset(p, score)
	for s := c.n; s >= 0 && !p.Ended(); s-- {
		c.right(s)
		if s > 0 {
			c.left(s)
		}
	}
	if p.Ended() {
		return none
	}
	return c.closed[c.arcs*c.w+c.n]
}

// right fills the spans of head s to its right.
func (c *grand) right(s int) {
	from, to := c.p.Of(s, tree.Right)
	for a := from; a < to && !c.p.Ended(); a++ {
		m := int(c.p.Mod[a])
		c.prepare(a, s, m)
		before, after := c.heads(s, s, m)
		for j := range c.above(s) {
			if j >= before && j < after {
				continue
			}
			open := c.opens(s, tree.Right, j)
			x, _ := c.attach(a, s, m, j, open)
			open[a-from] = x
			row := c.row(s, j)
			if end := c.bound(row, s); x > none {
				raise(c.closed[row*c.w+m:row*c.w+end], c.closed[a*c.w+m:], x)
			}
		}
	}
}

// left fills the spans of all heads that end on their left at s.
func (c *grand) left(s int) {
	for h := s + 1; h <= c.n && !c.p.Ended(); h++ {
		from, to, found := leftOf(c.p, h, s)
		in := c.p.In(h)
		before, after := c.heads(h, s, h)
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
