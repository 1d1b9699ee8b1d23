package treekernel

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Family is a set of subtrees.
type Family uint8

// The sets of subtrees, the smallest first. Single nodes are subtrees in Partial only.
const (
	// Subtree has a node with all that is below it (Vishwanathan and Smola 2003). W is λ to the number of
	// productions.
	Subtree Family = iota
	// SubsetTree has whole productions: a node has all of its children, or none (Collins and Duffy 2001).
	// W is λ to the number of productions.
	SubsetTree
	// Partial has any children of a node, in their order (Kashima and Koyanagi 2002). W is λ to the number of nodes.
	Partial
)

// Families lists the names, in the order of their numbers.
func Families() []string { return []string{"subtree", "subset_tree", "partial"} }

func (f Family) String() string { return Families()[f] }

// ParseFamily returns the set of the name.
func ParseFamily(name string) (Family, error) {
	i := slices.Index(Families(), name)
	if i < 0 {
		return 0, fmt.Errorf("no kernel %q, want one of %v", name, Families())
	}
	return Family(i), nil
}

// Kernel is a kernel with its parameters.
type Kernel struct {
	Family Family
	Decay  float64 // λ, above 0 and at most 1
	Marked bool    // counts only subtrees with a marked node
	// Weights are γ of marks, 1 of others: W of a subtree is multiplied by that of each of its marked nodes (Kazama and
	// Torisawa 2006).
	Weights map[string]float64
}

// gamma are the weights of the nodes of a tree, nil where all are 1.
func (k Kernel) gamma(t *Tree) []float64 {
	if len(k.Weights) == 0 {
		return nil
	}
	out := make([]float64, t.Len())
	for i := range out {
		out[i] = 1
	}
	for i, n := range t.marks {
		out[n] = k.weight(t.mark[i])
	}
	return out
}

// weight is γ of a mark.
func (k Kernel) weight(mark string) float64 {
	if w, ok := k.Weights[mark]; ok {
		return w
	}
	return 1
}

// start is a node that shared subtrees may be rooted at.
type start struct {
	key  uint32 // label, or production: only nodes with the same one share subtrees
	node int32
}

// Prepared is a tree with the nodes to start from, of each root in order of their keys. It never changes.
type Prepared struct {
	*Tree
	gamma  []float64 // of the nodes, nil where all are 1
	starts []start
	of     []int32 // of root i: starts[of[i]:of[i+1]]
	nodes  []start // all nodes, for a Recognizer; nil without
}

// Prepare finds the nodes to start from. With Marked these have a mark at or below them.
func (k Kernel) Prepare(t *Tree) *Prepared {
	return k.prepare(t, k.Marked)
}

// PrepareAll is Prepare for the other trees of a Recognizer.
func (k Kernel) PrepareAll(t *Tree) *Prepared {
	p := k.Prepare(t)
	p.nodes = k.prepare(t, false).starts
	return p
}

// PrepareFull is Prepare for evaluation that visits all pairs of nodes with equal labels, as plain evaluation does.
// Values are the same; it is for comparisons.
func (k Kernel) PrepareFull(t *Tree) *Prepared { return k.prepare(t, false) }

func (k Kernel) prepare(t *Tree, above bool) *Prepared {
	wanted := make([]bool, t.Len())
	if above {
		for _, m := range t.marks {
			for ; m >= 0 && !wanted[m]; m = t.parent[m] {
				wanted[m] = true
			}
		}
	}
	p := &Prepared{Tree: t, gamma: k.gamma(t), of: []int32{0}}
	for i := 0; i+1 < len(t.roots); i++ {
		from := len(p.starts)
		for n := t.roots[i]; n < t.roots[i+1]; n++ {
			switch {
			case above && !wanted[n] || k.Family != Partial && t.leaf(n):
			case k.Family == Partial:
				p.starts = append(p.starts, start{t.label[n], n})
			default:
				p.starts = append(p.starts, start{t.production[n], n})
			}
		}
		slices.SortFunc(p.starts[from:], func(a, b start) int {
			return cmp.Or(cmp.Compare(a.key, b.key),
				cmp.Compare(a.node, b.node))
		})
		p.of = append(p.of, int32(len(p.starts)))
	}
	return p
}

