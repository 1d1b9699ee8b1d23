package metrics

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/metrics/agreement"

	"pgregory.net/rapid"
)

// TestSamplesBruteForce compares resamples and swaps with those written out item by item.
func TestSamplesBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		list := func(name string) []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = float64(rapid.IntRange(0, 6).Draw(t, name))
			}
			return out
		}
		x, y, z := list("gold"), list("first"), list("second")
		labels := func(v []float64) (out []string) {
			for _, f := range v {
				out = append(out, string(rune('a'+int(f))))
			}
			return out
		}
		times, swap := make([]float64, n), make([]bool, n)
		var rx, ry []float64
		var u, v [3][]float64 // swapped: as they are, as ranks, standardised
		scales := [3]func([]float64) []float64{func(v []float64) []float64 { return v }, agreement.Ranks, agreement.Standard}
		for i := range times {
			times[i], swap[i] = float64(rapid.IntRange(0, 3).Draw(t, "times")), rapid.Bool().Draw(t, "swap")
			for range int(times[i]) {
				rx, ry = append(rx, x[i]), append(ry, y[i])
			}
			for k, scale := range scales {
				a, b := scale(y)[i], scale(z)[i]
				if swap[i] {
					a, b = b, a
				}
				u[k], v[k] = append(u[k], a), append(v[k], b)
			}
		}
		cohen := func(a, b []float64) float64 {
			var p, q []int32
			for i := range a {
				p, q = append(p, int32(a[i])), append(q, int32(b[i]))
			}
			return agreement.Cohen(p, q, 7)
		}
		for _, c := range []struct {
			first, second Metric
			f             func(a, b []float64) float64
			scale         int
		}{
			{Kappa(All, labels(x), labels(y)), Kappa(All, labels(x), labels(z)), cohen, 0},
			{Spearman(All, x, y), Spearman(All, x, z), agreement.Spearman, 1},
			{Pearson(All, x, y), Pearson(All, x, z), agreement.Pearson, 2},
		} {
			check := func(what string, got, want float64) {
				if math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s %s is %v, want %v", c.first.Name, what, got, want)
				}
			}
			check("value", c.first.Value(), c.f(x, y))
			check("resampled", c.first.Sample.Weighted()(times), c.f(rx, ry))
			a, b := c.first.Sample.Swapped(c.second.Sample)(swap)
			check("swapped, first", a, c.f(x, u[c.scale]))
			check("swapped, second", b, c.f(x, v[c.scale]))
		}
	})
}

// TestSamplesCompared tells a good model from a bad one, whatever the scales of their numbers, and
// comes out the same with any number of workers.
func TestSamplesCompared(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 300
	gold, good, bad := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range gold {
		gold[i] = rng.NormFloat64()
		good[i] = 1000 * (gold[i] + rng.NormFloat64())
		bad[i] = 0.001 * (gold[i] + 3*rng.NormFloat64())
	}
	a, b := Spearman(All, gold, good), Spearman(All, gold, bad)
	var first Comparison
	for workers := 1; workers < 4; workers++ {
		set := Chance{Confidence: 0.95, Resamples: 500, Shuffles: 1000, Seed: 7, Workers: workers}
		found, err := Compare(context.Background(), []Metric{a, a}, []Metric{b, a}, set)
		if err != nil {
			t.Fatal(err)
		}
		in, err := Intervals(context.Background(), []Metric{a}, set)
		if err != nil || in[0] == nil || in[0].Low >= a.Value() || in[0].High <= a.Value() {
			t.Errorf("the interval of %v is %v (%v)", a.Value(), in[0], err)
		}
		if c := found[0]; c.Value < 0.2 || c.P > 0.01 || !c.Tested || c.Interval.Low <= 0 || c.Units != n {
			t.Errorf("better: %+v", c)
		}
		if c := found[1]; c.P != 1 || c.Interval.Low != 0 || c.Interval.High != 0 {
			t.Errorf("of itself: %+v", c)
		}
		if workers == 1 {
			first = found[0]
		} else if found[0] != first {
			t.Errorf("%d workers give %+v, one gives %+v", workers, found[0], first)
		}
		set.Test = Sign
		if found, err = Compare(context.Background(), []Metric{a}, []Metric{b}, set); err != nil || found[0].Tested {
			t.Errorf("a correlation has a sign test: %+v (%v)", found, err)
		}
	}
}

// TestEmptySamples are worth 0 and have no interval.
func TestEmptySamples(t *testing.T) {
	for _, m := range []Metric{Spearman(All, nil, nil), Pearson(All, nil, nil), Kappa(All, nil, nil)} {
		in, err := Intervals(context.Background(), []Metric{m}, Chance{Confidence: 0.9, Resamples: 10, Workers: 1})
		if err != nil || in[0] != nil || m.Value() != 0 {
			t.Errorf("%s of nothing is %v in %v (%v)", m.Name, m.Value(), in[0], err)
		}
		found, err := Compare(context.Background(), []Metric{m}, []Metric{m},
			Chance{Confidence: 0.9, Resamples: 10, Shuffles: 10, Workers: 1})
		if err != nil || found[0].Units != 0 {
			t.Errorf("%s of nothing is compared: %+v (%v)", m.Name, found, err)
		}
	}
}
