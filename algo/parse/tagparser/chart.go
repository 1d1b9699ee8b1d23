package tagparser

import (
	"math"

	"parlance/algo/numeric/buffer"
)

var none = math.Inf(-1)

// Sides of a head.
const (
	left  = 0
	right = 1
)

// item is an entry of an arc with its scores.
//
//	inner[L]  max over the split of the head's half so far, in which L tells whether a copy was made at the position,
//	          and the modifier's half towards the head
//	whole[f]  the arc besides; f tells whether a copy is made at the position now
//	whole[0] = inner[0] + sister
//	whole[1] = max(inner[1] + max(sisterCopy, regular), inner[0] + regular)
type item struct {
	entry
	sister     float64 // score where the modifier becomes a child of the first of the phrases at the position
	sisterCopy float64 // where it becomes one of a copy
	regular    float64 // where a copy is made
	inner      [2]float64
	whole      [2]float64
}

// arc is what is left of an arc.
type arc struct {
	head, mod int32
	labels    []int32   // triples of its pair of tags
	score     []float64 // of labels: at 2k by a sister adjunction, at 2k+1 by a regular one; −∞ where pruned
	items     []item
}

// token is the spines that a token may have.
type token struct {
	spines []int32
	score  []float64 // of each spine
	from   []int32   // positions of spine s are from[s] to from[s+1]
	owner  []int32   // spine of a position
}

// chart finds the best derivation over spines and arcs that a pruner leaves, exactly (Eisner 2000; Carreras, Collins
// and Koo 2008, section 4, first order).
//
// Each half of a head reaches to some distance, of a side. Rows of a half hold, by position of the head's spines, the
// scores of states: position p was used last, and f tells whether a copy was made there; fin holds, by spine, the best
// of them. A modifier at p comes after states of lower positions, or of p.
type chart struct {
	n      int
	tokens []token // from 1
	arcs   []arc   // by head, side, distance
	first  []int32 // arcs of head h on a side are first[2h+side] to first[2h+side+1], the closest first
	find   []int32 // 1 + arc at h·(n+1)+m
	root   []arc   // from the root

	halves []half
	score  float64
	ended  func() bool

	// The best derivation, by token.
	heads   []int32
	spine   []int32 // place in the token's spines
	pos     []int32 // position in the head's spine, from 1
	triple  []int32
	regular []bool
}

// half is the part of a head's phrase on one side up to some distance.
type half struct {
	state  [2][]float64 // by position, f
	before []float64    // by position: the best state after which a modifier at it comes without a copy made
	fin    []float64    // by spine
	any    bool
}

func (c *chart) half(h, side, distance int) *half {
	return &c.halves[(2*h+side)*(c.n+1)+distance]
}

// of returns the arcs of a head on a side.
func (c *chart) of(h, side int) []arc { return c.arcs[c.first[2*h+side]:c.first[2*h+side+1]] }

// fill fills the chart and returns the score of the best derivation, −∞ if there is none.
func (c *chart) fill() float64 {
	c.size()
	for w := 1; w < c.n; w++ {
		if c.ended() {
			return none
		}
		for i := 1; i+w <= c.n; i++ {
			for _, at := range [2][2]int{{i, i + w}, {i + w, i}} {
				if k := c.find[at[0]*(c.n+1)+at[1]]; k != 0 {
					c.inner(&c.arcs[k-1])
				}
			}
			c.outer(i, right, w)
			c.outer(i+w, left, w)
		}
	}
	c.score = none
	for k := range c.root {
		a := &c.root[k]
		for i := range a.items {
			c.score = max(c.score, c.goal(a, &a.items[i]))
		}
	}
	return c.score
}

// goal is the score of a derivation with the token of an arc under the root.
func (c *chart) goal(a *arc, x *item) float64 {
	m := int(a.mod)
	return c.half(m, left, m-1).fin[x.mod] + c.half(m, right, c.n-m).fin[x.mod] + x.sister
}

// size makes empty rows for the sentence.
func (c *chart) size() {
	c.halves = buffer.Resize(c.halves, 2*(c.n+1)*(c.n+1))
	for h := 1; h <= c.n; h++ {
		t := &c.tokens[h]
		for side, reach := range [2]int{h - 1, c.n - h} {
			for d := 0; d <= reach; d++ {
				x := c.half(h, side, d)
				x.any = d == 0
				for _, row := range []*[]float64{&x.state[0], &x.state[1], &x.before} {
					*row = blank(*row, len(t.owner))
				}
				x.fin = blank(x.fin, len(t.spines))
				if d > 0 {
					continue
				}
				for s := range t.spines { // no modifier yet
					x.fin[s] = 0
					for p := t.from[s]; p < t.from[s+1]; p++ {
						x.before[p] = 0
					}
				}
			}
		}
	}
}

func blank(row []float64, n int) []float64 {
	row = buffer.Resize(row, n)
	for i := range row {
		row[i] = none
	}
	return row
}

// sides are the side of an arc's head that its modifier is on, and that of the modifier towards the head, away from it.
func (a *arc) sides() (of, towards, away int) {
	if a.mod > a.head {
		return right, left, right
	}
	return left, right, left
}

// length is the distance of an arc.
func (a *arc) length() int {
	if a.mod > a.head {
		return int(a.mod - a.head)
	}
	return int(a.head - a.mod)
}

// inner joins the head's half so far and the modifier's half towards it, over all splits.
func (c *chart) inner(a *arc) {
	side, towards, _ := a.sides()
	n := a.length()
	for i := range a.items {
		a.items[i].inner = [2]float64{none, none}
	}
	for d := range n {
		x, y := c.half(int(a.head), side, d), c.half(int(a.mod), towards, n-1-d)
		if !x.any || !y.any {
			continue
		}
		before, copied, fin := x.before, x.state[1], y.fin
		for i := range a.items {
			e := &a.items[i]
			f := fin[e.mod]
			if v := before[e.pos] + f; v > e.inner[0] {
				e.inner[0] = v
			}
			if v := copied[e.pos] + f; v > e.inner[1] {
				e.inner[1] = v
			}
		}
	}
	for i := range a.items {
		e := &a.items[i]
		e.whole[0] = e.inner[0] + e.sister
		e.whole[1] = max(e.inner[1]+max(e.sisterCopy, e.regular), e.inner[0]+e.regular)
	}
}

// outer makes a half of a head: each of its modifiers may be the last, whose half away from the head ends it.
func (c *chart) outer(h, side, d int) {
	x := c.half(h, side, d)
	for k := range c.of(h, side) {
		a := &c.of(h, side)[k]
		n := a.length()
		if n > d {
			break
		}
		y := c.half(int(a.mod), side, d-n)
		if !y.any {
			continue
		}
		for i := range a.items {
			e := &a.items[i]
			f := y.fin[e.mod]
			if v := e.whole[0] + f; v > x.state[0][e.pos] {
				x.state[0][e.pos] = v
			}
			if v := e.whole[1] + f; v > x.state[1][e.pos] {
				x.state[1][e.pos] = v
			}
		}
	}
	t := &c.tokens[h]
	for s := range t.spines {
		best := none // over the states of lower positions
		for p := t.from[s]; p < t.from[s+1]; p++ {
			x.before[p] = max(best, x.state[0][p])
			best = max(best, x.state[0][p], x.state[1][p])
		}
		x.fin[s] = best
		x.any = x.any || best > none
	}
}
