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

// The example of Chang, Yih and Meek 2013, figures 1 and 3: columns joy, gladden, sorrow, sadden, anger,
// emotion, feeling; rows joyfulness, gladden, sad, anger.
func example() []*Matrix {
	slice := func(rows ...[]uint32) *Matrix {
		var entries []Entry
		for i, columns := range rows {
			for _, c := range columns {
				entries = append(entries, Entry{uint32(i), c, 1})
			}
		}
		m, err := NewMatrix(4, 7, entries)
		if err != nil {
			panic(err)
		}
		return m
	}
	return []*Matrix{
		slice([]uint32{0, 1}, []uint32{0, 1}, []uint32{2, 3}, []uint32{4}), // synonyms
		slice([]uint32{2}, []uint32{3}, []uint32{0}, nil),                  // antonyms
		slice([]uint32{5, 6}, nil, []uint32{5, 6}, []uint32{5, 6}),         // hypernyms
	}
}

func squares(p *Panel) float64 {
	sum := 0.0
	for _, v := range p.Data {
		sum += v * v
	}
	return sum
}

func decompose(t rapid.TB, w []*Matrix, o TuckerOptions) *Tucker {
	t.Helper()
	if o.Sweeps == 0 {
		o.Sweeps, o.Tolerance = 500, 1e-12
	}
	x, err := NewTucker(background, w, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func last(x *Tucker) float64 { return x.Captured[len(x.Captured)-1] }

func TestStartSpectrum(t *testing.T) {
	w := example()
	op := normal{w, []*Matrix{w[0].Transposed(), w[1].Transposed(), w[2].Transposed()}}
	values, _, err := TopEigen(background, op, 7, EigenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt(17)
	for i, want := range []float64{6, (5 + root) / 2, 3, 1, 1, (5 - root) / 2, 0} {
		near(t, fmt.Sprint("eigenvalue ", i), values[i], want, 1e-12)
	}
}

// TestExample has the worked figures of ranks 1, 2 and 3.
func TestExample(t *testing.T) {
	w := example()
	one, two, three := decompose(t, w, TuckerOptions{Rank: 1}), decompose(t, w, TuckerOptions{Rank: 2}),
		decompose(t, w, TuckerOptions{Rank: 3})
	near(t, "norm", one.Norm, 16, 0)
	near(t, "rank 1", last(one), 6, 1e-12)
	near(t, "rank 1, synonyms", squares(one.Core[0])+squares(one.Core[1]), 0, 1e-12)
	near(t, "rank 2", last(two), 10.253798, 1e-6)
	for k, want := range []float64{3.924636, 0.342311, 5.986851} {
		near(t, fmt.Sprint("rank 2, slice ", k), squares(two.Core[k]), want, 2e-5)
	}
	for i, want := range []float64{10.244616, 10.249204, 10.251521} {
		near(t, fmt.Sprint("rank 2, sweep ", i+1), two.Captured[i], want, 1e-6)
	}
	near(t, "rank 3", last(three), 9+(5+math.Sqrt(17))/2, 1e-10)
	for seed := range uint64(40) {
		x := decompose(t, w, TuckerOptions{Rank: 3, Random: true, Seed: seed})
		near(t, "rank 3 from a random start", last(x), 9+(5+math.Sqrt(17))/2, 1e-6)
	}
	best := decompose(t, w, TuckerOptions{Rank: 2, Random: true, Restarts: 40})
	near(t, "rank 2, best of 40 random starts", last(best), 10.253798, 1e-5)
}

// TestSigned decomposes synonyms less antonyms: singular values √7, 1, 1, 1.
func TestSigned(t *testing.T) {
	w := example()
	var entries []Entry
	for i := range 4 {
		for k, sign := range []float64{1, -1} {
			columns, values := w[k].Row(i)
			for j, c := range columns {
				entries = append(entries, Entry{uint32(i), c, sign * values[j]})
			}
		}
	}
	m, err := NewMatrix(4, 7, entries)
	if err != nil {
		t.Fatal(err)
	}
	for rank, want := range []float64{0, 7, 8, 9, 10} {
		if rank > 0 {
			near(t, fmt.Sprint("rank ", rank), last(decompose(t, []*Matrix{m}, TuckerOptions{Rank: rank})), want, 1e-9)
		}
	}
}

// reconstructed is U·S_k·Vᵀ.
func (t *Tucker) reconstructed(k int) *mat.Dense {
	var a, b mat.Dense
	a.Mul(t.U.dense(), t.Core[k].dense())
	b.Mul(&a, t.V.dense().T())
	return &b
}

// TestInvariants checks bases, core, residual and monotony on random tensors, and that neither the
// order nor a common scale of slices, nor the number of workers, matter.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n, m := rapid.IntRange(1, 30).Draw(t, "d"), rapid.IntRange(1, 30).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "m")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var w []*Matrix
		for range m {
			w = append(w, random(d, n, rng))
		}
		if (normSum(w)) == 0 {
			t.Skip("no values")
		}
		o := TuckerOptions{Rank: rapid.IntRange(1, 35).Draw(t, "rank"), Sweeps: 30, Tolerance: 1e-9,
			Random: rapid.Bool().Draw(t, "random"), Workers: 1}
		x := decompose(t, w, o)
		if off := max(offIdentity(x.U), offIdentity(x.V)); off > 1e-10 {
			t.Fatalf("the bases are off by %v", off)
		}
		for i := 1; i < len(x.Captured); i++ {
			if x.Captured[i] < x.Captured[i-1]-1e-9*x.Norm {
				t.Fatalf("sweep %d captures %v after %v", i+1, x.Captured[i], x.Captured[i-1])
			}
		}
		residual := 0.0
		for k := range w {
			var s, e mat.Dense
			s.Mul(x.U.dense().T(), w[k].dense())
			e.Mul(&s, x.V.dense())
			if !mat.EqualApprox(&e, x.Core[k].dense(), 1e-8) {
				t.Fatal("the core is not Uᵀ·W·V")
			}
			e.Reset()
			e.Sub(w[k].dense(), x.reconstructed(k))
			residual += math.Pow(mat.Norm(&e, 2), 2)
		}
		if math.Abs(residual-(x.Norm-last(x))) > 1e-8*x.Norm {
			t.Fatalf("residual %v, norm less captured %v", residual, x.Norm-last(x))
		}
		o.Workers = 3
		again := decompose(t, w, o)
		if !slices.Equal(again.U.Data, x.U.Data) || !slices.Equal(again.V.Data, x.V.Data) {
			t.Fatal("3 workers give other bits than 1")
		}
		if o.Rank >= max(d, n) && residual > 1e-8*x.Norm {
			t.Fatalf("full rank leaves %v of %v", residual, x.Norm)
		}
	})
}

