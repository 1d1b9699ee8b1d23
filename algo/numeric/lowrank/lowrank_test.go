package lowrank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var background = context.Background()

func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// random returns a sparse matrix with about one value in three.
func random(rows, cols int, rng *rand.Rand) *Matrix {
	var entries []Entry
	for i := range rows {
		for j := range cols {
			if rng.IntN(3) == 0 {
				entries = append(entries, Entry{uint32(i), uint32(j), rng.NormFloat64()})
			}
		}
	}
	m, err := NewMatrix(rows, cols, entries)
	if err != nil {
		panic(err)
	}
	return m
}

func (m *Matrix) dense() *mat.Dense {
	d := mat.NewDense(m.Rows, m.Cols, nil)
	for i := range m.Rows {
		columns, values := m.Row(i)
		for k, c := range columns {
			d.Set(i, int(c), values[k])
		}
	}
	return d
}

func (p *Panel) dense() *mat.Dense { return mat.NewDense(p.Rows, p.Cols, slices.Clone(p.Data)) }

// TestMatrix compares products with dense ones, and entries in another order.
func TestMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols, k := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 40).Draw(t, "cols"),
			rapid.IntRange(1, 5).Draw(t, "k")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m, x := random(rows, cols, rng), Gaussian(cols, k, rng)
		got, want := NewPanel(rows, k), mat.NewDense(rows, k, nil)
		if err := m.Mul(background, 2, got, x); err != nil {
			t.Fatal(err)
		}
		want.Mul(m.dense(), x.dense())
		if !mat.EqualApprox(got.dense(), want, 1e-12) {
			t.Fatal("the product differs from the dense one")
		}
		if !mat.Equal(m.Transposed().dense(), m.dense().T()) {
			t.Fatal("the transpose differs from the dense one")
		}
	})
	m, err := NewMatrix(2, 2, []Entry{{1, 0, 2}, {0, 1, 1}, {1, 0, 3}})
	if err != nil || fmt.Sprint(m.Offsets, m.Columns, m.Values) != "[0 1 2] [1 0] [1 5]" || m.SquaredNorm() != 26 {
		t.Error(m, err)
	}
	for _, e := range []Entry{{2, 0, 1}, {0, 2, 1}, {0, 0, math.NaN()}, {0, 0, math.Inf(1)}} {
		if _, err := NewMatrix(2, 2, []Entry{e}); err == nil || !strings.Contains(err.Error(), "entry") {
			t.Errorf("%v gives %v", e, err)
		}
	}
}

// offIdentity is the largest |element of pᵀp − I|.
func offIdentity(p *Panel) float64 {
	g, _ := gramOf(background, 1, p)
	worst := 0.0
	for i := range p.Cols {
		g.Data[i*p.Cols+i]--
	}
	for _, v := range g.Data {
		worst = max(worst, math.Abs(v))
	}
	return worst
}

// TestOrthonormalize takes bases of panels whose columns depend on one another, are 0 or nearly
// parallel.
func TestOrthonormalize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(1, 20).Draw(t, "cols")
		rows := cols + rapid.IntRange(0, 400).Draw(t, "more rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := Gaussian(rows, cols, rng)
		for j := 1; j < cols; j++ {
			scale := rapid.SampledFrom([]float64{1, 1, 0, 1e-3, 1e-9, 1e-200}).Draw(t, "scale")
			for i := range rows {
				p.Data[i*cols+j] = p.Data[i*cols+j-1] + scale*p.Data[i*cols+j]
			}
		}
		before := p.Clone()
		if err := Orthonormalize(background, 2, p, rng); err != nil {
			t.Fatal(err)
		}
		if off := offIdentity(p); !(off < 1e-12) {
			t.Fatalf("the basis is off by %v", off)
		}
		// The old columns lie in the span: x = Q·Qᵀ·x.
		c, _ := CrossProduct(background, 1, p, before)
		again, _ := Product(background, 1, p, c)
		for i, v := range again.Data {
			if math.Abs(v-before.Data[i]) > 1e-8 {
				t.Fatal("an old column is outside the span")
			}
		}
	})
	zero := NewPanel(5, 3)
	if err := Orthonormalize(background, 1, zero, rand.New(rand.NewPCG(1, 1))); err != nil || offIdentity(zero) > 1e-12 {
		t.Error("a panel of zeros has no basis", err)
	}
}

func TestThinQR(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	p := Gaussian(700, 150, rng)
	before := p.Clone()
	r, err := orthonormalize(background, 2, p, rng)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	again, _ := Product(background, 1, p, r)
	if !mat.EqualApprox(again.dense(), before.dense(), 1e-10) {
		t.Error("Q·R is not the panel")
	}
}

// TestTopEigen compares large operators, which are iterated, with dense decompositions.
func TestTopEigen(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	n := 400
	if testing.Short() {
		n = 120
	}
	var entries []Entry
	for i := range n {
		entries = append(entries, Entry{uint32(i), uint32(i), 100 * math.Pow(0.8, float64(i)) * float64(1-2*(i%2))})
		for range 5 {
			j, v := rng.IntN(n), 0.01*rng.NormFloat64()
			entries = append(entries, Entry{uint32(i), uint32(j), v}, Entry{uint32(j), uint32(i), v})
		}
	}
	m, err := NewMatrix(n, n, entries)
	if err != nil {
		t.Fatal(err)
	}
	want, whole, err := wholeEigen(background, Symmetric{m}, 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	var first []float64
	for _, workers := range []int{1, 2, 5} {
		got, vectors, err := TopEigen(background, Symmetric{m}, 12, EigenOptions{Seed: 1, Workers: workers, Tolerance: 1e-15})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			near(t, "eigenvalue", got[i], want[i], 1e-8)
			if i > 0 && math.Abs(got[i]) > math.Abs(got[i-1]) {
				t.Error("eigenvalues are out of order")
			}
		}
		for i := range vectors.Data {
			near(t, "eigenvector", vectors.Data[i], whole.Data[i], 1e-4)
		}
		if first == nil {
			first = vectors.Data
		} else if !slices.Equal(first, vectors.Data) {
			t.Errorf("%d workers give other bits", workers)
		}
	}
	if got, v, err := TopEigen(background, Symmetric{m}, 1000, EigenOptions{Rounds: 1}); err != nil ||
		len(got) != n || v.Cols != n {
		t.Error("more eigenvectors than there are", err)
	}
	if _, _, err := TopEigen(background, Symmetric{m}, 0, EigenOptions{}); err == nil {
		t.Error("no eigenvectors are given")
	}
	cancelled, cancel := context.WithCancel(background)
	cancel()
	if _, _, err := TopEigen(cancelled, Symmetric{m}, 3, EigenOptions{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestNormalOperator multiplies by the sum of the squared slices.
func TestNormalOperator(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	w := []*Matrix{random(30, 20, rng), random(30, 20, rng)}
	op := normal{w, []*Matrix{w[0].Transposed(), w[1].Transposed()}}
	x, got := Gaussian(20, 3, rng), NewPanel(20, 3)
	if err := op.Apply(background, 2, got, x); err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(20, 3, nil)
	for _, m := range w {
		var a, b mat.Dense
		a.Mul(m.dense(), x.dense())
		b.Mul(m.dense().T(), &a)
		want.Add(want, &b)
	}
	if !mat.EqualApprox(got.dense(), want, 1e-10) {
		t.Error("the product differs from the dense one")
	}
}