// cell is the weight of the shared subtrees rooted at two nodes: without a marked node, and with one.
type cell struct{ plain, marked float64 }

// Evaluator finds kernels of pairs, one after the other. It belongs to one goroutine.
type Evaluator struct {
	Kernel
	a, b   *Tree
	gamma  []float64 // of the nodes of a
	a0, b0 int32     // the roots whose trees are compared
	width  int32
	known  []uint32 // by pair of nodes: the epoch that the cell is of
	epoch  uint32
	cells  []cell
	row    []cell // see partial
	Cells  int64  // pairs of nodes that were looked at

	ctx   context.Context // nil for none
	steps int             // since ctx was looked at
	ended bool            // ctx has
}

// NewEvaluator returns one for a kernel.
func NewEvaluator(k Kernel) *Evaluator { return &Evaluator{Kernel: k} }

// Within has evaluations stop when the context ends: kernels that are found after that are wrong, so callers look at
// the context before they use one.
func (e *Evaluator) Within(ctx context.Context) { e.ctx, e.steps, e.ended = ctx, 0, ctx.Err() != nil }

// stepsOfLook is after how many steps, of some nanoseconds, the context is looked at.
const stepsOfLook = 1 << 18

// over counts steps, and reports whether the context has ended.
func (e *Evaluator) over(steps int) bool {
	if e.steps += steps; e.steps >= stepsOfLook && e.ctx != nil {
		e.steps, e.ended = 0, e.ctx.Err() != nil
	}
	return e.ended
}

