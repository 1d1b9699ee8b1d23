package hierarchy

import "parlance/algo/resolve/record"

// exact is the change of the score by a move: both trees are scored before and after it.
func (c *chain) exact(m move) float64 {
	f := c.f
	nodes := c.probes(m)
	before := c.trees(nodes)
	f.begin()
	f.apply(m)
	after := c.trees(nodes)
	f.back()
	return after - before
}

// probes are leaves of all trees that there are before and after a move.
func (c *chain) probes(m move) (out []int32) {
	f := c.f
	if m.what != splitRight {
		out = append(out, f.someLeaf(m.i))
	}
	if m.what == collapse || m.what == sampleAttribute {
		return out
	}
	out = append(out, f.someLeaf(m.j))
	if o := f.parent[m.j]; o != none {
		s := f.first[o]
		if s == m.j {
			s = f.next[s]
		}
		out = append(out, f.someLeaf(s))
	}
	return out
}

func (f *forest) someLeaf(x int32) int32 {
	for f.first[x] != none {
		x = f.first[x]
	}
	return x
}

// trees is the score of the trees of some leaves, each tree once.
func (c *chain) trees(leaves []int32) float64 {
	sum := 0.0
	for k, x := range leaves {
		root, twice := c.f.root(x), false
		for _, y := range leaves[:k] {
			twice = twice || c.f.root(y) == root
		}
		if !twice {
			sum += c.m.tree(c.f, root)
			c.trace.Factors += int64(c.f.mentions[root])
		}
	}
	return sum
}

// numbers are products by bag.
type numbers [maxBags]int64

func (f *forest) product(x, y int32) (out numbers) {
	f.dots(x, y, out[:f.bags])
	return out
}

func (f *forest) own(x int32) (out numbers) {
	copy(out[:], f.square(x))
	return out
}

// plus is a + k·b.
func (a numbers) plus(k int64, b numbers) numbers {
	for i := range a {
		a[i] += k * b[i]
	}
	return a
}

// pw is the factor of a child and a parent by their values and products.
func (c *chain) pw(a, b []record.Value, cc, cp, pp numbers) float64 {
	n := c.f.bags
	c.trace.Factors++
	return c.m.nameSum(a, b) + c.m.bagSum(cc[:n], cp[:n], pp[:n])
}

// present is the factor of an edge as it is.
func (c *chain) present(x int32) float64 {
	c.trace.Factors++
	return c.m.edge(c.f, x)
}

// local is the change of the score by a move, as far as the edges go that come or go; other edges to nodes whose bags
// change are left as they are.
func (c *chain) local(m move) float64 {
	switch m.what {
	case mergeLeft, mergeEntityLeft:
		return c.leave(m.j, false) + c.enter(m.j, m.i)
	case mergeLeftCollapse:
		return c.leave(m.j, false) + c.pourInto(m.j, m.i)
	case mergeUp:
		return c.leave(m.j, false) + c.up(m)
	case splitRight:
		return c.leave(m.j, true)
	case collapse:
		return c.lift(m.i)
	}
	return c.revalue(m)
}

// leave is what it changes that a node has its parent no longer, and then is a root or below some other node.
func (c *chain) leave(x int32, root bool) float64 {
	f, m := c.f, c.m
	o := f.parent[x]
	d := m.cost(f.inner(x), root) - m.cost(f.inner(x), o == none)
	if o == none {
		return d
	}
	d -= c.present(x)
	if n := f.children[o]; n > 2 {
		return d + m.prior(n-1) - m.prior(n)
	}
	return d + c.splice(o, x)
}

// splice is what it changes that the other child of a node with two takes its place.
func (c *chain) splice(o, gone int32) float64 {
	f, m := c.f, c.m
	s, up := f.first[o], f.parent[o]
	if s == gone {
		s = f.next[s]
	}
	d := -m.cost(true, up == none) - m.prior(2) - c.present(s)
	if up == none {
		return d + m.cost(f.inner(s), true) - m.cost(f.inner(s), false)
	}
	d -= c.present(o)
	// above is without the node that left
	cp := f.product(s, up).plus(-1, f.product(s, gone))
	pp := f.own(up).plus(-2, f.product(gone, up)).plus(1, f.own(gone))
	return d + c.pw(f.value(s), f.value(up), f.own(s), cp, pp)
}

// enter is what it changes that a node becomes the child of another.
func (c *chain) enter(x, p int32) float64 {
	f, m := c.f, c.m
	xx, xp := f.own(x), f.product(x, p)
	pp := f.own(p).plus(2, xp).plus(1, xx)
	n := f.children[p]
	return c.pw(f.value(x), f.value(p), xx, xp.plus(1, xx), pp) + m.prior(n+1) - m.prior(n)
}

// pourInto is what it changes that the children of a node become those of another, and the node goes.
func (c *chain) pourInto(x, p int32) float64 {
	f, m := c.f, c.m
	d := -m.cost(true, false) - m.prior(f.children[x])
	pp := f.own(p).plus(2, f.product(x, p)).plus(1, f.own(x))
	for k := f.first[x]; k != none; k = f.next[k] {
		d -= c.present(k)
		cp := f.product(k, p).plus(1, f.product(k, x))
		d += c.pw(f.value(k), f.value(p), f.own(k), cp, pp)
	}
	n := f.children[p]
	return d + m.prior(n+f.children[x]) - m.prior(n)
}

// up is what it changes that a new node with two children takes the place of the first.
func (c *chain) up(mv move) float64 {
	f, m := c.f, c.m
	i, j := mv.i, mv.j
	o := f.parent[i]
	ii, jj, ij := f.own(i), f.own(j), f.product(i, j)
	nn := ii.plus(2, ij).plus(1, jj)
	d := m.cost(f.inner(i), false) - m.cost(f.inner(i), o == none) + m.cost(true, o == none) + m.prior(2)
	d += c.pw(f.value(i), mv.values, ii, ii.plus(1, ij), nn)
	d += c.pw(f.value(j), mv.values, jj, jj.plus(1, ij), nn)
	if o == none {
		return d
	}
	io, jo := f.product(i, o), f.product(j, o)
	d -= c.present(i)
	// (i + j)·(o + j), (o + j)·(o + j)
	cp := io.plus(1, jo).plus(1, ij).plus(1, jj)
	pp := f.own(o).plus(2, jo).plus(1, jj)
	return d + c.pw(mv.values, f.value(o), nn, cp, pp)
}

// lift is what it changes that the children of a node become those of its parent, and the node goes.
func (c *chain) lift(x int32) float64 {
	f, m := c.f, c.m
	p := f.parent[x]
	d := -c.present(x) - m.cost(true, false) - m.prior(f.children[x])
	for k := f.first[x]; k != none; k = f.next[k] {
		d += c.pw(f.value(k), f.value(p), f.own(k), f.product(k, p), f.own(p)) - c.present(k)
	}
	n := f.children[p]
	return d + m.prior(n-1+f.children[x]) - m.prior(n)
}

// revalue is what it changes that a node has another value.
func (c *chain) revalue(mv move) float64 {
	f := c.f
	w, old := c.m.names[mv.name], f.value(mv.i)[mv.name]
	d := 0.0
	for k := f.first[mv.i]; k != none; k = f.next[k] {
		v := f.value(k)[mv.name]
		d += name(w, v, mv.values[0]) - name(w, v, old)
		c.trace.Factors++
	}
	if p := f.parent[mv.i]; p != none {
		v := f.value(p)[mv.name]
		d += name(w, mv.values[0], v) - name(w, old, v)
	}
	return d
}
