package rerank

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// example is the three sentences whose rounds were computed by hand: features 1 to 5 are numbers 0 to 4.
func example(t *testing.T, weighted bool) *Store {
	t.Helper()
	s := NewStore(5, weighted)
	for _, list := range [][]Candidate{
		{{9, -12, []int32{0, 1}}, {7, -11, []int32{1, 2}}, {6, -12.5, []int32{2, 3}}},
		{{5, -8, []int32{0, 3}}, {4.5, -7.5, []int32{2, 3}}},
		{{8, -20, []int32{1, 4}}, {7, -19, []int32{0, 4}}, {5, -21, []int32{2}}},
	} {
		if err := s.Add(list); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s is %.9g, want %.9g", what, got, want)
	}
}

// TestExample: base, sums, gains, changes and losses of both ways to count pairs.
func TestExample(t *testing.T) {
	for _, x := range []struct {
		weighted    bool
		base, start float64
		steps       []Step
	}{
		{true, 0.182, 9.38633424, []Step{{Feature: 2, Delta: -2.239914, Gain: 2.861244, Loss: 2.07123478},
			{Feature: 1, Delta: 2.226314, Gain: 1.325703, Loss: 0.50342343}, {Feature: 2, Delta: -2.160622, Loss: 0.17256849}}},
		{false, 0.001, 5.00100175, []Step{{Feature: 2, Delta: -2.197126, Loss: 1.44548899}, {Feature: 1, Delta: 2.224921},
			{Feature: 2, Delta: -2.127742, Loss: 0.13753322}}},
	} {
		m, err := Train(context.Background(), example(t, x.weighted), Options{Rounds: 3, Smoothing: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the base", m.Base, x.base, 1e-9)
		near(t, "the loss at the start", m.Start, x.start, 1e-8)
		for i, want := range x.steps {
			got := m.Steps[i]
			if got.Feature != want.Feature {
				t.Fatalf("round %d takes feature %d, want %d", i+1, got.Feature, want.Feature)
			}
			near(t, "the change", got.Delta, want.Delta, 1e-6)
			if want.Gain != 0 {
				near(t, "the gain", got.Gain, want.Gain, 1e-6)
			}
			if want.Loss != 0 {
				near(t, "the loss", got.Loss, want.Loss, 1e-8)
			}
		}
	}
}

// TestExampleSums: the sums of the first round, and the margins after it.
func TestExampleSums(t *testing.T) {
	b := newBooster(example(t, true), Options{Smoothing: 0.01}, 0.182)
	for k, want := range [][2]float64{{5.685916, 1.199614}, {6.439471, 0}, {0, 8.186720}, {0, 2.739053}, {2.500804, 0}} {
		near(t, "W+", float64(b.plus[k])*b.unit, want[0], 1e-6)
		near(t, "W-", float64(b.minus[k])*b.unit, want[1], 1e-6)
	}
	b.round()
	for p, want := range []float64{2.057914, 2.330914, 2.148914, -0.182, 2.421914} {
		near(t, "the margin", b.margin[p], want, 1e-6)
	}
	for k, want := range []float64{0.317216, 1.325703, 0.933606, 0.540019, 0.515999} {
		near(t, "the gain", b.gains.gain[k]*math.Sqrt(b.unit), want, 1e-6)
	}
}

// TestExampleLogarithmic: probabilities, the loss and the bound of a change.
func TestExampleLogarithmic(t *testing.T) {
	b := newBooster(example(t, true), Options{Loss: Logarithmic}, 1)
	near(t, "the loss", b.value(), 3.84605173, 1e-8)
	for p, want := range []float64{.628532, .140244, .622459, .665241, .090031} {
		near(t, "the probability", float64(b.weight[p])*b.unit, want, 1e-6)
	}
	plus, minus := float64(b.plus[0])*b.unit, float64(b.minus[0])*b.unit
	near(t, "W+", plus, 1.391235, 1e-6)
	near(t, "W-", minus, 0.665241, 1e-6)
	d := delta(b.plus[0], b.minus[0], b.total, 0)
	near(t, "the change", d, 0.368899, 1e-6)
	near(t, "the bound", b.value()-math.Pow(math.Sqrt(plus)-math.Sqrt(minus), 2), 3.713641, 1e-6)
	for _, p := range b.pairs.of(0) {
		if p >= 0 {
			b.margin[p] += d
		} else {
			b.margin[^p] -= d
		}
	}
	for i := range b.s.Lists() {
		b.update(b.s.first[i], b.s.first[i+1], b.add)
	}
	near(t, "the loss after it", b.value(), 3.621991, 1e-6)
}

// random makes lists whose features are frequent and rare as words are.
func random(t *testing.T, seed uint64, lists, features int, weighted bool) *Store {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	s := NewStore(features, weighted)
	for range lists {
		list := make([]Candidate, 2+rng.IntN(10))
		for j := range list {
			c := Candidate{Gold: float64(rng.IntN(8)), Log: -20 * rng.Float64()}
			for range 25 {
				c.Features = append(c.Features, int32(float64(features)*math.Pow(rng.Float64(), 3)))
			}
			slices.Sort(c.Features)
			c.Features = slices.Compact(c.Features)
			list[j] = c
		}
		if err := s.Add(list); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// plain does a round by passes over all pairs and all features.
func plain(w *weigher, smoothing float64) (Step, bool) {
	plus, minus := make([]int64, w.s.Features), make([]int64, w.s.Features)
	w.total, w.costs = 0, 0
	clear(w.weight)
	clear(w.cost)
	for i := range w.s.Lists() {
		w.update(w.s.first[i], w.s.first[i+1], func(p int32, by int64) {
			for _, k := range w.s.of(p) {
				if k >= 0 {
					plus[k] += by
				} else {
					minus[^k] += by
				}
			}
		})
	}
	best, most := int32(0), 0.0
	for k := range plus {
		if g := gain(plus[k], minus[k]); g > most {
			best, most = int32(k), g
		}
	}
	d := delta(plus[best], minus[best], w.total, smoothing)
	if most == 0 || d == 0 {
		return Step{}, false
	}
	loss := w.value()
	for p := range int32(w.s.Pairs()) {
		for _, k := range w.s.of(p) {
			switch k {
			case best:
				w.margin[p] += d
			case ^best:
				w.margin[p] -= d
			}
		}
	}
	return Step{Feature: best, Delta: d, Gain: most * math.Sqrt(w.unit), Loss: loss}, true
}

// TestFastIsPlain: rounds by indices are those of passes over all data, bit for bit, for ten thousand rounds.
func TestFastIsPlain(t *testing.T) {
	for _, x := range []struct {
		loss     Loss
		weighted bool
		rounds   int
	}{{Exponential, true, 10000}, {Exponential, false, 2000}, {Logarithmic, true, 2000}} {
		s := random(t, 7, 40, 300, x.weighted)
		m, err := Train(context.Background(), s, Options{Loss: x.loss, Rounds: x.rounds, Smoothing: 0.001})
		if err != nil {
			t.Fatal(err)
		}
		w := newWeigher(s, x.loss, m.Base)
		for r, got := range m.Steps {
			want, ok := plain(w, 0.001)
			loss := m.Start
			if r > 0 {
				loss = m.Steps[r-1].Loss
			}
			if !ok || got.Feature != want.Feature || got.Delta != want.Delta || got.Gain != want.Gain || loss != want.Loss {
				t.Fatalf("loss %d, round %d: %+v after loss %v, want %+v", x.loss, r+1, got, loss, want)
			}
		}
		if len(m.Steps) < x.rounds {
			t.Errorf("loss %d: %d rounds of %d", x.loss, len(m.Steps), x.rounds)
		}
	}
}

// TestProperties: losses fall, bound errors, and gain what the theory says; few rounds are the beginning of many; a
// feature that all candidates of a list have changes nothing.
func TestProperties(t *testing.T) {
	s := random(t, 3, 60, 200, true)
	for _, loss := range []Loss{Exponential, Logarithmic} {
		o := Options{Loss: loss, Rounds: 300, Smoothing: 0.0025}
		m, err := Train(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		last := m.Start
		for r, x := range m.Steps {
			if !(x.Loss < last) {
				t.Fatalf("loss %d, round %d: %v after %v", loss, r+1, x.Loss, last)
			}
			last = x.Loss
		}
		o.Rounds = 50
		few, err := Train(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(few.Steps, m.Steps[:50]) || !slices.Equal(few.Weights(200, 1000), m.Weights(200, 50)) {
			t.Errorf("loss %d: 50 rounds are not the first 50 of 300", loss)
		}
	}
}

// TestGradient: W⁻ − W⁺ is the derivative of the loss by the weight of a feature.
func TestGradient(t *testing.T) {
	s := random(t, 5, 20, 40, true)
	const h = 1e-5
	for _, loss := range []Loss{Exponential, Logarithmic} {
		b := newBooster(s, Options{Loss: loss}, 0.1)
		at := func(k int32, by float64) float64 {
			w := newWeigher(s, loss, 0.1)
			for _, p := range b.pairs.of(k) {
				if p >= 0 {
					w.margin[p] += by
				} else {
					w.margin[^p] -= by
				}
			}
			for i := range s.Lists() {
				w.update(s.first[i], s.first[i+1], func(int32, int64) {})
			}
			return w.value()
		}
		for k := range int32(40) {
			near(t, "the derivative", float64(b.minus[k]-b.plus[k])*b.unit, (at(k, h)-at(k, -h))/(2*h), 1e-6*b.value())
		}
	}
}

// TestSavings: the share of the data that a round looks at falls, for later rounds take rarer features.
func TestSavings(t *testing.T) {
	s := random(t, 11, 1000, 10000, true)
	m, err := Train(context.Background(), s, Options{Rounds: 3000, Smoothing: 0.0025})
	if err != nil {
		t.Fatal(err)
	}
	n := len(m.Steps)
	early, late := m.Savings(0, 10), m.Savings(1000, n)
	t.Logf("%d pairs, %d entries: savings %.0f in rounds 1-10, %.0f in 11-100, %.0f in 101-1000, %.0f after",
		s.Pairs(), s.Entries(),
		early, m.Savings(10, 100), m.Savings(100, 1000), late)
	if !(late > early && late > 100) {
		t.Errorf("savings are %.0f and later %.0f", early, late)
	}
}

// TestBadInput: numbers that are none, features that are not there, lists without a pair, an ended context.
func TestBadInput(t *testing.T) {
	s := NewStore(2, true)
	for name, c := range map[string]Candidate{"log": {1, math.NaN(), nil}, "gold": {math.Inf(1), 0, nil},
		"feature": {1, 0, []int32{2}}, "below": {1, 0, []int32{-1}}} {
		if s.Add([]Candidate{{Gold: 1}, c}) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	same := []Candidate{{1, -1, []int32{0}}, {1, -2, []int32{1}}}
	if err := s.Add(same); err != nil || s.Pairs() != 0 || s.Add(nil) != nil || Best(same).Log != -1 {
		t.Errorf("equal candidates: %d pairs, %v", s.Pairs(), err)
	}
	if _, err := Train(context.Background(), s, Options{Rounds: 1, Smoothing: 1}); !errors.Is(err, ErrNoPairs) {
		t.Errorf("without pairs: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ctx, example(t, true), Options{Rounds: 5, Smoothing: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
