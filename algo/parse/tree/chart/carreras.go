package chart

import (
	"parlance/algo/numeric/buffer"
	"parlance/algo/parse/tree"
)

// carreras is the chart of Carreras 2007: adjacent siblings, and of each modifier m of h its outermost
// modifiers c on the side of h (gin) and on the other side (gout), or that it has none there. For h < m,
// the left side mirrored:
//
//	O(h,m)   = dep(h,m) + max_{h≤r<m} [ max_s K(h,r,s) + sib(h,m,s) ] + [ max_c K(m,r+1,c) + gin(h,m,c) ]
//	K(h,e,m) = O(h,m) + max_c K(m,e,c) + gout(h,m,c),  K(h,h,None) = 0
//
// K stands by the arc from h to m. Spans are filled by falling left end, so that rows of K to the right
// grow by whole rows and those to the left by one column for all arcs.
type carreras struct {
	single bool
	p      *tree.Parts
	score  []float64
	n, w   int

	closed []float64 // K at arc·w+e
	open   []float64 // O by arc
	column []float64 // K of arcs to the left at the present left end
	outer  []float64 // by place among the arcs to a modifier
	head   []float64 // first bracket of O, by r
	mod    []float64 // second bracket
}

func (c *carreras) reset(p *tree.Parts, score []float64) {
	c.p, c.score, c.n, c.w = p, score, p.N, p.N+1
	arcs := p.Arcs.Len()
	c.closed = buffer.Resize(c.closed, arcs*c.w)
	c.open, c.column = buffer.Resize(c.open, arcs), buffer.Resize(c.column, arcs)
	c.outer, c.head, c.mod = buffer.Resize(c.outer, c.w), buffer.Resize(c.head, c.w), buffer.Resize(c.mod, c.w)
}

func (c *carreras) fill(p *tree.Parts, score []float64) float64 {
	c.reset(p, score)
	for s := c.n; s >= 0; s-- {
		if p.Ended() {
			return none
		}
		for a, to := p.Of(s, tree.Right); a < to; a++ {
			c.right(a, s, int(p.Mod[a]))
		}
		if s > 0 {
			c.left(s)
		}
	}
	best, _ := c.goal()
	return best
}

// goal returns the best closed span of the root with its arc.
func (c *carreras) goal() (float64, int) {
	best, at := none, -1
	for a, to := c.p.Of(0, tree.Right); a < to; a++ {
		if x := c.closed[a*c.w+c.n]; x > best {
			best, at = x, a
		}
	}
	return best, at
}

// right fills O and the row of K of an arc from s to m on its right.
func (c *carreras) right(a, s, m int) {
	_, c.open[a] = c.split(a, s, m)
	row := c.closed[a*c.w+m : (a+1)*c.w]
	fill(row, none)
	if c.open[a] == none {
		return
	}
	row[0] = c.open[a] + c.score[c.p.Leaf(a, tree.Outside)]
	j := c.p.Rank(a)
	for x, to := c.p.Of(m, tree.Right); x < to; x++ {
		t := int(c.p.Mod[x])
		raise(row[t-m:], c.closed[x*c.w+t:], c.open[a]+c.score[c.p.Grand(x, j)])
	}
}

// left fills O of the arcs to s from its right, and K at s of all arcs to the left.
func (c *carreras) left(s int) {
	for h := s + 1; h <= c.n; h++ {
		from, to, found := leftOf(c.p, h, s)
		in := c.p.In(h)
		lo := len(in)
		for lo > 0 && int(c.p.Head[in[lo-1]]) > h {
			lo--
		}
		if found {
			a := to - 1
			_, c.open[a] = c.split(a, h, s)
			x := c.open[a] + c.score[c.p.Leaf(a, tree.Outside)]
			c.column[a], c.closed[a*c.w+s] = x, x
		}
		outer := c.outer[lo:len(in)]
		fill(outer, none)
		for x := from; x < to; x++ {
			if c.column[x] > none {
				raise(outer, c.score[c.p.Grand(x, lo):], c.column[x])
			}
		}
		for j, a := range in[lo:] {
			x := c.open[a] + outer[j]
			c.column[a], c.closed[int(a)*c.w+s] = x, x
		}
	}
}

// split returns the best r of O as its distance from the left end, and O. The brackets stay in c.head
// and c.mod.
func (c *carreras) split(a, h, m int) (int, float64) {
	l, r := min(h, m), max(h, m)
	head, mod := c.head[:r-l], c.mod[:r-l]
	lone := c.single && h == 0
	if lone {
		head, mod = head[:1], mod[:1]
	}
	c.brackets(a, h, m, head, mod)
	best, at := join(head, mod)
	return at, best + c.score[a]
}

