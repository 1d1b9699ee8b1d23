package logic

import "slices"

// Vec is a truth value as a vector: True, False, or anything in the plane between and beyond.
type Vec [2]float64

// The truth vectors.
var (
	True  = Vec{1, 0}
	False = Vec{0, 1}
)

// tensors are T[o][x][y] of [A op B]_o = Σ_xy T[o][x][y]·A_x·B_y, where index 0 is true and 1 is
// false (Rocktäschel et al. 2014, section 2).
var tensors = [...][2][2][2]float64{
	And:     {{{1, 0}, {0, 0}}, {{0, 1}, {1, 1}}},
	Or:      {{{1, 1}, {1, 0}}, {{0, 0}, {0, 1}}},
	Xor:     {{{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}},
	Implies: {{{1, 0}, {1, 1}}, {{0, 1}, {0, 0}}},
	Iff:     {{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}},
}

// apply is T ×₁ a ×₂ b.
func (o Op) apply(a, b Vec) Vec {
	t := &tensors[o]
	tt, tf, ft, ff := a[0]*b[0], a[0]*b[1], a[1]*b[0], a[1]*b[1]
	return Vec{
		t[0][0][0]*tt + t[0][0][1]*tf + t[0][1][0]*ft + t[0][1][1]*ff,
		t[1][0][0]*tt + t[1][0][1]*tf + t[1][1][0]*ft + t[1][1][1]*ff,
	}
}

// gradient takes the gradient of the value to those of the operands:
//
//	ga_x = Σ_oy g_o·T[o][x][y]·b_y    gb_y = Σ_ox g_o·T[o][x][y]·a_x
func (o Op) gradient(g, a, b Vec) (ga, gb Vec) {
	t := &tensors[o]
	for x := range 2 {
		for y := range 2 {
			w := g[0]*t[0][x][y] + g[1]*t[1][x][y]
			ga[x] += w * b[y]
			gb[y] += w * a[x]
		}
	}
	return ga, gb
}

// holds is the operator over booleans.
func (o Op) holds(a, b bool) bool {
	switch o {
	case And:
		return a && b
	case Or:
		return a || b
	case Xor:
		return a != b
	case Implies:
		return !a || b
	}
	return a == b
}

// Tree is a formula as a list of nodes, operands before operators, with the atoms that differ numbered.
type Tree struct {
	Atoms []*Formula // in order of first use
	Nodes []Node
}

// Node is a formula within the formula. Left and Right are nodes, Right -1 for Not; Atom is the
// number of the atom, -1 for operators.
type Node struct {
	Op                Op
	Left, Right, Atom int32
	Formula           *Formula
}

// Compile makes the list of nodes.
func Compile(f *Formula) *Tree {
	t := &Tree{}
	t.add(f)
	return t
}

func (t *Tree) add(f *Formula) int32 {
	n := Node{Op: f.Op, Left: -1, Right: -1, Atom: -1, Formula: f}
	switch f.Op {
	case Atom:
		n.Atom = t.atom(f)
	case Not:
		n.Left = t.add(f.Left)
	default:
		n.Left = t.add(f.Left)
		n.Right = t.add(f.Right)
	}
	t.Nodes = append(t.Nodes, n)
	return int32(len(t.Nodes) - 1)
}

// atom finds the number of an atom, a new one if none is equal.
func (t *Tree) atom(f *Formula) int32 {
	i := t.AtomOf(f)
	if i < 0 {
		i = len(t.Atoms)
		t.Atoms = append(t.Atoms, f)
	}
	return int32(i)
}

// Eval computes the value from those of the atoms. The values of all nodes are left in nodes, as
// many as t.Nodes.
func (t *Tree) Eval(atoms, nodes []Vec) Vec {
	for i := range t.Nodes {
		switch n := &t.Nodes[i]; n.Op {
		case Atom:
			nodes[i] = atoms[n.Atom]
		case Not:
			nodes[i] = Vec{nodes[n.Left][1], nodes[n.Left][0]}
		default:
			nodes[i] = n.Op.apply(nodes[n.Left], nodes[n.Right])
		}
	}
	return nodes[len(nodes)-1]
}

// Gradient takes the gradient of the value, after Eval, to those of the atoms. work holds as many
// vectors as nodes and is overwritten, as is grad, which holds one an atom.
func (t *Tree) Gradient(g Vec, nodes, work, grad []Vec) {
	clear(grad)
	work[len(work)-1] = g
	for i := len(t.Nodes) - 1; i >= 0; i-- { // every node but the last has one parent
		g := work[i]
		switch n := &t.Nodes[i]; n.Op {
		case Atom:
			grad[n.Atom][0] += g[0]
			grad[n.Atom][1] += g[1]
		case Not:
			work[n.Left] = Vec{g[1], g[0]}
		default:
			work[n.Left], work[n.Right] = n.Op.gradient(g, nodes[n.Left], nodes[n.Right])
		}
	}
}

// Holds computes the value from booleans.
func (t *Tree) Holds(atoms []bool) bool {
	values := make([]bool, len(t.Nodes))
	for i, n := range t.Nodes {
		switch n.Op {
		case Atom:
			values[i] = atoms[n.Atom]
		case Not:
			values[i] = !values[n.Left]
		default:
			values[i] = n.Op.holds(values[n.Left], values[n.Right])
		}
	}
	return values[len(values)-1]
}

// Slopes are the derivatives of v_true − v_false of the formula by that of each node, after Eval:
// half of what its components say together, for a node moves along (1, −1).
func (t *Tree) Slopes(nodes []Vec) []float64 {
	out := make([]float64, len(t.Nodes))
	grad := make([]Vec, len(t.Nodes))
	grad[len(grad)-1] = Vec{1, -1}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		g := grad[i]
		out[i] = (g[0] - g[1]) / 2
		switch n := &t.Nodes[i]; n.Op {
		case Atom:
		case Not:
			grad[n.Left] = Vec{g[1], g[0]}
		default:
			grad[n.Left], grad[n.Right] = n.Op.gradient(g, nodes[n.Left], nodes[n.Right])
		}
	}
	return out
}

// Depths are the numbers of operators around each node.
func (t *Tree) Depths() []int {
	out := make([]int, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		for _, c := range []int32{t.Nodes[i].Left, t.Nodes[i].Right} {
			if c >= 0 {
				out[c] = out[i] + 1
			}
		}
	}
	return out
}

// AtomOf returns the number of an atom of the tree, -1 for another.
func (t *Tree) AtomOf(f *Formula) int {
	return slices.IndexFunc(t.Atoms, f.same)
}
