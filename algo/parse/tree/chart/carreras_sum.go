package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// carrerasSum sums the chart of carreras.
type carrerasSum struct {
	adjoint
	head, mod       []float64 // the brackets of O, by r
	headBar, modBar []float64
}

func (c *carrerasSum) inside(p *tree.Parts, weight, mu []float64) float64 {
	c.reset(p, weight, mu, p.Arcs.Len()*(p.N+1), p.Arcs.Len())
	c.head, c.mod = buffer.Resize(c.head, c.w), buffer.Resize(c.mod, c.w)
	c.headBar, c.modBar = buffer.Resize(c.headBar, c.w), buffer.Resize(c.modBar, c.w)
	for s := c.n; s >= 0 && !c.p.Ended(); s-- {
		for a, to := p.Of(s, tree.Right); a < to; a++ {
			c.right(a, s, int(p.Mod[a]))
		}
		for h := s + 1; h <= c.n && s > 0; h++ {
			c.left(h, s)
		}
	}
	z := 0.0
	for a, to := p.Of(0, tree.Right); a < to; a++ {
		z += c.closed[a*c.w+c.n]
	}
	return z
}

func (c *carrerasSum) right(a, s, m int) {
	c.inner(a, s, m)
	row, open := c.closed[a*c.w:(a+1)*c.w], c.open[a]
	if open == 0 {
		return
	}
	row[m] = open * c.weight[c.p.Leaf(a, tree.Outside)]
	j := c.p.Rank(a)
	for x, to := c.p.Of(m, tree.Right); x < to; x++ {
		t := int(c.p.Mod[x])
		addScaled(row[t:], c.closed[x*c.w+t:(x+1)*c.w], open*c.weight[c.p.Grand(x, j)])
	}
}

// fromRight returns where in In(h) the arcs from the right of h begin.
func (c *carrerasSum) fromRight(h int) int {
	arcs := c.p.In(h)
	in := len(arcs)
	for in > 0 && int(c.p.Head[arcs[in-1]]) > h {
		in--
	}
	return in
}

func (c *carrerasSum) left(h, s int) {
	from, to, found := leftOf(c.p, h, s)
	in := c.fromRight(h)
	if a := to - 1; found {
		c.inner(a, h, s)
		c.closed[a*c.w+s] = c.open[a] * c.weight[c.p.Leaf(a, tree.Outside)]
	}
	arcs := c.p.In(h)[in:]
	for x := from; x < to; x++ {
		column, grand := c.closed[x*c.w+s], c.weight[c.p.Grand(x, in):]
		if column == 0 {
			continue
		}
		for j, a := range arcs {
			c.closed[int(a)*c.w+s] += c.open[a] * column * grand[j]
		}
	}
}

// reach returns how many r O of an arc has.
func (c *carrerasSum) reach(h, m int) int {
	if c.single && h == 0 {
		return 1
	}
	return max(h, m) - min(h, m)
}

func (c *carrerasSum) inner(a, h, m int) {
	k := c.reach(h, m)
	c.brackets(a, h, m, k)
	c.open[a] = c.weight[a] * dot(c.head[:k], c.mod[:k])
}

// terms calls of with what the brackets of O are sums of: entries of one from r on, a row of K and the
// number of the part that goes with it. It also returns the two that have no row.
func (c *carrerasSum) terms(a, h, m, k int, head, mod func(r int, at, length, part int)) (first, last int) {
	l, from, sib, j := min(h, m), a-c.p.Inner(a), c.p.Sib(a, 1), c.p.Rank(a)
	if h < m {
		for b := from; b < a && k > 1; b++ {
			s := int(c.p.Mod[b])
			head(s-l, b*c.w+s, m-s, sib+b-from)
		}
		for x, to := c.p.Of(m, tree.Left); x < to && int(c.p.Mod[x]) > h; x++ {
			mod(0, x*c.w+h+1, min(int(c.p.Mod[x])-h, k), c.p.Grand(x, j))
		}
		return 0, m - h - 1
	}
	for b := from; b < a; b++ {
		head(0, b*c.w+m+1, int(c.p.Mod[b])-m, sib+b-from)
	}
	for x, to := c.p.Of(m, tree.Right); x < to && int(c.p.Mod[x]) < h; x++ {
		t := int(c.p.Mod[x])
		mod(t-m, x*c.w+t, h-t, c.p.Grand(x, j))
	}
	return h - m - 1, 0
}

