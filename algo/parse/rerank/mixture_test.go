package rerank

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// mixtureOf has random lists of some scorers.
func mixtureOf(rng *rand.Rand, lists, scorers int) *Mixture {
	m := &Mixture{Restarts: 3}
	for range lists {
		var c Choices
		for range 1 + rng.IntN(6) {
			good := rng.IntN(11)
			s := make([]float64, scorers)
			for k := range s {
				s[k] = float64(k+1) * (0.2*float64(good) + rng.NormFloat64())
			}
			if rng.IntN(8) == 0 && len(c.Scores) > 0 {
				s = c.Scores[0] // a tie everywhere
			}
			c.Scores, c.Common, c.All = append(c.Scores, s), append(c.Common, int32(good)), append(c.All, 20)
		}
		m.Lists = append(m.Lists, c)
	}
	return m
}

// TestLine: no point of a fine grid along a line is better than the step that is found, which has the F1 that is told.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		m := mixtureOf(rng, 1+rng.IntN(12), 3)
		w, d := make([]float64, 3), make([]float64, 3)
		for k := range w {
			w[k], d[k] = rng.NormFloat64(), rng.NormFloat64()
		}
		at := func(t float64) []float64 {
			out := make([]float64, 3)
			for k := range out {
				out[k] = w[k] + t*d[k]
			}
			return out
		}
		step, f := m.Line(w, d)
		if got := m.F1(at(step)); math.Abs(got-f) > 1e-12 {
			t.Fatalf("F1 %v at step %v, %v is told", got, step, f)
		}
		for x := -20.0; x <= 20; x += 0.003 {
			if g := m.F1(at(x)); g > f+1e-12 {
				t.Fatalf("F1 %v at %v, %v at %v is told to be best", g, x, f, step)
			}
		}
	}
}

// TestMixture: no scorer alone is better, a scorer that may not be used has no weight, and the same seed gives the
// same.
func TestMixture(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 10 {
		m := mixtureOf(rng, 40, 3)
		w, f, err := m.Fit(context.Background(), []bool{true, true, true}, rand.New(rand.NewPCG(1, 1)))
		if err != nil || math.Abs(m.F1(w)-f) > 1e-12 {
			t.Fatalf("F1 %v of %v, %v is told, %v", m.F1(w), w, f, err)
		}
		for k := range 3 { // no single weight can be changed for the better
			d := make([]float64, 3)
			d[k] = 1
			if step, g := m.Line(w, d); g > f+1e-9 {
				t.Errorf("F1 %v with weight %d changed by %v, the mixture has %v", g, k, step, f)
			}
		}
		for k := range 3 {
			alone := make([]float64, 3)
			alone[k] = 1
			if g := m.F1(alone); g > f+1e-12 {
				t.Errorf("scorer %d alone has F1 %v, the mixture %v", k, g, f)
			}
		}
		again, _, _ := m.Fit(context.Background(), []bool{true, true, true}, rand.New(rand.NewPCG(1, 1)))
		less, _, _ := m.Fit(context.Background(), []bool{true, false, true}, rand.New(rand.NewPCG(1, 1)))
		for k := range w {
			if w[k] != again[k] {
				t.Errorf("weights %v, then %v", w, again)
			}
		}
		if less[1] != 0 {
			t.Errorf("weights %v, the second scorer should have none", less)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := mixtureOf(rng, 5, 3).Fit(ctx, []bool{true, true, true}, rng); err == nil {
		t.Error("a context that has ended does not end the search")
	}
}

// TestLocal: no single weight of a mixture can be changed for the better.
func TestLocal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 5 {
		m := mixtureOf(rng, 200, 7)
		m.Restarts = 0
		use := []bool{true, true, true, true, true, true, true}
		w, f, err := m.Fit(context.Background(), use, rng)
		if err != nil {
			t.Fatal(err)
		}
		for k := range use {
			d := make([]float64, len(use))
			d[k] = 1
			if step, g := m.Line(w, d); g > f+1e-9 {
				t.Errorf("F1 %v with weight %d changed by %v, the mixture has %v", g, k, step, f)
			}
		}
	}
}
