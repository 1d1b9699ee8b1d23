package treekernel

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Recognizer finds the kernels of one tree with another for every place of a mark, by changing a few cells for each
// (Kazama and Torisawa 2006). The tree has one root and no marks; the kernel is one of Partial that counts only
// subtrees with a mark. It belongs to one goroutine.
//
//	r := NewRecognizer(k, shape, names, "0", "1")
//	r.Against(t)           // the tree without marks: all cells of nodes with equal labels
//	r.Predicate(v)         // v is marked 0
//	r.Argument(n)          // the kernel with n marked 1 as well
type Recognizer struct {
	e     *Evaluator
	own   *Evaluator // of kernels of the tree with itself, which have other cells
	tree  *Tree
	plain []uint32    // labels without marks
	with  [2][]uint32 // labels with the marks 0 and 1
	gamma []float64
	marks [2]float64 // γ
	names [2]string

	to        *Prepared
	all       *Prepared // of the tree without marks, from all nodes
	of        [][]start // by node: nodes of the other tree with the same label
	predicate int32     // −1 without
	base      float64   // Σ marked with the predicate
	undo      [2][]change
	seen      []uint32 // by node of the other tree: the epoch in which it was met
	epoch     uint32
	now, next []int32
	Cells     int64 // that were computed
}

// change is a cell as it was.
type change struct {
	at    int32
	known uint32
	cell  cell
}

// NewRecognizer returns one for a tree; the marks are those of the predicate and of an argument.
func NewRecognizer(k Kernel, s *Shape, names Namer, predicate, argument string) *Recognizer {
	t := s.Tree(names)
	r := &Recognizer{e: NewEvaluator(k), own: NewEvaluator(k), tree: t, plain: slices.Clone(t.label),
		names: [2]string{predicate, argument}, gamma: make([]float64, t.Len()), predicate: -1, of: make([][]start, t.Len())}
	for i := range r.gamma {
		r.gamma[i] = 1
	}
	for m, mark := range r.names {
		r.marks[m] = k.weight(mark)
		for _, l := range s.Labels {
			r.with[m] = append(r.with[m], names.add(l+markSign+mark))
		}
	}
	r.all = r.e.prepare(t, false)
	return r
}

// Within has all that is found stop when the context ends: kernels after that are wrong, and the Recognizer is of no
// more use.
func (r *Recognizer) Within(ctx context.Context) {
	r.e.Within(ctx)
	r.own.Within(ctx)
}

// Against takes the tree to compare with, made by PrepareAll, and forgets the predicate. It costs a cell for each pair
// of nodes with equal labels.
func (r *Recognizer) Against(t *Prepared) {
	r.Unmark()
	r.to = t
	if len(r.seen) < t.Len() {
		r.seen, r.epoch = make([]uint32, t.Len()), 0
	}
	e := r.e
	e.a, e.b, e.gamma = r.tree, t.Tree, r.gamma
	e.begin(0, int32(r.tree.Len()), 0, int32(t.Len()))
	clear(r.of)
	a, b := r.all.starts, t.nodes
	for len(a) > 0 && len(b) > 0 {
		switch key := a[0].key; {
		case key < b[0].key:
			a = a[1:]
		case key > b[0].key:
			b = b[1:]
		default:
			n := 0
			for n < len(b) && b[n].key == key {
				n++
			}
			for ; len(a) > 0 && a[0].key == key; a = a[1:] {
				r.of[a[0].node] = b[:n]
				r.Cells += int64(n)
				for _, s := range b[:n] {
					e.cell(a[0].node, s.node)
				}
				if e.ended {
					return
				}
			}
			b = b[n:]
		}
	}
	r.base = 0
}

// Predicate marks a node, in place of the one that was marked before, and returns the kernel with it alone.
func (r *Recognizer) Predicate(n int32) float64 {
	r.Unmark()
	r.predicate = n
	r.base = r.mark(n, 0)
	return r.base
}

// Mark marks a predicate as Predicate does, for Scale alone: no cells are found.
func (r *Recognizer) Mark(n int32) {
	r.Unmark()
	r.predicate = n
	r.set(n, 0)
}