func normSum(w []*Matrix) float64 {
	sum := 0.0
	for _, m := range w {
		sum += m.SquaredNorm()
	}
	return sum
}

// TestOneSlice captures the squared top singular values, and slices may be scaled and permuted.
func TestOneSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	w := random(60, 45, rng)
	var svd mat.SVD
	svd.Factorize(w.dense(), mat.SVDNone)
	values, sum := svd.Values(nil), 0.0
	for rank := 1; rank <= 10; rank++ {
		sum += values[rank-1] * values[rank-1]
		near(t, fmt.Sprint("rank ", rank),
			last(decompose(t, []*Matrix{w}, TuckerOptions{Rank: rank, Sweeps: 3000, Tolerance: 1e-15})), sum, 1e-7*sum)
	}
	a, b := random(30, 20, rng), random(30, 20, rng)
	x, y := decompose(t, []*Matrix{a, b}, TuckerOptions{Rank: 4}), decompose(t, []*Matrix{b, a}, TuckerOptions{Rank: 4})
	near(t, "other order", last(y), last(x), 1e-8*last(x))
	for _, m := range []*Matrix{a, b} {
		for i := range m.Values {
			m.Values[i] *= 8
		}
	}
	near(t, "other scale", decompose(t, []*Matrix{a, b}, TuckerOptions{Rank: 4}).Fit(), x.Fit(), 1e-10)
}

// TestFullTucker frees the third mode: T, from the m eigenvectors of ⟨S_k, S_l⟩, changes nothing.
func TestFullTucker(t *testing.T) {
	x := decompose(t, example(), TuckerOptions{Rank: 2})
	m := len(x.Core)
	gram := NewPanel(m, m)
	for k := range m {
		for l := range m {
			for i, v := range x.Core[k].Data {
				gram.Data[k*m+l] += v * x.Core[l].Data[i]
			}
		}
	}
	values, turn, _ := symmetricEigen(gram)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	near(t, "captured by the full core", sum, last(x), 1e-9)
	// S_k = Σ_t T[k,t]·G_t with G_t = Σ_k T[k,t]·S_k.
	for k := range m {
		again := make([]float64, len(x.Core[k].Data))
		for c := range m {
			for l := range m {
				for i, v := range x.Core[l].Data {
					again[i] += turn.Data[k*m+c] * turn.Data[l*m+c] * v
				}
			}
		}
		for i, v := range again {
			near(t, "core", v, x.Core[k].Data[i], 1e-10)
		}
	}
}

