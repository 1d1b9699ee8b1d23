package logic

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func vec(b bool) Vec {
	if b {
		return True
	}
	return False
}

// The flattenings, columns (T,T), (T,F), (F,T), (F,F).
func TestOperatorsAreTruthTables(t *testing.T) {
	for op, row := range map[Op][4]float64{And: {1, 0, 0, 0}, Or: {1, 1, 1, 0}, Implies: {1, 0, 1, 1}, Iff: {1, 0, 0, 1},
		Xor: {0, 1, 1, 0}} {
		for i, want := range row {
			a, b := i < 2, i%2 == 0
			if got := op.apply(vec(a), vec(b)); got != (Vec{want, 1 - want}) {
				t.Errorf("%v %s %v = %v", a, op, b, got)
			}
			if op.holds(a, b) != (want == 1) {
				t.Errorf("%v %s %v as booleans", a, op, b)
			}
		}
	}
}

func TestValuesBetween(t *testing.T) {
	tree := Compile(MustParse("p(c) => q(c)").Body)
	nodes := make([]Vec, len(tree.Nodes))
	got := tree.Eval([]Vec{{0.6, 0.25}, {0.35, 0.5}}, nodes)
	if math.Abs(got[0]-0.4225) > 1e-15 || math.Abs(got[1]-0.3) > 1e-15 {
		t.Fatalf("value %v, want (0.4225, 0.3)", got)
	}
	// loss ‖F − (1,0)‖, g = (F − (1,0))/loss
	loss := math.Hypot(got[0]-1, got[1])
	g := Vec{(got[0] - 1) / loss, got[1] / loss}
	grad := make([]Vec, 2)
	tree.Gradient(g, nodes, make([]Vec, len(nodes)), grad)
	near(t, "loss", []float64{loss}, []float64{0.650773578})
	near(t, "g", g[:], []float64{-0.887405419, 0.460989828})
	near(t, "g_a", grad[0][:], []float64{-0.080096983, -0.754294606})
	near(t, "g_b", grad[1][:], []float64{-0.754294606, 0.054742542})
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) < 1e-9) {
			t.Errorf("%s = %v, want %v", what, got, want)
			return
		}
	}
}

// formula draws formulas over p0(c) … p5(c).
func formula(t *rapid.T, depth int) *Formula {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		return &Formula{Op: Atom, Name: fmt.Sprint("p", rapid.IntRange(0, 5).Draw(t, "atom")), Terms: []Term{{Name: "c"}}}
	}
	f := &Formula{Op: Op(rapid.IntRange(int(Not), int(Iff)).Draw(t, "op")), Left: formula(t, depth-1)}
	if f.Op != Not {
		f.Right = formula(t, depth-1)
	}
	return f
}

func TestExactValueIsBoolean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := Compile(formula(t, 5))
		nodes := make([]Vec, len(tree.Nodes))
		for bits := range 1 << len(tree.Atoms) {
			var truth []bool
			var values []Vec
			for i := range tree.Atoms {
				truth = append(truth, bits>>i&1 == 1)
				values = append(values, vec(truth[i]))
			}
			if got := tree.Eval(values, nodes); got != vec(tree.Holds(truth)) {
				t.Fatalf("%s: %v with %v", tree.Nodes[len(nodes)-1].Formula, got, truth)
			}
		}
	})
}

func TestTextOfTreesParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formula(t, 6)
		r, err := Parse(f.String())
		if err != nil || r.Body.String() != f.String() {
			t.Fatalf("%s: %v, %v", f, r, err)
		}
		a, b := Compile(f), Compile(r.Body)
		truth := make([]bool, len(a.Atoms))
		for i := range truth {
			truth[i] = rapid.Bool().Draw(t, "truth")
		}
		if a.Holds(truth) != b.Holds(truth) {
			t.Fatalf("%s has another value after parsing", f)
		}
	})
}

func TestGradientIsFiniteDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := Compile(formula(t, 5))
		nodes, work := make([]Vec, len(tree.Nodes)), make([]Vec, len(tree.Nodes))
		atoms, grad := make([]Vec, len(tree.Atoms)), make([]Vec, len(tree.Atoms))
		for i := range atoms {
			atoms[i] = Vec{rapid.Float64Range(-1, 1).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b")}
		}
		g := Vec{rapid.Float64Range(-1, 1).Draw(t, "g"), rapid.Float64Range(-1, 1).Draw(t, "h")}
		tree.Eval(atoms, nodes)
		tree.Gradient(g, nodes, work, grad)
		along := func() float64 {
			v := tree.Eval(atoms, nodes)
			return g[0]*v[0] + g[1]*v[1]
		}
		const h = 1e-6
		for i := range atoms {
			for k := range 2 {
				x := atoms[i][k]
				atoms[i][k] = x + h
				up := along()
				atoms[i][k] = x - h
				down := along()
				atoms[i][k] = x
				if d := (up - down) / (2 * h); math.Abs(d-grad[i][k]) > 1e-7*(1+math.Abs(d)) {
					t.Fatalf("%s: gradient %v of atom %d[%d], difference %v", tree.Nodes[len(nodes)-1].Formula, grad[i][k], i, k, d)
				}
			}
		}
	})
}

// TestSlopesAreFiniteDifferences moves each atom along (½, −½): what its places in the formula say adds up.
func TestSlopesAreFiniteDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := Compile(formula(t, 5))
		nodes, atoms := make([]Vec, len(tree.Nodes)), make([]Vec, len(tree.Atoms))
		for i := range atoms {
			atoms[i] = Vec{rapid.Float64Range(-1, 1).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b")}
		}
		tree.Eval(atoms, nodes)
		sums := make([]float64, len(atoms))
		slopes := tree.Slopes(nodes)
		for i, n := range tree.Nodes {
			if n.Op == Atom {
				sums[n.Atom] += slopes[i]
			}
		}
		along := func() float64 {
			v := tree.Eval(atoms, nodes)
			return v[0] - v[1]
		}
		const h = 1e-6
		for i, x := range atoms {
			atoms[i] = Vec{x[0] + h/2, x[1] - h/2}
			up := along()
			atoms[i] = Vec{x[0] - h/2, x[1] + h/2}
			down := along()
			atoms[i] = x
			if d := (up - down) / (2 * h); math.Abs(d-sums[i]) > 1e-7*(1+math.Abs(d)) {
				t.Fatalf("%s: slope %v of atom %d, difference %v", tree.Nodes[len(nodes)-1].Formula, sums[i], i, d)
			}
		}
		if top := slopes[len(slopes)-1]; top != 1 {
			t.Fatalf("slope of the formula itself: %v", top)
		}
	})
}

func TestTreeAllocatesNothing(t *testing.T) {
	tree := Compile(MustParse("p(c) and not q(c) => r(c) xor p(c)").Body)
	nodes, work := make([]Vec, len(tree.Nodes)), make([]Vec, len(tree.Nodes))
	atoms, grad := make([]Vec, 3), make([]Vec, 3)
	if n := testing.AllocsPerRun(100, func() { tree.Gradient(tree.Eval(atoms, nodes), nodes, work, grad) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