// Unmark takes the mark of the predicate away.
func (r *Recognizer) Unmark() {
	if r.predicate >= 0 {
		r.restore(r.predicate, 0)
	}
	r.predicate, r.base = -1, 0
}

// Argument is the kernel with the mark at another node than the predicate.
func (r *Recognizer) Argument(n int32) float64 {
	diff := r.mark(n, 1)
	r.restore(n, 1)
	return r.base + diff
}

// set gives a node a mark.
func (r *Recognizer) set(n int32, mark int) {
	r.tree.label[n], r.tree.marked[n], r.gamma[n] = r.with[mark][n], true, r.marks[mark]
}

// restore takes a mark of a node away and gives the cells what they had before.
func (r *Recognizer) restore(n int32, mark int) {
	list := r.undo[mark]
	for i := len(list) - 1; i >= 0; i-- {
		r.e.known[list[i].at], r.e.cells[list[i].at] = list[i].known, list[i].cell
	}
	r.undo[mark] = list[:0]
	r.tree.label[n], r.tree.marked[n], r.gamma[n] = r.plain[n], false, 1
}

// mark marks a node and finds the cells anew that change by it, from the node up: those of a node above only with a
// node of the other tree below which one has changed. It returns how much the sum of marked cells grows.
func (r *Recognizer) mark(n int32, mark int) (diff float64) {
	r.set(n, mark)
	t := r.to
	r.now = r.now[:0]
	for _, s := range r.of[n] { // these labels are no longer equal
		r.now = append(r.now, s.node)
		diff -= r.e.cells[r.at(n, s.node)].marked
	}
	for i, m := range t.marks {
		if t.label[m] == r.with[mark][n] && t.mark[i] == r.names[mark] {
			diff += r.compute(n, m, mark).marked
			r.now = append(r.now, m)
		}
	}
	for x := r.tree.parent[n]; x >= 0 && len(r.now) > 0; x = r.tree.parent[x] {
		r.epoch++
		r.next = r.next[:0]
		for _, y := range r.now {
			y = t.parent[y]
			if y < 0 || r.seen[y] == r.epoch || t.label[y] != r.tree.label[x] {
				continue
			}
			r.seen[y] = r.epoch
			before := r.e.cells[r.at(x, y)]
			if now := r.compute(x, y, mark); now != before {
				diff += now.marked - before.marked
				r.next = append(r.next, y)
			}
		}
		r.now, r.next = r.next, r.now
	}
	return diff
}

func (r *Recognizer) at(x, y int32) int32 { return x*r.e.width + y }

// compute finds a cell anew and notes what it was.
func (r *Recognizer) compute(x, y int32, mark int) cell {
	at := r.at(x, y)
	r.undo[mark] = append(r.undo[mark], change{at, r.e.known[at], r.e.cells[at]})
	c := r.e.partial(x, y)
	r.e.known[at], r.e.cells[at] = r.e.epoch, c
	r.Cells++
	return c
}

// Scale is what kernels with the predicate and a mark at a node are multiplied by: 1/√K of the marked tree with itself,
// 0 where it has none. The node may be −1 for none.
func (r *Recognizer) Scale(n int32) float64 {
	if n >= 0 {
		r.set(n, 1)
	}
	p := &Prepared{Tree: r.tree, gamma: r.gamma, of: []int32{0}}
	for _, m := range []int32{r.predicate, n} {
		for ; m >= 0; m = r.tree.parent[m] {
			p.starts = append(p.starts, start{r.tree.label[m], m})
		}
	}
	slices.SortFunc(p.starts, func(a, b start) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.node, b.node))
	})
	p.starts = slices.Compact(p.starts)
	p.of = append(p.of, int32(len(p.starts)))
	v := r.own.Value(p, p)
	if n >= 0 {
		r.tree.label[n], r.tree.marked[n], r.gamma[n] = r.plain[n], false, 1
	}
	if v == 0 || math.IsInf(v, 1) {
		return 0
	}
	return 1 / math.Sqrt(v)
}

// Len is the number of nodes.
func (r *Recognizer) Len() int { return r.tree.Len() }
