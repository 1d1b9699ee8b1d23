package reduction

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"parlance/algo/classify/svm/solver"
)

// data is binary samples of some classes, numbered by falling size.
func data(n, classes int) (*solver.Rows, []uint16) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, class := &solver.Rows{Width: 60, Offsets: []uint32{0}}, make([]uint16, n)
	for i := range n {
		class[i] = uint16(min(rng.IntN(classes), rng.IntN(classes)))
		for c := range uint32(60) {
			if p := 0.05; rng.Float64() < p || int(c)%classes == int(class[i]) && rng.IntN(3) == 0 {
				x.Columns = append(x.Columns, c)
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
	}
	Renumber(class, classes)
	return x, class
}

var kernels = []solver.Kernel{{}, {Shape: solver.Polynomial, Degree: 2, Gamma: .1, Coef0: 1},
	{Shape: solver.Radial, Gamma: .1}}

func options(s Scheme, k solver.Kernel) Options {
	return Options{Scheme: s, Kernel: k, C: 1, Squared: s == OneVersusRest, Bias: 1, Epsilon: 1e-4, Iterations: 1000,
		Shrinking: true, Cache: 1 << 20, Probability: s != CrammerSinger, Seed: 7}
}

func TestWorkersChangeNothing(t *testing.T) {
	x, class := data(300, 5)
	for _, k := range kernels {
		for s := range CrammerSinger + 1 {
			if s == CrammerSinger && k.Shape != solver.Dot {
				continue
			}
			var got [2]*Machines
			for i, workers := range []int{1, 8} {
				o := options(s, k)
				o.Workers = workers
				var err error
				if got[i], err = Train(context.Background(), x, class, 5, o); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got[0].coefs, got[1].coefs) || !reflect.DeepEqual(got[0].offset, got[1].offset) ||
				!reflect.DeepEqual(got[0].Sigmoids, got[1].Sigmoids) {
				t.Errorf("%v, %v: 8 workers train otherwise than 1", s, k)
			}
			if got[0].Linear() && !reflect.DeepEqual(got[0].Weights.Parts(), got[1].Weights.Parts()) {
				t.Errorf("%v, linear: 8 workers train otherwise than 1", s)
			}
			check(t, got[0], x, class)
		}
	}
}

// check sees that the winner is that of all votes, that probabilities sum to 1 and mostly agree, and
// that contributions sum to how far the winner is ahead.
func check(t *testing.T, m *Machines, x *solver.Rows, class []uint16) {
	t.Helper()
	c, right, agree := m.Classifier(), 0, 0
	for i, y := range class {
		cols, vals := x.Row(i)
		c.Load(cols, vals)
		best := c.Best()
		if m.together(best, int(y)) {
			right++
		}
		points := make([]float64, m.Classes)
		for k := range m.Scheme.Count(m.Classes) {
			switch a, b := k, k; {
			case m.Scheme != Pairwise:
				points[k] = c.Value(k)
			default:
				if a, b = Pair(k, m.Classes); number(a, b, m.Classes) != k {
					t.Fatalf("pair %d is (%d, %d)", k, a, b)
				}
				if !m.exists(k) || c.Value(k) > 0 {
					points[a]++
				}
				if !m.exists(k) || c.Value(k) <= 0 {
					points[b]++
				}
			}
		}
		top, sum := 0, 0.0
		for k, p := range points {
			if p > points[top] {
				top = k
			}
		}
		if !m.together(top, best) {
			t.Fatalf("%v: class %d wins, all votes give %d", m.Scheme, best, top)
		}
		likely := 0
		p := c.Probabilities()
		for k, v := range p {
			if sum += v; v > p[likely] {
				likely = k
			}
		}
		if m.together(likely, best) {
			agree++
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("probabilities sum to %v", sum)
		}
		ahead(t, m, c, best, cols)
	}
	if right*10 < len(class)*6 || agree*10 < len(class)*8 {
		t.Errorf("%v, %v: %d of %d right, the most probable class wins %d times", m.Scheme, m.Kernel, right,
			len(class), agree)
	}
}

func ahead(t *testing.T, m *Machines, c *Classifier, best int, cols []uint32) {
	t.Helper()
	other, sum := c.RunnerUp(best), 0.0
	c.contributions(best, other, cols, nil, func(uint32) string { return "" }, func(_ string, v, w float64) {
		sum += v * w
	})
	want := 0.0
	switch {
	case m.Scheme != Pairwise:
		want = c.Value(best) - c.Value(other)
	case best < other:
		want = c.Value(number(best, other, m.Classes))
	default:
		want = -c.Value(number(other, best, m.Classes))
	}
	if math.Abs(sum-want) > 1e-9 {
		t.Fatalf("contributions sum to %v, want %v", sum, want)
	}
}

// TestLabels: classes that share a label have no machine against each other, the other machines are
// those of all pairs, and labels of a class each change nothing.
func TestLabels(t *testing.T) {
	x, class := data(300, 5)
	for _, k := range kernels {
		train := func(label []uint16) *Machines {
			o := options(Pairwise, k)
			o.Label = label
			m, err := Train(context.Background(), x, class, 5, o)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		all, own, some := train(nil), train([]uint16{0, 1, 2, 3, 4}), train([]uint16{0, 1, 0, 2, 0})
		if own.Label = nil; !reflect.DeepEqual(all, own) {
			t.Errorf("%v: a label for each class changes the machines", k)
		}
		if some.Count() != 7 || all.Count() != 10 {
			t.Errorf("%v: %d and %d machines, want 7 and 10", k, some.Count(), all.Count())
		}
		for p := range Pairwise.Count(5) {
			if k.Shape != solver.Dot && some.exists(p) &&
				(!reflect.DeepEqual(some.coefs[p], all.coefs[p]) || some.offset[p] != all.offset[p]) {
				t.Errorf("%v: machine %d is another one", k, p)
			}
		}
		check(t, some, x, class)
	}
	same := options(Pairwise, kernels[1])
	same.Label = make([]uint16, 5)
	m, err := Train(context.Background(), x, class, 5, same)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Classifier()
	if c.Load(nil, nil); c.Best() != 0 || c.RunnerUp(0) != -1 || math.Abs(c.Probabilities()[3]-.2) > 1e-9 {
		t.Errorf("one label: class %d, runner-up %d, probabilities %v", c.Best(), c.RunnerUp(0), c.Probabilities())
	}
}

// TestTwoClasses: with two classes the vote is the sign of the one machine.
func TestTwoClasses(t *testing.T) {
	x, class := data(200, 2)
	for _, k := range kernels {
		m, err := Train(context.Background(), x, class, 2, options(Pairwise, k))
		if err != nil {
			t.Fatal(err)
		}
		c := m.Classifier()
		for i := range class {
			cols, vals := x.Row(i)
			if c.Load(cols, vals); (c.Best() == 0) != (c.Value(0) > 0) {
				t.Fatal("the winner is not the sign of the machine")
			}
		}
	}
}

// TestCounts: 24 types of entities and 45 parts of speech are 93 classes and 4,278 pairs.
func TestCounts(t *testing.T) {
	if n := Pairwise.Count(2*24 + 45); n != 4278 {
		t.Errorf("%d pairs", n)
	}
}

// TestEmptyClass: a class without samples never wins, and one class always does.
func TestEmptyClass(t *testing.T) {
	x, class := data(60, 3)
	for _, k := range kernels {
		m, err := Train(context.Background(), x, class, 4, options(Pairwise, k))
		if err != nil {
			t.Fatal(err)
		}
		c := m.Classifier()
		for i := range class {
			cols, vals := x.Row(i)
			if c.Load(cols, vals); c.Best() == 3 {
				t.Fatal("a class without samples wins")
			}
		}
		if m, err = Train(context.Background(), x, make([]uint16, 60), 1, options(Pairwise, k)); err != nil {
			t.Fatal(err)
		}
		c = m.Classifier()
		cols, vals := x.Row(0)
		if c.Load(cols, vals); c.Best() != 0 || c.Probabilities()[0] != 1 {
			t.Error("the only class does not win")
		}
	}
}
