package hierarchy

import (
	"parlance/algo/engine/mcmc"
	"parlance/algo/resolve/record"
)

// The proposals.
const (
	nothing           = iota
	mergeLeft         // j becomes a child of i
	mergeEntityLeft   // j becomes a child of the root above i
	mergeLeftCollapse // the children of j become children of i
	mergeUp           // a new node with the children i and j takes the place of i
	splitRight        // j becomes a root
	collapse          // the children of i become children of its parent
	sampleAttribute   // i takes the value of one of its children
)

// move is a proposal with its nodes.
type move struct {
	what   int
	i, j   int32
	name   int
	values []record.Value // of the new node, or the one to take
}

// mostPoured is up to how many children a node is collapsed: all their edges change.
const mostPoured = 32

// propose lists the proposals for two nodes, with nothing first.
func (c *chain) propose(i, j int32) {
	f := c.f
	c.moves = append(c.moves[:0], move{what: nothing})
	ri, rj := f.root(i), f.root(j)
	if ri == rj {
		if f.parent[j] != none {
			c.moves = append(c.moves, move{what: splitRight, j: j})
		}
		if f.inner(i) && f.parent[i] != none && f.children[i] <= mostPoured {
			c.moves = append(c.moves, move{what: collapse, i: i})
		}
		if f.inner(i) && f.names > 0 {
			k := c.r.Intn(f.names)
			if v := f.value(c.child(i))[k]; v != f.value(i)[k] && v.Whole >= 0 {
				c.moves = append(c.moves, move{what: sampleAttribute, i: i, name: k, values: append(c.one[:0], v)})
			}
		}
		return
	}
	if !c.allowed(ri, rj, j) || f.depth(i)+c.height >= c.o.MaxDepth {
		return
	}
	if f.inner(i) {
		c.moves = append(c.moves, move{what: mergeLeft, i: i, j: j})
		if i != ri {
			c.moves = append(c.moves, move{what: mergeEntityLeft, i: ri, j: j})
		}
		if f.inner(j) && f.children[j] <= mostPoured {
			c.moves = append(c.moves, move{what: mergeLeftCollapse, i: i, j: j})
		}
	}
	c.moves = append(c.moves, move{what: mergeUp, i: i, j: j, values: c.joined(i, j)})
}

// child draws a child of a node.
func (c *chain) child(x int32) int32 {
	k := c.f.first[x]
	for n := c.r.Intn(int(c.f.children[x])); n > 0; n-- {
		k = c.f.next[k]
	}
	return k
}

// joined draws each value of a new node from its two children; a missing one is not drawn.
func (c *chain) joined(i, j int32) []record.Value {
	a, b := c.f.value(i), c.f.value(j)
	c.drawn = c.drawn[:0]
	for k := range a {
		v := a[k]
		if coin := c.r.Uint64()>>63 == 0; v.Whole < 0 || b[k].Whole >= 0 && coin {
			v = b[k]
		}
		c.drawn = append(c.drawn, v)
	}
	return c.drawn
}

// allowed tells whether no pair that must not be together would be: one of each tree, that of j below j.
func (c *chain) allowed(ri, rj, j int32) bool {
	for _, p := range c.cannot {
		for range 2 {
			if c.f.root(p[0]) == ri && c.f.root(p[1]) == rj && c.f.under(p[1], j) {
				return false
			}
			p[0], p[1] = p[1], p[0]
		}
	}
	return true
}

func (f *forest) under(x, top int32) bool {
	for ; x != none; x = f.parent[x] {
		if x == top {
			return true
		}
	}
	return false
}

// apply makes a move.
func (f *forest) apply(m move) {
	switch m.what {
	case mergeLeft, mergeEntityLeft:
		f.detach(m.j)
		f.link(m.j, m.i)
	case mergeLeftCollapse:
		f.detach(m.j)
		f.pour(m.j, m.i)
		f.remove(m.j)
	case mergeUp:
		f.detach(m.j)
		o := f.parent[m.i]
		if o != none {
			f.unlink(m.i)
		}
		p := f.create()
		for k, v := range m.values {
			f.set(p, k, v)
		}
		f.link(m.i, p)
		f.link(m.j, p)
		if o != none {
			f.link(p, o)
		}
	case splitRight:
		f.detach(m.j)
	case collapse:
		p := f.parent[m.i]
		f.unlink(m.i)
		f.pour(m.i, p)
		f.remove(m.i)
	case sampleAttribute:
		f.set(m.i, m.name, m.values[0])
	}
}

// pour moves all children of a root to a node.
func (f *forest) pour(from, to int32) {
	for f.first[from] != none {
		k := f.first[from]
		f.unlink(k)
		f.link(k, to)
	}
}

// detach makes a node a root; a parent that is left with one child gives its place to that.
func (f *forest) detach(c int32) {
	o := f.parent[c]
	if o == none {
		return
	}
	f.unlink(c)
	if f.children[o] > 1 {
		return
	}
	s, up := f.first[o], f.parent[o]
	f.unlink(s)
	if up != none {
		f.unlink(o)
		f.link(s, up)
	}
	f.remove(o)
}

// choose scores the moves, draws one and makes it.
func (c *chain) choose(temperature float64) {
	c.scores = c.scores[:0]
	for _, m := range c.moves {
		s := 0.0
		if m.what != nothing {
			if c.o.Exact {
				s = c.exact(m)
			} else {
				s = c.local(m)
			}
		}
		c.scores = append(c.scores, s)
	}
	k := mcmc.Choose(c.scores, temperature, c.r)
	c.trace.Proposals++
	if k > 0 {
		c.f.apply(c.moves[k])
		c.trace.Accepted++
		c.trace.Gain += c.scores[k]
	}
}