// Value is the kernel of two trees,
//
//	K(a, b) = Σ_x Σ_y C(x, y),
//
// over nodes x of a and y of b. It costs at most |a|·|b| cells, each as many steps as the product of the children; only
// those that matter are visited. It is +Inf above what a float64 holds; see Log.
func (e *Evaluator) Value(a, b *Prepared) float64 {
	e.a, e.b, e.gamma = a.Tree, b.Tree, a.gamma
	sum := 0.0
	for i := 0; i+1 < len(a.roots); i++ {
		for j := 0; j+1 < len(b.roots); j++ {
			if e.over(4) { // a document may have many trees
				return 0
			}
			e.begin(a.roots[i], a.roots[i+1], b.roots[j], b.roots[j+1])
			sum += e.meet(a.starts[a.of[i]:a.of[i+1]], b.starts[b.of[j]:b.of[j+1]])
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// begin forgets the cells.
func (e *Evaluator) begin(a0, a1, b0, b1 int32) {
	e.a0, e.b0, e.width = a0, b0, b1-b0
	if n := int(a1-a0) * int(b1-b0); n > len(e.known) {
		e.known, e.cells, e.epoch = make([]uint32, n), make([]cell, n), 0
	}
	if e.epoch++; e.epoch == 0 {
		clear(e.known)
		e.epoch = 1
	}
}

// meet sums the cells of starts with equal keys.
func (e *Evaluator) meet(a, b []start) (sum float64) {
	for len(a) > 0 && len(b) > 0 {
		switch key := a[0].key; {
		case key < b[0].key:
			a = a[1:]
		case key > b[0].key:
			b = b[1:]
		default:
			for ; len(a) > 0 && a[0].key == key; a = a[1:] {
				for j := 0; j < len(b) && b[j].key == key; j++ {
					c := e.cell(a[0].node, b[j].node)
					if sum += c.marked; !e.Marked {
						sum += c.plain
					}
				}
			}
		}
	}
	return sum
}

// cell is C of two nodes with equal labels.
func (e *Evaluator) cell(x, y int32) cell {
	at := (x-e.a0)*e.width + y - e.b0
	if e.known[at] == e.epoch {
		return e.cells[at]
	}
	var c cell
	if e.over(8) { // about what a cell costs besides its children
		return c
	}
	e.Cells++
	switch e.Family {
	case Partial:
		c = e.partial(x, y)
	case SubsetTree:
		c = e.subset(x, y)
	default:
		c = e.subtree(x, y)
	}
	e.known[at], e.cells[at] = e.epoch, c
	return c
}

// root is what a node itself multiplies by: λ·γ.
func (e *Evaluator) root(x int32) float64 {
	if e.gamma == nil {
		return e.Decay
	}
	return e.Decay * e.gamma[x]
}

// stays is what a child that does not go on multiplies by: γ.
func (e *Evaluator) stays(x int32) float64 {
	if e.gamma == nil {
		return 1
	}
	return e.gamma[x]
}

// partial is λ·γ·S(all children), where S(i, j) counts what the first i children of x and the first j of y share. With
// child i as the last one of x that is taken, or not,
//
//	S(i, j) = S(i−1, j) + Σ_{j′ ≤ j} S(i−1, j′−1)·C(i, j′)
//
// and what has a mark either has it among the earlier children (or at x), or in child i. No sum has a negative term.
func (e *Evaluator) partial(x, y int32) cell {
	a, b := e.a, e.b
	n := 1
	for d := y + 1; d < b.end[y]; d = b.end[d] {
		n++
		children := 0
		for c := x + 1; c < a.end[x]; c = a.end[c] {
			if children++; a.label[c] == b.label[d] {
				e.cell(c, d)
			}
		}
		if e.over(children) {
			return cell{}
		}
	}
	first := cell{plain: 1}
	if a.marked[x] {
		first = cell{marked: 1}
	}
	scale := e.root(x)
	if n == 1 || a.leaf(x) {
		return cell{scale * first.plain, scale * first.marked}
	}
	if len(e.row) < n {
		e.row = make([]cell, 2*n)
	}
	row := e.row[:n]
	for j := range row {
		row[j] = first
	}
	for c := x + 1; c < a.end[x]; c = a.end[c] {
		if e.over(n) {
			return cell{}
		}
		label, cells := a.label[c], e.cells[(c-e.a0)*e.width:]
		var sum cell
		before := row[0] // S(i−1, j−1)
		d := y + 1
		for j := 1; j < n; j++ {
			if b.label[d] == label {
				k := cells[d-e.b0]
				sum.plain += before.plain * k.plain
				sum.marked += before.marked*(k.plain+k.marked) + before.plain*k.marked
			}
			before = row[j]
			row[j].plain += sum.plain
			row[j].marked += sum.marked
			d = b.end[d]
		}
	}
	return cell{scale * row[n-1].plain, scale * row[n-1].marked}
}

// subset is λ·γ·Π_i (γ_i + C(i)) over the children of equal productions: each stays as it is, or goes on.
func (e *Evaluator) subset(x, y int32) cell {
	a, b := e.a, e.b
	if a.leaf(x) || b.leaf(y) || a.production[x] != b.production[y] {
		return cell{}
	}
	p := cell{plain: 1}
	if a.marksProduction(x) {
		p = cell{marked: 1}
	}
	for c, d := x+1, y+1; c < a.end[x]; c, d = a.end[c], b.end[d] {
		g := e.stays(c)
		if a.leaf(c) || b.leaf(d) {
			p.plain, p.marked = g*p.plain, g*p.marked
			continue
		}
		k := e.cell(c, d)
		p.marked = p.marked*(g+k.plain+k.marked) + p.plain*k.marked
		p.plain *= g + k.plain
	}
	scale := e.root(x)
	return cell{scale * p.plain, scale * p.marked}
}

// subtree is λ·γ·Π_i C(i) over the children of equal productions, a leaf counting as γ.
func (e *Evaluator) subtree(x, y int32) cell {
	a, b := e.a, e.b
	if a.leaf(x) || b.leaf(y) || a.production[x] != b.production[y] {
		return cell{}
	}
	p := cell{plain: 1}
	if a.marksProduction(x) {
		p = cell{marked: 1}
	}
	for c, d := x+1, y+1; c < a.end[x]; c, d = a.end[c], b.end[d] {
		if a.leaf(c) && b.leaf(d) {
			g := e.stays(c)
			p.plain, p.marked = g*p.plain, g*p.marked
			continue
		}
		k := e.cell(c, d)
		p.marked = p.marked*(k.plain+k.marked) + p.plain*k.marked
		p.plain *= k.plain
	}
	scale := e.root(x)
	return cell{scale * p.plain, scale * p.marked}
}

// marksProduction tells whether a node or one of its children has a mark.
func (t *Tree) marksProduction(n int32) bool {
	if t.marked[n] {
		return true
	}
	for c := n + 1; c < t.end[n]; c = t.end[c] {
		if t.marked[c] {
			return true
		}
	}
	return false
}
