package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// grandSum sums the chart of grand.
type grandSum struct {
	adjoint
	places
	model         tree.Factorization
	pair, triple  []float64 // S and J, by the number of the sibling part less arcs
	tripleBar     []float64
	base, baseBar []float64 // of the present arc, by sibling
}

func (c *grandSum) inside(p *tree.Parts, weight, mu []float64) float64 {
	open := c.place(p)
	c.adjoint.reset(p, weight, mu, (p.Arcs.Len()+1)*(p.N+1), open)
	c.base, c.baseBar = buffer.Resize(c.base, c.w), buffer.Resize(c.baseBar, c.w)
	siblings := c.siblings()
	c.pair, c.triple, c.tripleBar = buffer.Resize(c.pair, siblings), buffer.Resize(c.triple, siblings),
		buffer.Resize(c.tripleBar, siblings)
	clear(c.pair)
	clear(c.triple)
	clear(c.tripleBar)
	for a, m := range p.Mod {
		c.closed[a*c.w+int(m)] = 1
	}
	c.closed[c.arcs*c.w] = 1
	for s := c.n; s >= 0 && !c.p.Ended(); s-- {
		c.right(s)
		for h := s + 1; h <= c.n && s > 0 && !c.p.Ended(); h++ {
			c.left(h, s)
		}
	}
	return c.closed[c.arcs*c.w+c.n]
}

func (c *grandSum) right(s int) {
	from, to := c.p.Of(s, tree.Right)
	for a := from; a < to && !c.p.Ended(); a++ {
		m := int(c.p.Mod[a])
		c.prepare(a, s, m)
		before, after := c.heads(s, s, m)
		for j := range c.above(s) {
			if j >= before && j < after {
				continue
			}
			at, row := c.at(s, tree.Right, j), c.row(s, j)
			x := c.attach(a, s, m, j, c.open[at:at+a-from])
			c.open[at+a-from] = x
			if end := c.bound(row, s); x != 0 {
				addScaled(c.closed[row*c.w+m:row*c.w+end], c.closed[a*c.w+m:a*c.w+end], x)
			}
		}
	}
}

func (c *grandSum) left(h, s int) {
	from, to, found := leftOf(c.p, h, s)
	last := to - 1
	if found {
		c.prepare(last, h, s)
	}
	before, after := c.heads(h, s, h)
	for j, row := range c.p.In(h) {
		if j >= before && j < after {
			continue
		}
		at := c.at(h, tree.Left, j)
		open := c.open[at : at+to-from]
		if found {
			open[last-from] = c.attach(last, h, s, j, open[:last-from])
		}
		sum := 0.0
		for i, x := range open {
			sum += x * c.closed[(from+i)*c.w+s]
		}
		c.closed[int(row)*c.w+s] = sum
	}
}

// reach returns how many siblings the modifier of an arc can have, and the place of C^h(m,h±1).
func (c *grandSum) reach(a, h, m int) (k, near int) {
	if k = c.p.Inner(a); c.single && h == 0 {
		k = 0
	}
	if h < m {
		return k, a*c.w + h + 1
	}
	return k, a*c.w + h - 1
}

// prepare fills base of an arc, and J.
func (c *grandSum) prepare(a, h, m int) {
	if c.model == tree.Model0 {
		return
	}
	k, near := c.reach(a, h, m)
	number := c.p.Sib(a, 0)
	sib, pair := c.weight[number:][:k+1], c.pair[number-c.arcs:]
	c.base[0] = c.weight[a] * sib[0] * c.closed[near]
	for i := 1; i <= k; i++ {
		pair[i] = dot(c.spans(c.closed, a, a-c.p.Inner(a)+i-1))
		c.base[i] = c.weight[a] * sib[i] * pair[i]
	}
	if c.model == tree.Model1 {
		return
	}
	triple := c.triple[number-c.arcs:]
	triple[0] = c.base[0] * c.weight[c.p.TriSib(a, 0, 0)]
	for i := 1; i <= k; i++ {
		triple[i] = c.base[i] * dot(c.third(a, i))
	}
}

// spans returns the two rows of spans whose products S of two arcs sums, the left one first.
func (c *grandSum) spans(rows []float64, a, b int) (left, right []float64) {
	if c.p.Mod[b] < c.p.Mod[a] {
		a, b = b, a
	}
	l, r := int(c.p.Mod[a]), int(c.p.Mod[b])
	return rows[a*c.w+l : a*c.w+r], rows[b*c.w+l+1 : b*c.w+r+1]
}

// third returns the weights of the tri-siblings of an arc and its k-th sibling, and J of that one.
func (c *grandSum) third(a, k int) (weight, triple []float64) {
	b := a - c.p.Inner(a) + k - 1
	return c.weight[c.p.TriSib(a, k, 0):][:k], c.triple[c.p.Sib(b, 0)-c.arcs:][:k]
}

func (c *grandSum) attach(a, h, m, j int, open []float64) float64 {
	k, _ := c.reach(a, h, m)
	sum := 0.0
	switch c.model {
	case tree.Model0:
		sum = c.weight[a] * dot(c.gap(c.closed, a, h, m, j))
	case tree.Model1:
		weight := c.weight[c.p.GrandSib(a, j, 0):][:k+1]
		sum = c.base[0] * weight[0]
		for i, x := range open[:k] {
			sum += x * c.base[i+1] * weight[i+1]
		}
	case tree.Model2:
		weight, triple := c.weight[c.p.GrandSib(a, j, 0):], c.triple[c.p.Sib(a, 0)-c.arcs:]
		sum = triple[0] * weight[0]
		for i := 1; i <= k; i++ {
			x := triple[i] * weight[i]
			if h > 0 {
				x *= c.weight[c.p.Grand(a-c.p.Inner(a)+i-1, j)]
			}
			sum += x
		}
	}
	if h > 0 {
		sum *= c.weight[c.p.Grand(a, j)]
	}
	return sum
}

// gap returns the rows of the spans of head and modifier between them, by r.
func (c *grandSum) gap(rows []float64, a, h, m, j int) (head, mod []float64) {
	row, l, r := c.row(h, j)*c.w, min(h, m), max(h, m)
	if m < h {
		return rows[row+l+1 : row+r+1], rows[a*c.w+l : a*c.w+r]
	}
	if c.single && h == 0 {
		r = 1
	}
	return rows[row+l : row+r], rows[a*c.w+l+1 : a*c.w+r+1]
}

func (c *grandSum) safe() bool {
	return safe(c.closed) && safe(c.open) && safe(c.pair) && safe(c.triple)
}