func (c *carrerasSum) brackets(a, h, m, k int) {
	clear(c.head[:k])
	clear(c.mod[:k])
	first, last := c.terms(a, h, m, k, func(r, at, length, part int) {
		addScaled(c.head[r:r+length], c.closed[at:at+length], c.weight[part])
	}, func(r, at, length, part int) {
		addScaled(c.mod[r:r+length], c.closed[at:at+length], c.weight[part])
	})
	c.head[first] = c.weight[c.p.Sib(a, 0)]
	if last < k {
		c.mod[last] = c.weight[c.p.Leaf(a, tree.Inside)]
	}
}

// outside runs inside backwards.
func (c *carrerasSum) outside(z float64) {
	for a, to := c.p.Of(0, tree.Right); a < to; a++ {
		c.closedBar[a*c.w+c.n] = 1 / z
	}
	for s := 0; s <= c.n && !c.p.Ended(); s++ {
		for h := c.n; h > s && s > 0; h-- {
			c.leftBar(h, s)
		}
		from, to := c.p.Of(s, tree.Right)
		for a := to - 1; a >= from; a-- {
			c.rightBar(a, s, int(c.p.Mod[a]))
		}
	}
}

func (c *carrerasSum) rightBar(a, s, m int) {
	bar, open, leaf := c.closedBar[a*c.w:(a+1)*c.w], c.open[a], c.p.Leaf(a, tree.Outside)
	if open == 0 {
		return
	}
	c.mu[leaf] += bar[m] * open * c.weight[leaf]
	sum, j := bar[m]*c.weight[leaf], c.p.Rank(a)
	for x, to := c.p.Of(m, tree.Right); x < to; x++ {
		t, part := int(c.p.Mod[x]), c.p.Grand(x, j)
		y := c.weight[part] * dot(bar[t:], c.closed[x*c.w+t:(x+1)*c.w])
		c.mu[part] += y * open
		sum += y
		addScaled(c.closedBar[x*c.w+t:(x+1)*c.w], bar[t:], open*c.weight[part])
	}
	c.openBar[a] += sum
	c.innerBar(a, s, m)
}

func (c *carrerasSum) leftBar(h, s int) {
	from, to, found := leftOf(c.p, h, s)
	in := c.fromRight(h)
	arcs := c.p.In(h)[in:]
	for x := from; x < to; x++ {
		part, column, bar := c.p.Grand(x, in), c.closed[x*c.w+s], 0.0
		for j, a := range arcs {
			y := c.closedBar[int(a)*c.w+s] * c.weight[part+j]
			bar += y * c.open[a]
			c.openBar[a] += y * column
			c.mu[part+j] += y * column * c.open[a]
		}
		c.closedBar[x*c.w+s] += bar
	}
	if a := to - 1; found {
		leaf := c.p.Leaf(a, tree.Outside)
		y := c.closedBar[a*c.w+s] * c.weight[leaf]
		c.mu[leaf] += y * c.open[a]
		c.openBar[a] += y
		c.innerBar(a, h, s)
	}
}

func (c *carrerasSum) innerBar(a, h, m int) {
	if c.openBar[a] == 0 || c.open[a] == 0 {
		return
	}
	c.mu[a] += c.openBar[a] * c.open[a]
	k, bar := c.reach(h, m), c.openBar[a]*c.weight[a]
	c.brackets(a, h, m, k)
	clear(c.headBar[:k])
	clear(c.modBar[:k])
	addScaled(c.headBar[:k], c.mod[:k], bar)
	addScaled(c.modBar[:k], c.head[:k], bar)
	first, last := c.terms(a, h, m, k, func(r, at, length, part int) {
		c.termBar(c.headBar[r:r+length], at, part)
	}, func(r, at, length, part int) {
		c.termBar(c.modBar[r:r+length], at, part)
	})
	sib := c.p.Sib(a, 0)
	c.mu[sib] += c.headBar[first] * c.weight[sib]
	if last < k {
		leaf := c.p.Leaf(a, tree.Inside)
		c.mu[leaf] += c.modBar[last] * c.weight[leaf]
	}
}

func (c *carrerasSum) termBar(bar []float64, at, part int) {
	c.mu[part] += c.weight[part] * dot(bar, c.closed[at:at+len(bar)])
	addScaled(c.closedBar[at:at+len(bar)], bar, c.weight[part])
}

func (c *carrerasSum) safe() bool { return safe(c.closed) && safe(c.open) }
