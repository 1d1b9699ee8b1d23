package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/testutil/testtime"

	"pgregory.net/rapid"
)

// sample draws rows, binary or not, and labels of both signs.
func sample(t *rapid.T, most int) (*Rows, []int8) {
	n, width := rapid.IntRange(2, most).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "width")
	x := &Rows{Width: width, Offsets: []uint32{0}}
	valued := rapid.Bool().Draw(t, "valued")
	if valued {
		x.Values = []float32{}
	}
	y := make([]int8, n)
	for i := range n {
		for c := range width {
			if !rapid.Bool().Draw(t, "in") {
				continue
			}
			x.Columns = append(x.Columns, uint32(c))
			if valued {
				x.Values = append(x.Values, float32(rapid.IntRange(-8, 8).Draw(t, "value"))/4)
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
		y[i] = 1 - 2*int8(i%2)
	}
	return x, y
}

func kernel(t *rapid.T) Kernel {
	return Kernel{Shape: Shape(rapid.IntRange(0, 2).Draw(t, "shape")), Degree: rapid.IntRange(1, 3).Draw(t, "degree"),
		Gamma: .5, Coef0: 1}
}

// gap is the primal objective less the dual, f by definition.
func gap(o Machine, x *Rows, y []int8, s *Solution) (primal, dual float64) {
	for i, b := range s.Coef {
		f := decision(o.Kernel, x, s, i)
		primal += o.C*max(0, 1-float64(y[i])*f) + .5*b*(f-s.B)
		dual += float64(y[i])*b - .5*b*(f-s.B)
	}
	return primal, dual
}

func TestKernelMachineIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := sample(t, 40)
		o := Machine{Kernel: kernel(t), C: rapid.SampledFrom([]float64{.01, .3, 1, 20}).Draw(t, "c"), Epsilon: 1e-6,
			Shrinking: true, Cache: 1 << 20}
		s, err := o.Train(background, x, all(len(y)), y, NewColumnMap(x.Width))
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, b := range s.Coef {
			sum += b
			a, m := float64(y[i])*b, float64(y[i])*decision(o.Kernel, x, s, i)
			if a < 0 || a > o.C {
				t.Fatalf("alpha %v is out of range", a)
			}
			// α = 0 ⇒ y·f ≥ 1, α = C ⇒ y·f ≤ 1, else y·f = 1
			if a == 0 && m < 1-1e-5 || a == o.C && m > 1+1e-5 || a > 0 && a < o.C && math.Abs(m-1) > 1e-5 {
				t.Fatalf("alpha %v with y·f = %v", a, m)
			}
		}
		if math.Abs(sum) > 1e-9*(1+o.C) {
			t.Fatalf("alphas sum to %v", sum)
		}
		primal, dual := gap(o, x, y, s)
		if math.Abs(primal-dual) > 1e-4*(1+dual) || math.Abs(dual-s.Dual) > 1e-6*(1+dual) {
			t.Fatalf("primal %v, dual %v, said %v", primal, dual, s.Dual)
		}
	})
}

// blobs are binary samples that overlap, enough of them to shrink and to fill a cache.
func blobs(n int) (*Rows, []int8) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := &Rows{Width: 300, Offsets: []uint32{0}}, make([]int8, n)
	for i := range n {
		y[i] = 1 - 2*int8(i%2)
		for c := range uint32(300) {
			p := 0.01
			switch {
			case c < 10:
				p = 0.5
			case c < 30 && (c%2 == 0) == (y[i] > 0):
				p = 0.2
			}
			if rng.Float64() < p {
				x.Columns = append(x.Columns, c)
			}
		}
		x.Offsets = append(x.Offsets, uint32(len(x.Columns)))
	}
	return x, y
}

