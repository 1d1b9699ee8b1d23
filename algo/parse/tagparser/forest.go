package tagparser

import (
	"parlance/algo/engine/hypergraph"
	"parlance/algo/numeric/buffer"
)

// forest is the derivations of a chart as a hypergraph, which has the k best, sums and draws. The labels of edges that
// make an arc number it in made; others have −1.
type forest struct {
	g    hypergraph.Graph
	c    *chart
	made []attachment
	rows []nodes
}

// attachment is an arc that an edge makes.
type attachment struct {
	head, mod, spine, pos, triple int32
	regular                       bool
}

// nodes are those of a half, as the scores of half are.
type nodes struct {
	state  [2][]int32
	before []int32
	fin    []int32
}

func (f *forest) half(h, side, d int) *nodes { return &f.rows[(2*h+side)*(f.c.n+1)+d] }

// build makes the hypergraph of a chart whose arcs have scores, multiplied by scale, and returns its last node.
func (f *forest) build(c *chart, scale float64) int32 {
	f.c, f.made = c, f.made[:0]
	f.g.Reset(c.ended)
	f.rows = buffer.Resize(f.rows, 2*(c.n+1)*(c.n+1))
	items := make([][][2]int32, len(c.arcs))
	for h := 1; h <= c.n; h++ {
		f.empty(h)
	}
	for w := 1; w < c.n; w++ {
		for i := 1; i+w <= c.n; i++ {
			for _, at := range [2][2]int{{i, i + w}, {i + w, i}} {
				if k := c.find[at[0]*(c.n+1)+at[1]]; k != 0 {
					items[k-1] = f.inner(&c.arcs[k-1], scale)
				}
			}
			f.outer(i, right, w, items)
			f.outer(i+w, left, w, items)
		}
	}
	for k := range c.root {
		a := &c.root[k]
		m := int(a.mod)
		for i := range a.items {
			e := &a.items[i]
			x, y := f.half(m, left, m-1).fin[e.mod], f.half(m, right, c.n-m).fin[e.mod]
			if x != hypergraph.Impossible && y != hypergraph.Impossible && e.sister > none {
				f.g.Add(x, y, scale*e.sister, f.note(a, e, 1, a.labels[e.first], false))
			}
		}
	}
	return f.g.Node()
}

// note numbers an attachment.
func (f *forest) note(a *arc, e *item, pos, triple int32, regular bool) int32 {
	f.made = append(f.made, attachment{a.head, a.mod, e.mod, pos, triple, regular})
	return int32(len(f.made) - 1)
}

func filled(n int, x int32) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// empty are the halves of a head without modifiers.
func (f *forest) empty(h int) {
	t := &f.c.tokens[h]
	for side := range 2 {
		x := f.half(h, side, 0)
		x.state = [2][]int32{filled(len(t.owner), hypergraph.Impossible), filled(len(t.owner), hypergraph.Impossible)}
		x.before, x.fin = filled(len(t.owner), hypergraph.Empty), filled(len(t.spines), hypergraph.Empty)
	}
}

// inner makes the nodes of an arc's items, by f.
func (f *forest) inner(a *arc, scale float64) [][2]int32 {
	c := f.c
	side, towards, _ := a.sides()
	n, h, m := a.length(), int(a.head), int(a.mod)
	out := make([][2]int32, len(a.items))
	t := &c.tokens[h]
	for i := range a.items {
		e := &a.items[i]
		var split [2]int32
		for copied := range 2 {
			for d := range n {
				x, y := f.half(h, side, d), f.half(m, towards, n-1-d).fin[e.mod]
				from := x.before[e.pos]
				if copied == 1 {
					from = x.state[1][e.pos]
				}
				f.g.Add(from, y, 0, -1)
			}
			split[copied] = f.g.Node()
		}
		pos := e.pos - t.from[t.owner[e.pos]] + 1
		add := func(from int32, weight float64, label int32, regular bool) {
			if from != hypergraph.Impossible && weight > none {
				f.g.Add(from, hypergraph.Empty, scale*weight, f.note(a, e, pos, a.labels[label], regular))
			}
		}
		add(split[0], e.sister, e.first, false)
		out[i][0] = f.g.Node()
		add(split[1], e.sisterCopy, e.copies, false)
		add(split[1], e.regular, e.copies, true)
		add(split[0], e.regular, e.copies, true)
		out[i][1] = f.g.Node()
	}
	return out
}

// outer makes the nodes of a half.
func (f *forest) outer(h, side, d int, items [][][2]int32) {
	c := f.c
	t, x := &c.tokens[h], f.half(h, side, d)
	size := len(t.owner)
	x.state = [2][]int32{make([]int32, size), make([]int32, size)}
	x.before, x.fin = make([]int32, size), make([]int32, len(t.spines))
	ways := make([][][2]int32, 2*size) // tails of the edges of a state
	for k, to := c.first[2*h+side], c.first[2*h+side+1]; k < to && c.arcs[k].length() <= d; k++ {
		a := &c.arcs[k]
		fin := f.half(int(a.mod), side, d-a.length()).fin
		for i := range a.items {
			e := &a.items[i]
			for copied, v := range items[k][i] {
				if at := 2*e.pos + int32(copied); v != hypergraph.Impossible && fin[e.mod] != hypergraph.Impossible {
					ways[at] = append(ways[at], [2]int32{v, fin[e.mod]})
				}
			}
		}
	}
	for at, list := range ways {
		for _, tail := range list {
			f.g.Add(tail[0], tail[1], 0, -1)
		}
		x.state[at&1][at/2] = f.g.Node()
	}
	f.finish(t, x)
}
