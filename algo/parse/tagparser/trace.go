package tagparser

import "parlance/algo/numeric/buffer"

// trace reads the best derivation off a filled chart, by looking for what made each score.
func (c *chart) trace() {
	c.sizeResult()
	for k := range c.root {
		a := &c.root[k]
		for i := range a.items {
			if e := &a.items[i]; c.goal(a, e) == c.score {
				c.set(a, e, 1, a.labels[e.first], false)
				c.traceFin(int(a.mod), left, int(a.mod)-1, e.mod)
				c.traceFin(int(a.mod), right, c.n-int(a.mod), e.mod)
				return
			}
		}
	}
}

// sizeResult makes room for a derivation.
func (c *chart) sizeResult() {
	for _, list := range []*[]int32{&c.heads, &c.spine, &c.pos, &c.triple} {
		*list = buffer.Resize(*list, c.n+1)
	}
	c.regular = buffer.Resize(c.regular, c.n+1)
}

// set notes an arc.
func (c *chart) set(a *arc, e *item, pos, triple int32, regular bool) {
	m := a.mod
	c.heads[m], c.spine[m], c.pos[m], c.triple[m], c.regular[m] = a.head, e.mod, pos, triple, regular
}

// traceFin reads a half of a head with spine s.
func (c *chart) traceFin(h, side, d int, s int32) {
	if d == 0 {
		return
	}
	x, t := c.half(h, side, d), &c.tokens[h]
	for p := t.from[s]; p < t.from[s+1]; p++ {
		for f := range 2 {
			if x.state[f][p] == x.fin[s] {
				c.traceState(h, side, d, p, f)
				return
			}
		}
	}
}

// traceState reads a half whose last modifier is at position p.
func (c *chart) traceState(h, side, d int, p int32, f int) {
	want := c.half(h, side, d).state[f][p]
	for k := range c.of(h, side) {
		a := &c.of(h, side)[k]
		n := a.length()
		if n > d {
			return
		}
		y := c.half(int(a.mod), side, d-n)
		if !y.any {
			continue
		}
		for i := range a.items {
			e := &a.items[i]
			if e.pos == p && e.whole[f]+y.fin[e.mod] == want {
				c.traceItem(a, e, f)
				c.traceFin(int(a.mod), side, d-n, e.mod)
				return
			}
		}
	}
}

// traceItem reads an arc with what lies between its tokens.
func (c *chart) traceItem(a *arc, e *item, f int) {
	copied, regular := 0, false
	if f == 1 {
		switch top := max(e.sisterCopy, e.regular); {
		case e.inner[1]+top == e.whole[1]:
			copied, regular = 1, e.regular == top
		default:
			regular = true
		}
	}
	label := e.first
	if copied == 1 || regular {
		label = e.copies
	}
	t := &c.tokens[a.head]
	c.set(a, e, e.pos-t.from[t.owner[e.pos]]+1, a.labels[label], regular)
	side, towards, _ := a.sides()
	n, h := a.length(), int(a.head)
	for d := range n {
		x, y := c.half(h, side, d), c.half(int(a.mod), towards, n-1-d)
		if !x.any || !y.any {
			continue
		}
		before := x.before
		if copied == 1 {
			before = x.state[1]
		}
		if before[e.pos]+y.fin[e.mod] != e.inner[copied] {
			continue
		}
		c.traceFin(int(a.mod), towards, n-1-d, e.mod)
		if d > 0 {
			c.traceBefore(h, side, d, e.pos, copied)
		}
		return
	}
}

// traceBefore reads the half of a head before a modifier at position p.
func (c *chart) traceBefore(h, side, d int, p int32, copied int) {
	x, t := c.half(h, side, d), &c.tokens[h]
	if copied == 1 {
		c.traceState(h, side, d, p, 1)
		return
	}
	if x.state[0][p] == x.before[p] {
		c.traceState(h, side, d, p, 0)
		return
	}
	for q := t.from[t.owner[p]]; q < p; q++ {
		for f := range 2 {
			if x.state[f][q] == x.before[p] {
				c.traceState(h, side, d, q, f)
				return
			}
		}
	}
}
