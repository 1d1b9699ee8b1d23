package tagparser

import "parlance/algo/engine/hypergraph"

// wholeNodes are the nodes of an item by operation.
type wholeNodes [3]int32

// secondForest is the derivations of a chart of second order as a hypergraph. It has a node for every row of it, those
// of joined and closed too.
type secondForest struct {
	*forest
	s     *second
	cells []nodes
	items [][]wholeNodes
}

// buildSecond makes the hypergraph of a chart whose arcs have scores, multiplied by scale, and returns its last node,
// Impossible if the work was ended.
func (f *forest) buildSecond(s *second, scale float64) int32 {
	f.c, f.made = s.chart, f.made[:0]
	f.g.Reset(s.ended)
	s.sizes()
	x := &secondForest{f, s, make([]nodes, len(s.cells)), make([][]wholeNodes, len(s.arcs))}
	for w := 1; w < s.n && !s.ended(); w++ {
		for i := 1; i+w <= s.n; i++ {
			for _, at := range [2][2]int{{i, i + w}, {i + w, i}} {
				if k := s.find[at[0]*(s.n+1)+at[1]]; k != 0 {
					x.inner(k-1, scale)
				}
			}
			x.outer(i, right, w, scale)
			x.outer(i+w, left, w, scale)
		}
	}
	if s.ended() { // nodes are missing
		return hypergraph.Impossible
	}
	type end struct {
		a, b   int32
		weight float64
		label  int32
	}
	var ends []end
	for k := range s.root {
		a, l := &s.root[k], &s.roots[k]
		m := int(a.mod)
		for i := range a.items {
			e := &a.items[i]
			label := 2 * e.first
			if e.sister == none {
				continue
			}
			ends = append(ends, end{x.close(m, left, m-1, e.mod, l, towards, label, scale),
				x.close(m, right, s.n-m, e.mod, l, away, label, scale), scale * (e.sister + l.sibOf(label, 0)),
				f.note(a, e, 1, a.labels[e.first], false)})
		}
	}
	for _, e := range ends {
		f.g.Add(e.a, e.b, e.weight, e.label)
	}
	return f.g.Node()
}

func (f *secondForest) cell(k int32, d int) *nodes {
	return &f.cells[int(f.s.base[k])+d-f.s.arcs[k].length()]
}

// close makes the node of closed of one spine.
func (f *secondForest) close(m, side, d int, spine int32, l *links, half int, label int32, scale float64) int32 {
	if d == 0 {
		f.g.Add(hypergraph.Empty, hypergraph.Empty, scale*l.grandOf(half, label, 0), -1)
		return f.g.Node()
	}
	from := f.s.first[2*m+side]
	for k := from; k < f.s.first[2*m+side+1] && f.s.arcs[k].length() <= d; k++ {
		f.g.Add(f.cell(k, d).fin[spine], hypergraph.Empty, scale*l.grandOf(half, label, int(k-from)+1), -1)
	}
	return f.g.Node()
}

// join makes the node of joined of one position.
func (f *secondForest) join(h, side, d int, p int32, copied int, l *links, label int32, scale float64) int32 {
	if d == 0 {
		if copied == 0 {
			f.g.Add(hypergraph.Empty, hypergraph.Empty, scale*l.sibOf(label, 0), -1)
		}
		return f.g.Node()
	}
	from := f.s.first[2*h+side]
	for k := from; k < f.s.first[2*h+side+1] && f.s.arcs[k].length() <= d; k++ {
		row := f.cell(k, d).before
		if copied == 1 {
			row = f.cell(k, d).state[1]
		}
		f.g.Add(row[p], hypergraph.Empty, scale*l.sibOf(label, int(k-from)+1), -1)
	}
	return f.g.Node()
}

// grid has nodes by label with operation and place, made when they are first asked for.
type grid struct {
	width int32
	nodes []int32
	make  func(label, place int32) int32
}

const unmade = -2

func newGrid(labels, width int, make func(label, place int32) int32) *grid {
	return &grid{int32(width), filled(labels*width, unmade), make}
}

func (g *grid) at(label, place int32) int32 {
	v := &g.nodes[label*g.width+place]
	if *v == unmade {
		*v = g.make(label, place)
	}
	return *v
}