// TestGrid compares rank 1 of a tensor of 4 × 3 × 2 with a search over unit vectors.
func TestGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	w := []*Matrix{random(4, 3, rng), random(4, 3, rng)}
	best := 0.0
	const steps = 400
	for i := range steps {
		for j := range steps {
			a, b := math.Pi*float64(i)/steps, math.Pi*float64(j)/steps
			v := []float64{math.Sin(a) * math.Cos(b), math.Sin(a) * math.Sin(b), math.Cos(a)}
			// For fixed v the best u is the top eigenvector of Σ (W_k·v)(W_k·v)ᵀ.
			var y [2][4]float64
			for k := range w {
				for r := range 4 {
					columns, values := w[k].Row(r)
					for c, col := range columns {
						y[k][r] += values[c] * v[col]
					}
				}
			}
			var p, q, s float64
			for r := range 4 {
				p, q, s = p+y[0][r]*y[0][r], q+y[1][r]*y[1][r], s+y[0][r]*y[1][r]
			}
			best = max(best, (p+q)/2+math.Sqrt((p-q)*(p-q)/4+s*s))
		}
	}
	near(t, "captured", last(decompose(t, w, TuckerOptions{Rank: 1, Random: true, Restarts: 10})), best, 1e-3)
}

// TestLargeGram iterates where the Gram matrix is too large to be decomposed whole.
func TestLargeGram(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: left out by -short")
	}
	rng := rand.New(rand.NewPCG(17, 1))
	var w []*Matrix
	for range 3 {
		var entries []Entry
		for i := range 900 {
			for range 4 {
				entries = append(entries, Entry{uint32(i), uint32(rng.IntN(800)), 1 + 9*math.Pow(0.99, float64(i))})
			}
		}
		m, err := NewMatrix(900, 800, entries)
		if err != nil {
			t.Fatal(err)
		}
		w = append(w, m)
	}
	x := decompose(t, w, TuckerOptions{Rank: 175, Sweeps: 2, Tolerance: 1e-3, Workers: 2})
	if off := max(offIdentity(x.U), offIdentity(x.V)); off > 1e-10 {
		t.Errorf("the bases are off by %v", off)
	}
	for i := 1; i < len(x.Captured); i++ {
		if x.Captured[i] < x.Captured[i-1] {
			t.Errorf("sweep %d captures %v after %v", i+1, x.Captured[i], x.Captured[i-1])
		}
	}
	y := decompose(t, w, TuckerOptions{Rank: 175, Sweeps: 2, Tolerance: 1e-3, Workers: 1})
	if !slices.Equal(x.V.Data, y.V.Data) {
		t.Error("2 workers give other bits than 1")
	}
}

func TestTuckerErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 1))
	a, zero := random(5, 4, rng), &Matrix{Rows: 5, Cols: 4, Offsets: make([]int, 6)}
	huge, _ := NewMatrix(5, 4, []Entry{{0, 0, 1e200}})
	for want, err := range map[string]error{
		"no slices":         second(NewTucker(background, nil, TuckerOptions{Rank: 1})),
		"no common factors": second(NewTucker(background, []*Matrix{a, random(5, 5, rng)}, TuckerOptions{Rank: 1})),
		"a rank of 0":       second(NewTucker(background, []*Matrix{a}, TuckerOptions{})),
		"are 0":             second(NewTucker(background, []*Matrix{zero, zero}, TuckerOptions{Rank: 1})),
		"too large":         second(NewTucker(background, []*Matrix{huge}, TuckerOptions{Rank: 1})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	cancelled, cancel := context.WithCancel(background)
	cancel()
	if err := second(NewTucker(cancelled, []*Matrix{a}, TuckerOptions{Rank: 2})); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if x, err := NewTucker(background, []*Matrix{a, zero}, TuckerOptions{Rank: 100}); err != nil ||
		squares(x.Core[1]) != 0 {
		t.Error("an empty slice beside another", err)
	}
}

func second(_ *Tucker, err error) error { return err }
