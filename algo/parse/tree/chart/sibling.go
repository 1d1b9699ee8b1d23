package chart

import (
	"math"

	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// sibling is the chart of adjacent siblings (McDonald and Pereira 2006), for h < m, the left side
// mirrored:
//
//	S(a,b) = max_{a≤r<b} C(a,r) + C(b,r+1)
//	I(h,m) = dep(h,m) + max( C(m,h+1) + sib(h,m,None), max_{h<s<m} I(h,s) + S(s,m) + sib(h,m,s) )
//	C(h,e) = max_{h<m≤e} I(h,m) + C(m,e),  C(h,h) = 0
//
// Spans are filled by falling left end and rising right end, so that a row of C grows by whole rows.
// The trace finds its maxima again rather than storing where each one was.
type sibling struct {
	single bool
	p      *tree.Parts
	score  []float64
	n, w   int

	closed []float64 // C(h,e) at h·w+e
	pair   []float64 // S(a,b) at a·w+b, +∞ where it was not asked for
	open   []float64 // I by arc
	column []float64 // C(h,s) of the present left end s, by h
}

func (c *sibling) fill(p *tree.Parts, score []float64) float64 {
	c.p, c.score, c.n, c.w = p, score, p.N, p.N+1
	c.closed, c.pair = buffer.Resize(c.closed, c.w*c.w), buffer.Resize(c.pair, c.w*c.w)
	c.open, c.column = buffer.Resize(c.open, p.Arcs.Len()), buffer.Resize(c.column, c.w)
	fill(c.closed, none)
	fill(c.pair, math.Inf(1))
	for s := c.n; s >= 0; s-- {
		if p.Ended() {
			return none
		}
		c.closed[s*c.w+s] = 0
		c.right(s)
		if s > 0 {
			c.left(s)
		}
	}
	return c.closed[c.n]
}

// right fills the spans of head s to its right.
func (c *sibling) right(s int) {
	from, to := c.p.Of(s, tree.Right)
	for a := from; a < to; a++ {
		m := int(c.p.Mod[a])
		c.open[a], _ = c.inner(a, s, m)
		raise(c.closed[s*c.w+m:(s+1)*c.w], c.closed[m*c.w+m:(m+1)*c.w], c.open[a])
	}
}

// left fills the spans of all heads that end on their left at s.
func (c *sibling) left(s int) {
	c.column[s] = 0
	for h := s + 1; h <= c.n; h++ {
		from, to := c.p.Of(h, tree.Left)
		best := none
		for a := from; a < to && int(c.p.Mod[a]) >= s; a++ {
			m := int(c.p.Mod[a])
			if m == s {
				c.open[a], _ = c.inner(a, h, s)
			}
			best = max(best, c.open[a]+c.column[m])
		}
		c.column[h], c.closed[h*c.w+s] = best, best
	}
}

// inner returns I of an arc with the place of its sibling that gives it, 0 for none.
func (c *sibling) inner(a, h, m int) (float64, int) {
	k := c.p.Inner(a)
	score := c.score[c.p.Sib(a, 0):][:k+1]
	near := h + 1
	if m < h {
		near = h - 1
	}
	best, at := c.closed[m*c.w+near]+score[0], 0
	if !c.single || h > 0 {
		for i, x := range score[1:] {
			b := a - k + i
			if x += c.open[b]; x > none {
				if s := int(c.p.Mod[b]); s < m {
					x += c.siblings(s, m)
				} else {
					x += c.siblings(m, s)
				}
				if x > best {
					best, at = x, i+1
				}
			}
		}
	}
	return best + c.score[a], at
}

func (c *sibling) siblings(a, b int) float64 {
	s := &c.pair[a*c.w+b]
	if *s > math.MaxFloat64 {
		*s, _ = c.split(a, b)
	}
	return *s
}

func (c *sibling) split(a, b int) (float64, int) {
	return join(c.closed[a*c.w+a:a*c.w+b], c.closed[b*c.w+a+1:b*c.w+b+1])
}

func (c *sibling) trace(heads []int32) { c.traceClosed(heads, 0, c.n) }

func (c *sibling) traceClosed(heads []int32, h, e int) {
	for h != e {
		d := tree.Right
		if e < h {
			d = tree.Left
		}
		best, arc := none, -1
		for a, to := c.p.Of(h, d); a < to; a++ {
			m := int(c.p.Mod[a])
			if (d == tree.Right && m > e) || (d == tree.Left && m < e) {
				break
			}
			if x := c.open[a] + c.closed[m*c.w+e]; x > best {
				best, arc = x, a
			}
		}
		c.traceOpen(heads, arc)
		h = int(c.p.Mod[arc])
	}
}

func (c *sibling) traceOpen(heads []int32, a int) {
	for {
		h, m := int(c.p.Head[a]), int(c.p.Mod[a])
		heads[m] = int32(h)
		_, k := c.inner(a, h, m)
		if k == 0 {
			near := h + 1
			if m < h {
				near = h - 1
			}
			c.traceClosed(heads, m, near)
			return
		}
		b := a - c.p.Inner(a) + k - 1
		l, r := min(m, int(c.p.Mod[b])), max(m, int(c.p.Mod[b]))
		_, at := c.split(l, r)
		c.traceClosed(heads, l, l+at)
		c.traceClosed(heads, r, l+at+1)
		a = b
	}
}
