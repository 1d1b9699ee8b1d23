package tree

import (
	"math"

	"parlance/algo/numeric/buffer"
)

// Arborescence finds trees whose arcs may cross, under scores of arcs: the best one by contracting
// cycles along a growing path (Chu and Liu 1965, Edmonds 1967, in the form of Gabow et al. 1986), in
// O(n²) on full candidates; sums by the matrix-tree theorem.
//
// The component of a cycle takes the place of its first token in the matrix. An arc into it scores
// what it adds when it replaces the arc to the same token within the cycle. With a single root, arcs
// from the root are lexicographically behind all others: one is taken only where nothing else enters.
type Arborescence struct {
	single bool
	width  int
	in     []float64 // by component and head: the best arc between them, −∞ for none
	arc    []int32   // the same arc as h·(n+1)+m of tokens
	state  []uint8   // of a component in the matrix
	node   []int32   // of a component in the matrix: its number in the forest
	path   []int32   // components, each the head of the one before
	forest
	matrix
}

// forest has a node for each token and each contracted cycle.
type forest struct {
	parent []int32 // the cycle that a node is contracted into, 0 for none
	chosen []int32 // arc that enters a node
	member []int32 // nodes of cycles
	first  []int32 // members of cycle i are member[first[i]:first[i+1]]
	open   []int32
}

const (
	fresh uint8 = iota
	onPath
	attached // a path of chosen arcs leads to it from the root
	gone     // part of another component
)

// NewArborescence returns a decoder for factorization Arc; single allows one token with the head 0.
func NewArborescence(single bool) *Arborescence { return &Arborescence{single: single} }

// Best is that of Decoder.
func (c *Arborescence) Best(p *Parts, score []float64, heads []int32) (float64, bool) {
	c.load(p, score)
	for m := 1; m < c.width; m++ {
		if c.state[m] == fresh && (p.Ended() || !c.grow(m)) {
			return math.Inf(-1), false
		}
	}
	c.expand(heads)
	roots := 0
	for m := 1; m < c.width; m++ {
		if heads[m] == 0 {
			roots++
		}
	}
	if c.single && roots > 1 {
		return math.Inf(-1), false
	}
	return sum(p, score, heads), true
}

func (c *Arborescence) load(p *Parts, score []float64) {
	w := p.N + 1
	c.width = w
	c.in, c.arc = buffer.Resize(c.in, w*w), buffer.Resize(c.arc, w*w)
	c.state, c.node = buffer.Resize(c.state, w), buffer.Resize(c.node, w)
	for i := range c.in {
		c.in[i] = math.Inf(-1)
	}
	for a, h := range p.Head {
		m := int(p.Mod[a])
		c.in[m*w+int(h)], c.arc[m*w+int(h)] = score[a], h*int32(w)+int32(m)
	}
	for i := range w {
		c.state[i], c.node[i] = fresh, int32(i)
	}
	c.state[0] = attached
	f := &c.forest
	f.parent, f.chosen = buffer.Resize(f.parent, 2*w), buffer.Resize(f.chosen, 2*w)
	clear(f.parent)
	f.member, f.first = f.member[:0], append(f.first[:0], 0)
}

// grow follows best arcs from component x to its head and so on until a component that is attached,
// contracting cycles; false if nothing enters one.
func (c *Arborescence) grow(x int) bool {
	c.path = c.path[:0]
	for c.state[x] != attached {
		if c.state[x] == onPath {
			x = c.contract(x)
		}
		h := c.best(x)
		if h < 0 {
			return false
		}
		c.state[x] = onPath
		c.path = append(c.path, int32(x))
		c.chosen[c.node[x]] = c.arc[x*c.width+h]
		x = h
	}
	for _, x := range c.path {
		c.state[x] = attached
	}
	return true
}

// best returns the component from which the best arc enters x, −1 for none.
func (c *Arborescence) best(x int) int {
	row := c.in[x*c.width : (x+1)*c.width]
	at, top := -1, math.Inf(-1)
	for h, v := range row[1:] {
		if v > top {
			at, top = h+1, v
		}
	}
	if v := row[0]; v > top && (!c.single || at < 0) {
		return 0
	}
	return at
}

// contract makes the path from component x on, which is a cycle, one component.
func (c *Arborescence) contract(x int) int {
	f, w := &c.forest, c.width
	from := len(c.path) - 1
	for int(c.path[from]) != x {
		from--
	}
	cycle := c.path[from:]
	c.path = c.path[:from]
	rep := int(cycle[0])
	for _, v := range cycle {
		rep = min(rep, int(v))
	}
	number := int32(w + len(f.first) - 1)
	into := c.in[rep*w : (rep+1)*w]
	c.release(cycle, into, rep)
	for _, v := range cycle {
		f.member = append(f.member, c.node[v])
		f.parent[c.node[v]] = number
		c.merge(rep, int(v))
	}
	for _, v := range cycle {
		into[v] = math.Inf(-1)
		c.state[v] = gone
	}
	f.first = append(f.first, int32(len(f.member)))
	c.state[rep], c.node[rep] = fresh, number
	return rep
}

// release subtracts from the arcs to each component of a cycle the one within the cycle.
func (c *Arborescence) release(cycle []int32, into []float64, rep int) {
	w := c.width
	for i, v := range cycle {
		h := cycle[(i+1)%len(cycle)]
		row := c.in[int(v)*w : (int(v)+1)*w]
		inner := row[h]
		for k := range row {
			row[k] -= inner
		}
	}
}

// merge takes the arcs of component v to those of rep where they are better.
func (c *Arborescence) merge(rep, v int) {
	if v == rep {
		return
	}
	w := c.width
	row, arc := c.in[rep*w:(rep+1)*w], c.arc[rep*w:(rep+1)*w]
	from, fromArc := c.in[v*w:(v+1)*w], c.arc[v*w:(v+1)*w]
	for h, x := range from {
		if x > row[h] {
			row[h], arc[h] = x, fromArc[h]
		}
	}
	for m := w; m < w*w; m += w {
		if x := c.in[m+v]; x > c.in[m+rep] {
			c.in[m+rep], c.arc[m+rep] = x, c.arc[m+v]
		}
		c.in[m+v] = math.Inf(-1)
	}
}

// expand opens the cycles: the arc that enters one replaces that to the same token within it.
func (c *Arborescence) expand(heads []int32) {
	f, w := &c.forest, int32(c.width)
	f.open = f.open[:0]
	for x := int32(1); x < w+int32(len(f.first))-1; x++ {
		if f.parent[x] == 0 {
			f.open = append(f.open, x)
		}
	}
	for len(f.open) > 0 {
		x := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		arc := f.chosen[x]
		m := arc % w
		heads[m] = arc / w
		for below := m; below != x; below = f.parent[below] {
			cycle := f.parent[below] - w
			for _, v := range f.member[f.first[cycle]:f.first[cycle+1]] {
				if v != below {
					f.open = append(f.open, v)
				}
			}
		}
	}
}