// brackets fills those of O by r.
func (c *carreras) brackets(a, h, m int, head, mod []float64) {
	p := c.p
	fill(head, none)
	fill(mod, none)
	left, side, k := a-p.Inner(a), tree.Left, p.Sib(a, 0)
	if m < h {
		side = tree.Right
	}
	sib, j := c.score[k:], p.Rank(a)
	if h < m {
		head[0] = sib[0]
		if len(head) > 1 {
			for i, b := 1, left; b < a; i, b = i+1, b+1 {
				s := int(p.Mod[b])
				raise(head[s-h:], c.closed[b*c.w+s:], sib[i])
			}
		}
	} else {
		head[h-m-1] = sib[0]
		for i, b := 1, left; b < a; i, b = i+1, b+1 {
			s := int(p.Mod[b])
			raise(head[:s-m], c.closed[b*c.w+m+1:], sib[i])
		}
	}
	if x := m - h - 1; x >= 0 && x < len(mod) {
		mod[x] = c.score[p.Leaf(a, tree.Inside)]
	} else if x < 0 {
		mod[0] = c.score[p.Leaf(a, tree.Inside)]
	}
	for x, to := p.Of(m, side); x < to; x++ {
		t := int(p.Mod[x])
		g := c.score[p.Grand(x, j)]
		if h < m {
			if t <= h {
				break
			}
			raise(mod[:min(t-h, len(mod))], c.closed[x*c.w+h+1:], g)
		} else {
			if t >= h {
				break
			}
			raise(mod[t-m:], c.closed[x*c.w+t:], g)
		}
	}
}

func (c *carreras) trace(heads []int32) {
	_, a := c.goal()
	c.traceClosed(heads, a, c.n)
}

// traceClosed writes the arcs of K of an arc up to e.
func (c *carreras) traceClosed(heads []int32, a, e int) {
	for a >= 0 {
		x := c.outermost(a, e)
		sib, in, r := c.inside(a)
		h, m := c.p.Head[a], c.p.Mod[a]
		heads[m] = h
		if m > h {
			c.traceClosed(heads, sib, r)
			c.traceClosed(heads, in, r+1)
		} else {
			c.traceClosed(heads, sib, r+1)
			c.traceClosed(heads, in, r)
		}
		a = x
	}
}

// outermost returns the arc of the outermost modifier of the modifier of an arc in K up to e, −1 for
// none.
func (c *carreras) outermost(a, e int) int {
	m, j := int(c.p.Mod[a]), c.p.Rank(a)
	if e == m {
		return -1
	}
	d := tree.Right
	if e < m {
		d = tree.Left
	}
	best, at := none, -1
	for x, to := c.p.Of(m, d); x < to; x++ {
		if t := int(c.p.Mod[x]); d == tree.Right && t > e || d == tree.Left && t < e {
			break
		}
		if y := c.closed[x*c.w+e] + c.score[c.p.Grand(x, j)]; y > best {
			best, at = y, x
		}
	}
	return at
}

// inside returns what gives O of an arc: the arcs of the sibling and of the outermost inner modifier
// of the modifier, −1 for none, and r.
func (c *carreras) inside(a int) (sib, in, r int) {
	at, _ := c.split(a, int(c.p.Head[a]), int(c.p.Mod[a]))
	return c.found(a, at)
}

// found returns the same after split has found r.
func (c *carreras) found(a, at int) (sib, in, r int) {
	h, m := int(c.p.Head[a]), int(c.p.Mod[a])
	r = min(h, m) + at
	atHead, atMod, side := r, r+1, tree.Left
	if m < h {
		atHead, atMod, side = r+1, r, tree.Right
	}
	sib, in = -1, -1
	if atHead != h {
		from := a - c.p.Inner(a)
		sib = from
		for c.closed[sib*c.w+atHead]+c.score[c.p.Sib(a, sib-from+1)] != c.head[at] || !reaches(h, int(c.p.Mod[sib]), atHead) {
			sib++
		}
	}
	if atMod != m {
		in, _ = c.p.Of(m, side)
		for c.closed[in*c.w+atMod]+c.score[c.p.Grand(in, c.p.Rank(a))] != c.mod[at] || !reaches(m, int(c.p.Mod[in]), atMod) {
			in++
		}
	}
	return sib, in, r
}

// reaches tells whether the arc from h to m ends in the span from h to e.
func reaches(h, m, e int) bool { return m == e || (m < e) == (h < e) }