func TestShrinkingAndCacheChangeNothing(t *testing.T) {
	testtime.Alone(t)
	x, y := blobs(700)
	valued := *x
	for range x.Columns {
		valued.Values = append(valued.Values, 1)
	}
	for _, k := range []Kernel{{}, {Polynomial, 2, .1, 1}, {Radial, 0, .05, 0}} {
		var first *Solution
		for _, o := range []Machine{{Shrinking: true, Cache: 1 << 24}, {Shrinking: false, Cache: 1 << 24},
			{Shrinking: true, Cache: 1}} {
			o.Kernel, o.C, o.Epsilon = k, 1, 1e-7
			for _, r := range []*Rows{x, &valued} {
				s, err := o.Train(background, r, all(len(y)), y, NewColumnMap(x.Width))
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = s
				}
				near(t, "b", s.B, first.B, 1e-5)
				near(t, "the dual", s.Dual, first.Dual, 1e-6)
				for i := range 20 {
					near(t, "f", decision(k, x, s, i), decision(k, x, first, i), 1e-5)
				}
			}
		}
	}
}

func TestPoolHasTheKernelsOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, _ := sample(t, 30)
		k := kernel(t)
		p := NewPool(k, x)
		var q Query
		for i := range x.Len() {
			cols, vals := x.Row(i)
			p.Kernels(&q, cols, vals)
			for j, got := range q.Values {
				if want := k.pair(x, i, j); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("kernel %d, %d is %v, want %v", i, j, got, want)
				}
			}
		}
	})
}

// TestScaledKernel: (s·z + r) at C is z at s·C, for r drops out where Σ α·y = 0.
func TestScaledKernel(t *testing.T) {
	x, y := blobs(200)
	a, err := machine(Kernel{Polynomial, 1, .05, 3}, 2).Train(background, x, all(200), y, NewColumnMap(x.Width))
	if err != nil {
		t.Fatal(err)
	}
	b, err := machine(Kernel{}, .1).Train(background, x, all(200), y, NewColumnMap(x.Width))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		near(t, "f", decision(Kernel{Polynomial, 1, .05, 3}, x, a, i), decision(Kernel{}, x, b, i), 1e-5)
	}
}

func TestLinearMachineIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := sample(t, 40)
		o := Linear{C: rapid.SampledFrom([]float64{.01, .5, 4}).Draw(t, "c"), Squared: rapid.Bool().Draw(t, "squared"),
			Bias:    rapid.SampledFrom([]float64{0, 1, 2}).Draw(t, "bias"),
			Epsilon: 1e-6, Iterations: 20000, Shrinking: rapid.Bool().Draw(t, "shrinking"), Seed: 1,
			columns: rapid.IntRange(0, 1).Draw(t, "columns")}
		r, err := o.Binary(background, x, y, NewColumnMap(x.Width))
		if err != nil {
			t.Fatal(err)
		}
		primal := 0.0
		for _, w := range r.Weights {
			primal += .5 * w * w
		}
		for i := range y {
			h := max(0, 1-float64(y[i])*x.Decide(r.Weights, o.Bias, i))
			if o.Squared {
				h *= h
			}
			primal += o.C * h
		}
		if !r.Converged || math.Abs(primal-r.Dual) > 1e-4*(1+primal) {
			t.Fatalf("primal %v, dual %v, converged %v", primal, r.Dual, r.Converged)
		}
	})
}

// table draws who wins each pair of k classes, i·k + j for i < j; every fourth is a cycle, all tied
// for odd k, and in every third one class wins all.
func table(rng *rand.Rand, k int) []bool {
	out := make([]bool, k*k)
	for i := range out {
		out[i] = rng.IntN(2) == 0
	}
	if rng.IntN(4) == 0 {
		for i := range k {
			for j := range k {
				out[i*k+j] = (j-i+k)%k <= k/2
			}
		}
	}
	if rng.IntN(3) == 0 {
		c := rng.IntN(k)
		for j := range k {
			out[c*k+j], out[j*k+c] = true, false
		}
	}
	return out
}

// count is the winner by all votes; classes of one label both have a vote instead of a duel.
func count(k int, label []uint16, table []bool) int {
	votes := make([]int, k)
	for i := range k {
		for j := i + 1; j < k; j++ {
			switch {
			case label != nil && label[i] == label[j]:
				votes[i]++
				votes[j]++
			case table[i*k+j]:
				votes[i]++
			default:
				votes[j]++
			}
		}
	}
	return slices.Index(votes, slices.Max(votes))
}

