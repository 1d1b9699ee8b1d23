package online

import (
	"errors"
	"math"
	"math/rand/v2"
	"pgregory.net/rapid"
	"slices"
	"testing"
)

const features = 6

// randomVector has about half of the features.
func randomVector(rng *rand.Rand) Vector {
	var terms []Term
	for range rng.IntN(2 * features) {
		terms = append(terms, Term{uint64(rng.IntN(features)), float64(rng.IntN(9) - 4)})
	}
	return Collect(terms)
}

func dense(v Vector) []float64 {
	out := make([]float64, features)
	for _, t := range v {
		out[t.At] += t.Value
	}
	return out
}

func dot(a, b []float64) (s float64) {
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

func TestVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a, b := randomVector(rng), randomVector(rng)
		x, y, z := dense(a), dense(b), dense(Difference(a, b))
		for i := range x {
			if z[i] != x[i]-y[i] {
				t.Fatalf("%v − %v is %v", a, b, Difference(a, b))
			}
		}
		if a.Dot(b) != dot(x, y) {
			t.Fatal(a, b, a.Dot(b))
		}
	})
}

// TestMean: the lazy mean is that of the weights after each step, written down one by one, for every rule.
func TestMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rule := Rule(rapid.IntRange(0, 3).Draw(t, "rule"))
		w, sum, steps := NewWeights(features, true), make([]float64, features), rapid.IntRange(1, 30).Draw(t, "steps")
		for range steps {
			if _, err := w.Update(rule, randomVector(rng), randomVector(rng), float64(rng.IntN(4)), 0.5); err != nil {
				t.Fatal(err)
			}
			for i, v := range w.W {
				sum[i] += v
			}
		}
		for i, v := range w.Mean() {
			if math.Abs(v-sum[i]/float64(steps)) > 1e-10 {
				t.Fatalf("mean %v, want %v", v, sum[i]/float64(steps))
			}
		}
	})
}

// TestUpdatesByHand: Δ = (1, −2), |Δ|² = 5, w·Δ = −3 from w = (1, 2).
func TestUpdatesByHand(t *testing.T) {
	gold, other := Vector{{0, 1}, {2, 1}}, Vector{{1, 2}, {2, 1}}
	for _, c := range []struct {
		rule          Rule
		loss, c, step float64
	}{
		{Perceptron, 0, 0, 1}, {Margin, 0, -3, 1}, {Margin, 0, -4, 0}, {LossAugmented, -3, 0, 0}, {LossAugmented, -2.5, 0, 1},
		{PassiveAggressive, 2, 10, 1}, {PassiveAggressive, 7, 10, 2}, {PassiveAggressive, 7, 0.5, 0.5},
		{PassiveAggressive, -3, 10, 0},
	} {
		w := &Weights{W: []float64{1, 2, 0}}
		step, err := w.Update(c.rule, gold, other, c.loss, c.c)
		if want := []float64{1 + c.step, 2 - 2*c.step, 0}; err != nil || step != c.step || !slices.Equal(w.W, want) {
			t.Errorf("%+v: step %v to %v, want %v (%v)", c, step, w.W, want, err)
		}
	}
	w := &Weights{W: []float64{1, 2, 0}}
	if step, err := w.Update(Perceptron, gold, gold, 0, 0); step != 0 || err != nil {
		t.Errorf("equal features move the weights by %v (%v)", step, err)
	}
}

// TestHildreth: the multipliers are those of a plain projected gradient on the dual ½|Σ αΔ|² − α·lack.
func TestHildreth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		k, c := rapid.IntRange(1, 4).Draw(t, "k"), rapid.SampledFrom([]float64{0.05, 0.5}).Draw(t, "c")
		deltas, lack, bound := make([]Vector, k), make([]float64, k), 1.0
		for j := range k {
			deltas[j], lack[j] = randomVector(rng), float64(rng.IntN(7)-2)
			bound += deltas[j].Dot(deltas[j])
		}
		change := func(alpha []float64) []float64 {
			out := make([]float64, features)
			for j, a := range alpha {
				for _, t := range deltas[j] {
					out[t.At] += a * t.Value
				}
			}
			return out
		}
		value := func(alpha []float64) float64 { d := change(alpha); return dot(d, d)/2 - dot(alpha, lack) }
		plain := make([]float64, k)
		for range 20_000 {
			d := change(plain)
			for j := range plain {
				plain[j] = min(c, max(0, plain[j]+(lack[j]-dot(d, dense(deltas[j])))/bound))
			}
		}
		got := Hildreth(deltas, lack, c)
		for j, a := range got {
			if a < 0 || a > c {
				t.Fatal(a)
			}
			if deltas[j].Dot(deltas[j]) == 0 {
				plain[j] = 0 // without features its multiplier changes nothing
			}
		}
		if g, p := value(got), value(plain); g > p+1e-5 {
			t.Fatalf("dual %v by Hildreth, %v by projected gradient", g, p)
		}
	})
}

