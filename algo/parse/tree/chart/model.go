package chart

import "parlance/algo/parse/tree"

// prepare fills what the spans I of an arc share, whatever the grandparent g; its columns of C are
// filled. For h < m, s the nearer sibling and t the one nearer still:
//
//	Model 1  base(s) = dep + sib + S^h(s,m), or C^h(m,h+1) for no s
//	Model 2  J(h,m,s) = dep + sib + S^h(s,m) + max_t J(h,s,t) + tsib(h,m,s,t)
//
// J stays, as S does: it is numbered as the part of the arc and s.
func (c *grand) prepare(a, h, m int) {
	if c.model == tree.Model0 {
		return
	}
	p, k := c.p, c.p.Inner(a)
	if c.single && h == 0 {
		k = 0
	}
	number := p.Sib(a, 0)
	sib, pair, triple := c.score[number:][:k+1], c.pair[number-c.arcs:], c.triple[number-c.arcs:]
	base := c.base[:k+1]
	near := h + 1
	if m < h {
		near = h - 1
	}
	base[0] = c.score[a] + sib[0] + c.closed[a*c.w+near]
	for i := 1; i <= k; i++ {
		b := a - p.Inner(a) + i - 1
		if h < m {
			pair[i], _ = c.split(b, a)
		} else {
			pair[i], _ = c.split(a, b)
		}
		base[i] = c.score[a] + sib[i] + pair[i]
	}
	if c.model == tree.Model1 {
		return
	}
	triple[0] = base[0] + c.score[p.TriSib(a, 0, 0)]
	for i := 1; i <= k; i++ {
		x, _ := c.third(a, i)
		triple[i] = base[i] + x
	}
	for i := k + 1; i <= p.Inner(a); i++ {
		triple[i] = none
	}
}

// third returns the largest J(h,s,t) + tsib(h,m,s,t) of an arc and its k-th sibling s, with the number
// of t, 0 for none.
func (c *grand) third(a, k int) (float64, int) {
	b := a - c.p.Inner(a) + k - 1
	return join(c.score[c.p.TriSib(a, k, 0):][:k], c.triple[c.p.Sib(b, 0)-c.arcs:])
}

// attach returns I^g(h,m) of an arc, already prepared, with the r or sibling that gives it, 0 for none.
// For h < m, open has I^g(h,s):
//
//	Model 0  dep + gch(g,h,m) + max_r C^g(h,r) + C^h(m,r+1)
//	Model 1  gch(g,h,m) + max_s I^g(h,s) + base(s) + gsib(g,h,m,s)
//	Model 2  gch(g,h,m) + max_s J(h,m,s) + gch(g,h,s) + gsib(g,h,m,s)
func (c *grand) attach(a, h, m, j int, open []float64) (float64, int) {
	k := c.p.Inner(a)
	if c.single && h == 0 {
		k = 0
	}
	best, at := none, 0
	switch c.model {
	case tree.Model0:
		best, at = c.gap(a, h, m, j)
		best += c.score[a]
	case tree.Model1:
		score := c.score[c.p.GrandSib(a, j, 0):]
		best = c.base[0] + score[0]
		score, base := score[1:k+1], c.base[1:k+1]
		open = open[:k]
		for i, x := range open {
			if x += base[i] + score[i]; x > best {
				best, at = x, i+1
			}
		}
	case tree.Model2:
		score, triple := c.score[c.p.GrandSib(a, j, 0):], c.triple[c.p.Sib(a, 0)-c.arcs:]
		best = triple[0] + score[0]
		for i := 1; i <= k; i++ {
			x := triple[i] + score[i]
			if h > 0 {
				x += c.score[c.p.Grand(a-c.p.Inner(a)+i-1, j)]
			}
			if x > best {
				best, at = x, i
			}
		}
	}
	if h > 0 {
		best += c.score[c.p.Grand(a, j)]
	}
	return best, at
}

// gap returns the best C^g(h,r) + C^h(m,r+1) with the distance of r from the left end.
func (c *grand) gap(a, h, m, j int) (float64, int) {
	row, l, r := c.row(h, j)*c.w, min(h, m), max(h, m)
	head, mod := c.closed[row+l:row+r], c.closed[a*c.w+l+1:a*c.w+r+1]
	if m < h {
		head, mod = c.closed[row+l+1:row+r+1], c.closed[a*c.w+l:a*c.w+r]
	} else if c.single && h == 0 {
		head, mod = head[:1], mod[:1]
	}
	return join(head, mod)
}

// traceOpen writes the arcs of I of an arc from h under its j-th head.
func (c *grand) traceOpen(heads []int32, a, h, j int) {
	m := int(c.p.Mod[a])
	heads[m] = int32(h)
	d := c.p.Direction(a)
	if c.model == tree.Model0 {
		_, r := c.gap(a, h, m, j)
		r += min(h, m)
		if d == tree.Left {
			c.traceArc(heads, a, r)
			c.traceClosed(heads, h, j, r+1)
		} else {
			c.traceClosed(heads, h, j, r)
			c.traceArc(heads, a, r+1)
		}
		return
	}
	c.prepare(a, h, m)
	_, k := c.attach(a, h, m, j, c.opens(h, d, j))
	if k == 0 {
		c.traceArc(heads, a, h+2*d-1)
		return
	}
	b := a - c.p.Inner(a) + k - 1
	c.tracePair(heads, a, b)
	if c.model == tree.Model1 {
		c.traceOpen(heads, b, h, j)
		return
	}
	c.traceTriple(heads, a, k)
}

// traceTriple writes the arcs of J of an arc and its k-th sibling without those of S between them.
func (c *grand) traceTriple(heads []int32, a, k int) {
	_, l := c.third(a, k)
	b := a - c.p.Inner(a) + k - 1
	h, m := int(c.p.Head[b]), int(c.p.Mod[b])
	heads[m] = int32(h)
	if l == 0 {
		near := h + 1
		if m < h {
			near = h - 1
		}
		c.traceArc(heads, b, near)
		return
	}
	c.tracePair(heads, b, b-c.p.Inner(b)+l-1)
	c.traceTriple(heads, b, l)
}