func TestEarlyWinnerIsThatOfAllVotes(t *testing.T) {
	testtime.Alone(t)
	rng := rand.New(rand.NewPCG(5, 6))
	duels, full := 0, 0
	for range 10000 {
		k := 3 + rng.IntN(28)
		table := table(rng, k)
		got, n := NewWinner(k, nil).Find(func(i, j int) bool { return table[i*k+j] })
		if want := count(k, nil, table); got != want {
			t.Fatalf("%d classes: winner %d, want %d", k, got, want)
		}
		duels, full = duels+n, full+k*(k-1)/2
	}
	if duels*10 > full*9 {
		t.Errorf("%d duels of %d", duels, full)
	}
	if _, n := NewWinner(93, nil).Find(func(i, _ int) bool { return i == 0 }); n != 92 {
		t.Errorf("%d duels where the first class wins all, want 92", n)
	}
}

// TestEarlyWinnerOfLabels: with classes that share labels, the label is that of all votes, and no
// duel is held within a label.
func TestEarlyWinnerOfLabels(t *testing.T) {
	testtime.Alone(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10000 {
		k := 2 + rng.IntN(29)
		table, label := table(rng, k), make([]uint16, k)
		for i := range label {
			label[i] = uint16(max(0, rng.IntN(k)-rng.IntN(k))) // label 0 has the most classes
		}
		asked := 0
		got, n := NewWinner(k, label).Find(func(i, j int) bool {
			if label[i] == label[j] || i >= j {
				t.Fatalf("duel of %d and %d, labels %v", i, j, label)
			}
			asked++
			return table[i*k+j]
		})
		if want := count(k, label, table); label[got] != label[want] || n != asked {
			t.Fatalf("labels %v: winner %d after %d duels, want the label of %d after %d", label, got, n, want, asked)
		}
	}
	if got, n := NewWinner(3, []uint16{0, 0, 0}).Find(nil); got != 0 || n != 0 {
		t.Errorf("one label: class %d after %d duels", got, n)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	x, y := blobs(50)
	if _, err := (Linear{C: 1, Epsilon: .1, Iterations: 10}).Binary(ctx, x, y,
		NewColumnMap(x.Width)); err != context.Canceled {
		t.Error(err)
	}
	if _, err := machine(Kernel{}, 1).Train(ctx, x, all(50), y, NewColumnMap(x.Width)); err != context.Canceled {
		t.Error(err)
	}
}

func TestCheck(t *testing.T) {
	for _, x := range []Rows{{Width: 1, Offsets: []uint32{0, 1}, Columns: []uint32{1}},
		{Width: 1, Offsets: []uint32{0, 1}, Columns: []uint32{0}, Values: []float32{float32(math.NaN())}},
		{Width: 1, Offsets: []uint32{0, 2}, Columns: []uint32{0}}} {
		if x.Check() == nil {
			t.Errorf("%v passes", x)
		}
	}
}

// products is a matrix of products of samples.
type products struct{ x *Rows }

func (p products) Len() int            { return p.x.Len() }
func (p products) At(i, j int) float64 { return Kernel{Shape: Dot}.pair(p.x, i, j) }
func (p products) Row(i int, dst []float64) {
	for j := range dst {
		dst[j] = p.At(i, j)
	}
}

// TestGramIsKernel trains from rows and from the matrix of their products.
func TestGramIsKernel(t *testing.T) {
	x, y := blobs(120)
	for _, cache := range []int64{1, 1 << 20} {
		for _, shrinking := range []bool{false, true} {
			o := Machine{C: 1, Epsilon: 1e-6, Shrinking: shrinking, Cache: cache}
			want, err := o.Train(background, x, all(x.Len()), y, NewColumnMap(x.Width))
			if err != nil {
				t.Fatal(err)
			}
			got, err := o.TrainGram(background, products{x}, y)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "dual", got.Dual, want.Dual, 1e-6*want.Dual)
			for i := range y {
				near(t, "decision", decision(o.Kernel, x, got, i), decision(o.Kernel, x, want, i), 1e-4)
			}
		}
	}
}