// TestHildrethByHand: two constraints of which the second implies the first, and one alone.
func TestHildrethByHand(t *testing.T) {
	d1, d2 := Vector{{0, 1}}, Vector{{0, 1}, {1, 1}}
	a := Hildreth([]Vector{d1, d2}, []float64{1, 2}, math.Inf(1))
	if math.Abs(a[0]) > 1e-6 || math.Abs(a[1]-1) > 1e-6 {
		t.Errorf("multipliers %v, want 0 and 1", a)
	}
	if a := Hildreth([]Vector{{{0, 1}, {1, -1}}}, []float64{1}, math.Inf(1)); a[0] != 0.5 {
		t.Errorf("multiplier %v, want 0.5", a[0])
	}
	if a := Hildreth([]Vector{{{0, 1}, {1, -1}}}, []float64{1}, 0.25); a[0] != 0.25 {
		t.Errorf("multiplier %v, want the bound 0.25", a[0])
	}
}

// TestMIRA: of one output it is the passive-aggressive update; without a bound all outputs are behind by their loss.
func TestMIRA(t *testing.T) {
	a, b := NewWeights(features, true), NewWeights(features, true)
	d := Vector{{0, 1}, {1, -2}}
	for _, loss := range []float64{3, 1, 8} {
		x, err1 := a.MIRA([]Vector{d}, []float64{loss}, 1)
		y, err2 := b.Update(PassiveAggressive, d, nil, loss, 1)
		if err1 != nil || err2 != nil || math.Abs(x[0]-y) > 1e-12 {
			t.Fatal(x, y, err1, err2)
		}
	}
	w, two := NewWeights(features, false), []Vector{{{0, 1}, {1, -1}}, {{0, 1}, {2, -1}}}
	if _, err := w.MIRA(two, []float64{1, 2}, math.Inf(1)); err != nil || w.Dot(two[0]) < 1-1e-6 ||
		w.Dot(two[1]) < 2-1e-6 {
		t.Fatal(w.W, err)
	}
}

// TestPegasos against the update written out over all weights.
func TestPegasos(t *testing.T) {
	rng, p, w := rand.New(rand.NewPCG(1, 1)), NewPegasos(features, 0.1), make([]float64, features)
	for step := 1; step <= 300; step++ {
		delta := randomVector(rng)
		moved, err := p.Step(delta, 1)
		if err != nil {
			t.Fatal(err)
		}
		d, rate := dense(delta), 1/(0.1*float64(step))
		want := dot(w, d) < 1
		for i := range w {
			if w[i] *= 1 - rate*0.1; want {
				w[i] += rate * d[i]
			}
		}
		for i, v := range p.Weights() {
			if moved != want || math.Abs(v-w[i]) > 1e-9 {
				t.Fatalf("step %d: %v, want %v", step, p.Weights(), w)
			}
		}
	}
}

func TestNotFinite(t *testing.T) {
	bad := Vector{{0, math.Inf(1)}}
	w := NewWeights(features, true)
	if _, err := w.Update(PassiveAggressive, bad, nil, 1, 1); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	if _, err := w.MIRA([]Vector{bad}, []float64{1}, 1); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	if _, err := NewPegasos(features, 1).Step(bad, 1); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	if w.Steps != 0 || slices.ContainsFunc(w.W, func(x float64) bool { return x != 0 }) {
		t.Error("the weights have moved")
	}
}

func TestShrinkingWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, factor := range []float64{1, .99, .6} {
		w := NewShrinking(4, true)
		naive, mean := make([]float64, 4), make([]float64, 4)
		for range 60 {
			w.Shrink(factor)
			for i := range naive {
				naive[i] *= factor
			}
			for range r.IntN(3) {
				at, delta := r.IntN(3), r.NormFloat64()
				w.Add(1, []uint32{uint32(at)}, delta)
				naive[1+at] += delta
			}
			w.Next()
			for i, v := range naive {
				mean[i] += v / 60
			}
		}
		for i, v := range w.Mean() {
			if math.Abs(float64(v)-mean[i]) > 1e-4 {
				t.Errorf("factor %v: mean %v, want %v", factor, w.Mean(), mean)
				break
			}
		}
		if got, want := w.Sums(1, []uint32{0, 2}), naive[1]+naive[3]; math.Abs(got-want) > 1e-4 {
			t.Errorf("factor %v: sum %v, want %v", factor, got, want)
		}
	}
}
