package chart

import "parlance/algo/parse/tree"

// outside runs inside backwards.
func (c *grandSum) outside(z float64) {
	c.closedBar[c.arcs*c.w+c.n] = 1 / z
	for s := 0; s <= c.n && !c.p.Ended(); s++ {
		for h := c.n; h > s && s > 0 && !c.p.Ended(); h-- {
			c.leftBar(h, s)
		}
		c.rightBar(s)
	}
}

func (c *grandSum) rightBar(s int) {
	from, to := c.p.Of(s, tree.Right)
	for a := to - 1; a >= from && !c.p.Ended(); a-- {
		m := int(c.p.Mod[a])
		c.rebase(a, s, m)
		before, after := c.heads(s, s, m)
		for j := range c.above(s) {
			if j >= before && j < after {
				continue
			}
			at, row := c.at(s, tree.Right, j)+a-from, c.row(s, j)
			end := c.bound(row, s)
			bar, x := c.closedBar[row*c.w+m:row*c.w+end], c.closed[a*c.w+m:a*c.w+end]
			c.openBar[at] += dot(bar, x)
			if c.open[at] != 0 {
				addScaled(c.closedBar[a*c.w+m:a*c.w+end], bar, c.open[at])
				c.attachBar(a, s, m, j, at, from)
			}
		}
		c.prepareBar(a, s, m)
	}
}

func (c *grandSum) leftBar(h, s int) {
	from, to, found := leftOf(c.p, h, s)
	last := to - 1
	if found {
		c.rebase(last, h, s)
	}
	before, after := c.heads(h, s, h)
	for j, row := range c.p.In(h) {
		if j >= before && j < after {
			continue
		}
		at, bar := c.at(h, tree.Left, j), c.closedBar[int(row)*c.w+s]
		for i := range to - from {
			c.openBar[at+i] += bar * c.closed[(from+i)*c.w+s]
			c.closedBar[(from+i)*c.w+s] += bar * c.open[at+i]
		}
		if found {
			c.attachBar(last, h, s, j, at+last-from, from)
		}
	}
	if found {
		c.prepareBar(last, h, s)
	}
}

// rebase fills base of an arc again.
func (c *grandSum) rebase(a, h, m int) {
	if c.model == tree.Model0 {
		return
	}
	k, near := c.reach(a, h, m)
	number := c.p.Sib(a, 0)
	c.base[0] = c.weight[a] * c.weight[number] * c.closed[near]
	for i := 1; i <= k; i++ {
		c.base[i] = c.weight[a] * c.weight[number+i] * c.pair[number-c.arcs+i]
	}
	clear(c.baseBar[:k+1])
}

// attachBar is attach backwards; at is the place of I.
func (c *grandSum) attachBar(a, h, m, j, at, from int) {
	bar := c.openBar[at]
	if bar == 0 || c.open[at] == 0 {
		return
	}
	k, _ := c.reach(a, h, m)
	if h > 0 {
		part := c.p.Grand(a, j)
		c.mu[part] += bar * c.open[at]
		bar *= c.weight[part]
	}
	switch c.model {
	case tree.Model0:
		head, mod := c.gap(c.closed, a, h, m, j)
		headBar, modBar := c.gap(c.closedBar, a, h, m, j)
		bar *= c.weight[a]
		c.mu[a] += bar * dot(head, mod)
		addScaled(headBar, mod, bar)
		addScaled(modBar, head, bar)
	case tree.Model1:
		part := c.p.GrandSib(a, j, 0)
		weight, mu := c.weight[part:][:k+1], c.mu[part:][:k+1]
		mu[0] += bar * c.base[0] * weight[0]
		c.baseBar[0] += bar * weight[0]
		open, openBar := c.open[at-(a-from):], c.openBar[at-(a-from):]
		for i := 1; i <= k; i++ {
			x := bar * weight[i]
			mu[i] += x * open[i-1] * c.base[i]
			c.baseBar[i] += x * open[i-1]
			openBar[i-1] += x * c.base[i]
		}
	case tree.Model2:
		c.pairBar(a, h, j, k, bar)
	}
}

// pairBar is the part of attachBar for Model 2.
func (c *grandSum) pairBar(a, h, j, k int, bar float64) {
	part, number := c.p.GrandSib(a, j, 0), c.p.Sib(a, 0)-c.arcs
	for i := 0; i <= k; i++ {
		x := bar * c.weight[part+i]
		if i > 0 && h > 0 {
			grand := c.p.Grand(a-c.p.Inner(a)+i-1, j)
			x *= c.weight[grand]
			c.mu[grand] += x * c.triple[number+i]
		}
		c.mu[part+i] += x * c.triple[number+i]
		c.tripleBar[number+i] += x
	}
}

// prepareBar is prepare backwards.
func (c *grandSum) prepareBar(a, h, m int) {
	if c.model == tree.Model0 {
		return
	}
	k, near := c.reach(a, h, m)
	number := c.p.Sib(a, 0)
	if c.model == tree.Model2 {
		c.tripleBars(a, k)
	}
	for i := 0; i <= k; i++ {
		bar := c.baseBar[i]
		if bar == 0 {
			continue
		}
		c.mu[a] += bar * c.base[i]
		c.mu[number+i] += bar * c.base[i]
		bar *= c.weight[a] * c.weight[number+i]
		if i == 0 {
			c.closedBar[near] += bar
			continue
		}
		b := a - c.p.Inner(a) + i - 1
		l, r := c.spans(c.closed, a, b)
		lBar, rBar := c.spans(c.closedBar, a, b)
		addScaled(lBar, r, bar)
		addScaled(rBar, l, bar)
	}
}

// tripleBars passes on what J of an arc got.
func (c *grandSum) tripleBars(a, k int) {
	number := c.p.Sib(a, 0) - c.arcs
	first := c.p.TriSib(a, 0, 0)
	c.mu[first] += c.tripleBar[number] * c.triple[number]
	c.baseBar[0] += c.tripleBar[number] * c.weight[first]
	for i := 1; i <= k; i++ {
		bar := c.tripleBar[number+i]
		if bar == 0 {
			continue
		}
		weight, triple := c.third(a, i)
		c.baseBar[i] += bar * dot(weight, triple)
		bar *= c.base[i]
		part, other := c.p.TriSib(a, i, 0), c.p.Sib(a-c.p.Inner(a)+i-1, 0)-c.arcs
		for l := range i {
			x := bar * weight[l]
			c.mu[part+l] += x * triple[l]
			c.tripleBar[other+l] += x
		}
	}
}
