package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// adjoint is what a chart of sums knows: the inside values of its spans, each the sum of products of
// weights over what can fill it, and backwards the derivatives of ln Z by them.
type adjoint struct {
	single bool
	p      *tree.Parts
	weight []float64 // exp of the scores
	mu     []float64 // derivative of ln Z by the score of a part: its probability
	n, w   int

	closed, open       []float64
	closedBar, openBar []float64
}

func (c *adjoint) reset(p *tree.Parts, weight, mu []float64, closed, open int) {
	c.p, c.weight, c.mu, c.n, c.w = p, weight, mu, p.N, p.N+1
	c.closed, c.closedBar = buffer.Resize(c.closed, closed), buffer.Resize(c.closedBar, closed)
	c.open, c.openBar = buffer.Resize(c.open, open), buffer.Resize(c.openBar, open)
	clear(c.closed)
	clear(c.closedBar)
	clear(c.open)
	clear(c.openBar)
}

// siblingSum sums the chart of sibling.
type siblingSum struct {
	adjoint
	pair, pairBar []float64
}

const needed = -1 // marks a pair before its sum is there

func (c *siblingSum) inside(p *tree.Parts, weight, mu []float64) float64 {
	w := p.N + 1
	c.reset(p, weight, mu, w*w, p.Arcs.Len())
	c.pair, c.pairBar = buffer.Resize(c.pair, w*w), buffer.Resize(c.pairBar, w*w)
	clear(c.pair)
	clear(c.pairBar)
	for a, m := range p.Mod {
		if c.single && p.Head[a] == 0 {
			continue
		}
		for _, s := range p.Mod[a-p.Inner(a) : a] {
			c.pair[int(min(m, s))*w+int(max(m, s))] = needed
		}
	}
	for s := c.n; s >= 0 && !c.p.Ended(); s-- {
		c.closed[s*w+s] = 1
		for a, to := p.Of(s, tree.Right); a < to; a++ {
			m := int(p.Mod[a])
			c.inner(a, s, m)
			addScaled(c.closed[s*w+m:(s+1)*w], c.closed[m*w+m:(m+1)*w], c.open[a])
		}
		if s > 0 {
			c.left(s)
		}
	}
	return c.closed[c.n]
}

// spans returns the two rows of spans whose products S(a,b) sums.
func (c *adjoint) spans(rows []float64, a, b int) (left, right []float64) {
	return rows[a*c.w+a : a*c.w+b], rows[b*c.w+a+1 : b*c.w+b+1]
}

func (c *siblingSum) left(s int) {
	for b := s + 1; b <= c.n; b++ {
		if x := &c.pair[s*c.w+b]; *x == needed {
			*x = dot(c.spans(c.closed, s, b))
		}
	}
	for h := s + 1; h <= c.n; h++ {
		sum := 0.0
		for a, to := c.p.Of(h, tree.Left); a < to && int(c.p.Mod[a]) >= s; a++ {
			m := int(c.p.Mod[a])
			if m == s {
				c.inner(a, h, s)
			}
			sum += c.open[a] * c.closed[m*c.w+s]
		}
		c.closed[h*c.w+s] = sum
	}
}

// near returns the place of C(m,h±1) of an arc, and how many siblings its modifier can have.
func (c *siblingSum) near(a, h, m int) (at, k int) {
	if k = c.p.Inner(a); c.single && h == 0 {
		k = 0
	}
	if h < m {
		return m*c.w + h + 1, k
	}
	return m*c.w + h - 1, k
}

func (c *siblingSum) inner(a, h, m int) {
	at, k := c.near(a, h, m)
	sib := c.weight[c.p.Sib(a, 0):][:k+1]
	sum, from := c.closed[at]*sib[0], a-c.p.Inner(a)
	for i, x := range sib[1:] {
		s := int(c.p.Mod[from+i])
		sum += c.open[from+i] * c.pair[min(s, m)*c.w+max(s, m)] * x
	}
	c.open[a] = sum * c.weight[a]
}

// outside runs inside backwards.
func (c *siblingSum) outside(z float64) {
	c.closedBar[c.n] = 1 / z
	for s := 0; s <= c.n && !c.p.Ended(); s++ {
		if s > 0 {
			c.leftBar(s)
		}
		from, to := c.p.Of(s, tree.Right)
		for a := to - 1; a >= from; a-- {
			m := int(c.p.Mod[a])
			bar, row := c.closedBar[s*c.w+m:(s+1)*c.w], c.closed[m*c.w+m:(m+1)*c.w]
			c.openBar[a] += dot(bar, row)
			addScaled(c.closedBar[m*c.w+m:(m+1)*c.w], bar, c.open[a])
			c.innerBar(a, s, m)
		}
	}
}

func (c *siblingSum) leftBar(s int) {
	for h := c.n; h > s; h-- {
		bar := c.closedBar[h*c.w+s]
		for a, to := c.p.Of(h, tree.Left); a < to && int(c.p.Mod[a]) >= s; a++ {
			m := int(c.p.Mod[a])
			c.openBar[a] += bar * c.closed[m*c.w+s]
			c.closedBar[m*c.w+s] += bar * c.open[a]
			if m == s {
				c.innerBar(a, h, s)
			}
		}
	}
	for b := s + 1; b <= c.n; b++ {
		if bar := c.pairBar[s*c.w+b]; bar != 0 {
			l, r := c.spans(c.closed, s, b)
			lBar, rBar := c.spans(c.closedBar, s, b)
			addScaled(lBar, r, bar)
			addScaled(rBar, l, bar)
		}
	}
}

func (c *siblingSum) innerBar(a, h, m int) {
	if c.openBar[a] == 0 {
		return
	}
	at, k := c.near(a, h, m)
	c.mu[a] += c.openBar[a] * c.open[a]
	bar, number, from := c.openBar[a]*c.weight[a], c.p.Sib(a, 0), a-c.p.Inner(a)
	c.mu[number] += bar * c.weight[number] * c.closed[at]
	c.closedBar[at] += bar * c.weight[number]
	for i := 1; i <= k; i++ {
		b := from + i - 1
		s := int(c.p.Mod[b])
		pair, x := min(s, m)*c.w+max(s, m), bar*c.weight[number+i]
		c.mu[number+i] += x * c.open[b] * c.pair[pair]
		c.openBar[b] += x * c.pair[pair]
		c.pairBar[pair] += x * c.open[b]
	}
}

// safe tells whether the values of spans are far from the ends of the range of a float64.
func (c *siblingSum) safe() bool { return safe(c.closed) && safe(c.open) && safe(c.pair) }

// addScaled does dst[i] ← dst[i] + src[i]·w.
func addScaled(dst, src []float64, w float64) {
	src = src[:len(dst)]
	for i, x := range src {
		dst[i] += x * w
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
