package chain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// toy is sequences such as pqp/ABA: words p, q, r are attributes 0 to 2, labels A and B.
func toy(seqs ...string) *Data {
	d := &Data{Labels: 2, Attributes: 3, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for _, s := range seqs {
		words, labels, _ := strings.Cut(s, "/")
		for i := range words {
			d.Attrs = append(d.Attrs, uint32(words[i]-'p'))
			d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
			d.Gold = append(d.Gold, uint16(labels[i]-'A'))
		}
		d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
	}
	return d
}

var three = []string{"pqp/ABA", "qr/BB", "rpr/BAB"}

// named lists weights as epA, tAB.
func named(m *Model) string {
	var out []string
	for w := range m.States() {
		out = append(out, fmt.Sprintf("e%c%c %g", 'p'+w.Attr, 'A'+w.Label, w.Weight))
	}
	for w := range m.Transitions() {
		out = append(out, fmt.Sprintf("t%c%c %g", 'A'+w.From, 'A'+w.To, w.Weight))
	}
	return strings.Join(out, ", ")
}

func trainOnline(t testing.TB, d *Data, o Online) (m *Model, updates, epochs int) {
	t.Helper()
	o.InOrder, o.AllStates, o.AllTransitions = true, true, true
	m, sum, err := TrainOnline(context.Background(), d, o, func(p Pass) bool { updates += p.Updates; return false })
	if err != nil {
		t.Fatal(err)
	}
	return m, updates, sum.Iterations
}

// The weights are those of Kazama and Torisawa's algorithms worked by hand; its bound on updates is (2C + R²)/γ².
func TestPerceptronByHand(t *testing.T) {
	const want = "epA 1, epB -1, eqA -2, eqB 2, erA -1, erB 1, tAA -2, tAB 1, tBA 1, tBB 0"
	m, updates, epochs := trainOnline(t, toy(three...), Online{Epochs: 100})
	if got := named(m); got != want || updates != 4 || epochs != 3 {
		t.Errorf("%d updates, %d epochs: %s", updates, epochs, got)
	}
	// R² is at most 30: 3 tokens whose 2 features and 2 transitions change.
	for _, c := range []float64{0, 5, 50} {
		m, updates, epochs := trainOnline(t, toy(three...), Online{Epochs: 200, Rule: Margin, C: c})
		margin, norm := clearance(t, m, toy(three...))
		if bound := (2*c + 30) / math.Pow(margin/norm, 2); margin <= c || epochs == 200 || float64(updates) > bound {
			t.Errorf("C = %g: margin %g after %d updates in %d epochs; at most %g updates", c, margin, updates, epochs, bound)
		}
	}
}

// clearance returns the least margin of the gold labels, and the norm of the weights.
func clearance(t *testing.T, m *Model, d *Data) (margin, norm float64) {
	dec, _ := m.NewDecoder(nil)
	margin = math.Inf(1)
	for i := range d.Sequences() {
		dec.Load(d.Sequence(i))
		paths, err := dec.NBest(2)
		if err != nil {
			t.Fatal(err)
		}
		gold := dec.Score(d.Gold[d.Offsets[i]:d.Offsets[i+1]])
		margin = min(margin, gold-paths[1].Score)
	}
	for w := range m.States() {
		norm += w.Weight * w.Weight
	}
	for w := range m.Transitions() {
		norm += w.Weight * w.Weight
	}
	return margin, math.Sqrt(norm)
}

// The mean that is kept lazily is the mean of the weights after each step.
func TestAveragingIsTheMean(t *testing.T) {
	d := sample(1, 40, 4)
	for _, rule := range []Rule{Perceptron, Margin, PassiveAggressive} {
		o := Online{Rule: rule, C: 0.7, Epochs: 3, InOrder: true, Averaged: true}
		m, _, err := TrainOnline(context.Background(), d, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, _ := newLayout(d, false, false)
		p := newPerceptron(d, l, Online{Rule: rule, C: 0.7})
		mean, n := make([]float64, l.size()), 0.0
		for range 3 {
			for i := range d.Sequences() {
				if d.Offsets[i+1] == d.Offsets[i] {
					continue
				}
				if _, _, err := p.sequence(i); err != nil {
					t.Fatal(err)
				}
				for f, w := range p.W {
					mean[f] += w
				}
				n++
			}
		}
		got := append(append([]float64(nil), m.parts.Weights...), m.parts.TransWeights...)
		for f := range mean {
			if math.Abs(mean[f]/n-got[f]) > 1e-12*(1+math.Abs(mean[f])) {
				t.Fatalf("rule %d, feature %d: mean %g, lazily %g", rule, f, mean[f]/n, got[f])
			}
		}
	}
}

// After a passive-aggressive step below C the gold labels win by the root of the errors.
func TestPassiveAggressiveStep(t *testing.T) {
	d := sample(2, 30, 3)
	l, _ := newLayout(d, true, true)
	p := newPerceptron(d, l, Online{Rule: PassiveAggressive, C: 1e9})
	for i := range d.Sequences() {
		seq, gold := d.Sequence(i), d.Gold[d.Offsets[i]:d.Offsets[i+1]]
		if len(gold) == 0 {
			continue
		}
		l0 := modelOf(l, append([]float64(nil), p.W...))
		dec, _ := l0.NewDecoder(nil)
		dec.Load(seq)
		best, _, _ := dec.Viterbi()
		best = append([]uint16(nil), best...)
		_, errors, err := p.sequence(i)
		if err != nil {
			t.Fatal(err)
		}
		if errors == 0 {
			continue
		}
		after, _ := modelOf(l, append([]float64(nil), p.W...)).NewDecoder(nil)
		after.Load(seq)
		if gap := after.Score(gold) - after.Score(best); math.Abs(gap-math.Sqrt(float64(errors))) > 1e-9 {
			t.Fatalf("sequence %d: the gold labels win by %g, want √%d", i, gap, errors)
		}
	}
}

// Descent reaches the optimum that L-BFGS finds within half a percent.
func TestDescentReachesTheOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	d := sample(3, 300, 4)
	for _, c := range []struct{ l1, l2 float64 }{{0, 1}, {0.5, 0}} {
		best, sum, err := Train(context.Background(), d, Options{L1: c.l1, L2: c.l2, Epsilon: 1e-6}, nil)
		if err != nil {
			t.Fatal(err)
		}
		o := Online{Rule: Gradient, L2: c.l2, Epochs: 64}
		if c.l1 > 0 {
			o = Online{Rule: GradientL1, L1: c.l1, Decay: 0.93, Epochs: 80, Rate: 0.5}
		}
		m, _, err := TrainOnline(context.Background(), d, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, _ := newLayout(d, false, false)
		value := func(m *Model) float64 {
			w := append(append([]float64(nil), m.parts.Weights...), m.parts.TransWeights...)
			f, err := newObjective(d, l, c.l2, 1).evaluate(context.Background(), w, make([]float64, len(w)))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range w {
				f += c.l1 * math.Abs(v)
			}
			return f
		}
		if got, want := value(m), value(best); got > 1.005*want {
			t.Errorf("l1 %g, l2 %g: %g, L-BFGS reaches %g (%s)", c.l1, c.l2, got, want, sum.Status)
		}
	}
}

// sample is random data of some sequences.
func sample(seed uint64, sequences, labels int) *Data {
	return randomData(rand.New(rand.NewPCG(seed, 1)), sequences, 8, labels, 12, true)
}

// TestSearchFollowsWeights compares the search of a perceptron under rules of BIO, after each sequence it
// learnt from, with that of a decoder made for the weights of that moment.
func TestSearchFollowsWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	rules := NewConstraints(5) // O, B-x, I-x, B-y, I-y
	for _, inside := range []int{2, 4} {
		rules.ForbidStart(inside)
		for from := range 5 {
			if from != inside && from != inside-1 {
				rules.Forbid(from, inside)
			}
		}
	}
	d := &Data{Labels: 5, Attributes: 6, Offsets: []uint32{0}, AttrOffsets: []uint32{0}}
	for range 40 {
		last := 0
		for range 6 {
			y := rng.IntN(5)
			if y > 0 && y%2 == 0 && last != y && last != y-1 {
				y--
			}
			last = y
			d.Attrs = append(d.Attrs, uint32(rng.IntN(6)))
			d.AttrOffsets = append(d.AttrOffsets, uint32(len(d.Attrs)))
			d.Gold = append(d.Gold, uint16(y))
		}
		d.Offsets = append(d.Offsets, uint32(len(d.Gold)))
	}
	l, err := newLayout(d, true, true)
	if err != nil {
		t.Fatal(err)
	}
	p := newPerceptron(d, l, Online{Rules: rules})
	if len(p.search.grammar.shut) != 2 {
		t.Fatalf("%d shut labels, want 2", len(p.search.grammar.shut))
	}
	for i := range d.Sequences() {
		if _, _, err := p.sequence(i); err != nil {
			t.Fatal(err)
		}
		fresh, err := modelOf(l, append([]float64(nil), p.W...)).NewDecoder(rules)
		if err != nil {
			t.Fatal(err)
		}
		fresh.Load(d.Sequence(i))
		want, score, err := fresh.Viterbi()
		if err != nil {
			t.Fatal(err)
		}
		copy(p.search.lattice.scores, fresh.lattice.scores)
		p.search.loaded()
		if got, s, err := p.search.Viterbi(); err != nil || s != score || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("after sequence %d: %v with %g, want %v with %g: %v", i, got, s, want, score, err)
		}
	}
}

// TestRunaway: steps that carry weights away are an error, not a model.
func TestRunaway(t *testing.T) {
	for _, epochs := range []int{1, 2, 20} {
		for _, rate := range []float64{1e120, 1e300, 1e308} {
			_, _, err := TrainOnline(context.Background(), toy(three...),
				Online{Rule: GradientL1, L1: 0.1, Rate: rate, Decay: 0.85, Epochs: epochs}, nil)
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "smaller first step") {
				t.Errorf("%d epochs, first step %g: %v", epochs, rate, err)
			}
		}
	}
}