// inner makes the nodes of an arc's items.
func (f *secondForest) inner(k int32, scale float64) {
	s := f.s
	a, l := &s.arcs[k], &s.links[k]
	side, to, _ := a.sides()
	n, h, m := a.length(), int(a.head), int(a.mod)
	np, ns := len(s.tokens[h].owner), len(s.tokens[m].spines)
	ways := make([][3][][2]int32, len(a.items))
	for d := range n {
		closed := newGrid(2*len(a.labels), ns, func(label, t int32) int32 {
			return f.close(m, to, n-1-d, t, l, towards, label, scale)
		})
		var joined [2]*grid
		for copied := range 2 {
			joined[copied] = newGrid(2*len(a.labels), np, func(label, p int32) int32 {
				return f.join(h, side, d, p, copied, l, label, scale)
			})
		}
		for i := range a.items {
			e := &a.items[i]
			for o, score := range [3]float64{e.sister, e.sisterCopy, e.regular} {
				for copied := range 2 { // a new copy may follow one, or none
					if score > none && (o == 2 || copied == o) {
						x, y := joined[copied].at(e.operation(o), e.pos), closed.at(e.operation(o), e.mod)
						ways[i][o] = append(ways[i][o], [2]int32{x, y})
					}
				}
			}
		}
	}
	f.wholes(k, ways, scale)
}

// wholes makes the nodes of items with their arc of the pairs of nodes that lie between.
func (f *secondForest) wholes(k int32, ways [][3][][2]int32, scale float64) {
	a := &f.s.arcs[k]
	t := &f.s.tokens[a.head]
	f.items[k] = make([]wholeNodes, len(a.items))
	for i := range a.items {
		e := &a.items[i]
		for o, score := range [3]float64{e.sister, e.sisterCopy, e.regular} {
			for _, w := range ways[i][o] {
				f.g.Add(w[0], w[1], 0, -1)
			}
			v := f.g.Node()
			if v != hypergraph.Impossible {
				pos := e.pos - t.from[t.owner[e.pos]] + 1
				f.g.Add(v, hypergraph.Empty, scale*score, f.note(a, e, pos, a.labels[e.operation(o)/2], o == 2))
				v = f.g.Node()
			}
			f.items[k][i][o] = v
		}
	}
}

// outer makes the nodes of the halves of a head up to a distance, by the outermost modifier.
func (f *secondForest) outer(h, side, d int, scale float64) {
	s := f.s
	t := &s.tokens[h]
	size := len(t.owner)
	for k := s.first[2*h+side]; k < s.first[2*h+side+1] && s.arcs[k].length() <= d; k++ {
		a, l := &s.arcs[k], &s.links[k]
		m := int(a.mod)
		closed := newGrid(2*len(a.labels), len(s.tokens[m].spines), func(label, spine int32) int32 {
			return f.close(m, side, d-a.length(), spine, l, away, label, scale)
		})
		ways := make([][][2]int32, 2*size)
		for i := range a.items {
			e := &a.items[i]
			for o, v := range f.items[k][i] {
				if at := 2*e.pos + int32(min(o, 1)); v != hypergraph.Impossible {
					ways[at] = append(ways[at], [2]int32{v, closed.at(e.operation(o), e.mod)})
				}
			}
		}
		x := nodes{state: [2][]int32{make([]int32, size), make([]int32, size)}, before: make([]int32, size),
			fin: make([]int32, len(t.spines))}
		for at, list := range ways {
			for _, w := range list {
				f.g.Add(w[0], w[1], 0, -1)
			}
			x.state[at&1][at/2] = f.g.Node()
		}
		f.finish(t, &x)
		*f.cell(k, d) = x
	}
}

// finish makes the nodes that follow from those of states.
func (f *forest) finish(t *token, x *nodes) {
	for s := range t.spines {
		for p := t.from[s]; p < t.from[s+1]; p++ {
			f.g.Add(x.state[0][p], hypergraph.Empty, 0, -1)
			for q := t.from[s]; q < p; q++ {
				f.g.Add(x.state[0][q], hypergraph.Empty, 0, -1)
				f.g.Add(x.state[1][q], hypergraph.Empty, 0, -1)
			}
			x.before[p] = f.g.Node()
		}
		for p := t.from[s]; p < t.from[s+1]; p++ {
			f.g.Add(x.state[0][p], hypergraph.Empty, 0, -1)
			f.g.Add(x.state[1][p], hypergraph.Empty, 0, -1)
		}
		x.fin[s] = f.g.Node()
	}
}
