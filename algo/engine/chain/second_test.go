package chain

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomSecond is a model whose labels are possible next to each other for the most part.
func randomSecond(rng *rand.Rand, labels, attributes int, spread float64) *Second {
	m := randomModel(rng, labels, attributes, spread, false)
	var possible []Pair
	for from := range labels + 1 {
		for to := range labels {
			p := Pair{uint16(from), uint16(to)}
			if from == labels {
				p.From = Start
			}
			if len(possible) == 0 || rng.IntN(4) > 0 {
				possible = append(possible, p)
			}
		}
	}
	var triples []Triple
	for _, a := range possible {
		for _, b := range possible {
			if a.To == b.From && a.From != Start && rng.IntN(2) == 0 {
				triples = append(triples, Triple{a.From, a.To, b.To, spread * rng.NormFloat64()})
			}
		}
	}
	s, err := m.Second(possible, triples)
	if err != nil {
		panic(err)
	}
	return s
}

// labellings lists the possible labellings of a sequence with their scores, term by term.
func labellings(s *Second, seq Sequence) (out []Path) {
	state := stateScores(s.model, seq)
	var grow func(y []uint16, score float64)
	grow = func(y []uint16, score float64) {
		t := len(y)
		if t == seq.Len() {
			out = append(out, Path{slices.Clone(y), score})
			return
		}
		last := uint16(Start)
		if t > 0 {
			last = y[t-1]
		}
		for k := range uint16(s.pairs.labels) {
			if !slices.Contains(s.pairs.list, Pair{last, k}) {
				continue
			}
			v := score + state[t][k]
			if t > 0 {
				v += s.model.Transition(int(last), int(k))
			}
			for _, x := range s.triples {
				if t > 1 && x.Before == y[t-2] && x.From == last && x.To == k {
					v += x.Weight
				}
			}
			grow(append(y, k), v)
		}
	}
	grow(nil, 0)
	return out
}

func TestSecondAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, spread := range []float64{1, 8, 500} {
		for range 60 {
			s := randomSecond(rng, 1+rng.IntN(4), 5, spread)
			seq := randomSequence(rng, 1+rng.IntN(5), 5, true)
			d := s.NewDecoder()
			d.Load(seq)
			all := labellings(s, seq)
			checkSecond(t, rng, d, all, seq.Len(), s.pairs.labels)
		}
	}
}

func checkSecond(t *testing.T, rng *rand.Rand, d *SecondDecoder, all []Path, n, labels int) {
	t.Helper()
	var scores []float64
	for _, p := range all {
		scores = append(scores, p.Score)
		if !near(d.Score(p.Labels), p.Score) {
			t.Fatalf("score %v, want %v", d.Score(p.Labels), p.Score)
		}
	}
	if len(all) == 0 {
		if _, _, err := d.Viterbi(); err == nil || d.Prob(make([]uint16, n)) != 0 || d.Marginal(0, 0) != 0 {
			t.Fatal("an impossible sequence has a labelling")
		}
		return
	}
	z := logSumExp(scores)
	slices.SortStableFunc(all, func(a, b Path) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	best, score, err := d.Viterbi()
	if err != nil || !near(score, all[0].Score) || !near(d.Score(best), score) {
		t.Fatalf("best %v (%v), want %v; %v", score, best, all[0], err)
	}
	paths, err := d.NBest(5)
	if err != nil || len(paths) != min(5, len(all)) {
		t.Fatal(len(paths), err)
	}
	for i, p := range paths {
		if !near(p.Score, all[i].Score) || !near(d.Score(p.Labels), p.Score) {
			t.Fatalf("labelling %d: %v, want %v", i, p, all[i])
		}
	}
	if !near(d.LogZ(), z) {
		t.Fatalf("log Z %v, want %v", d.LogZ(), z)
	}
	prob := func(ok func([]uint16) bool) (p float64) {
		for _, x := range all {
			if ok(x.Labels) {
				p += math.Exp(x.Score - z)
			}
		}
		return p
	}
	at, y := rng.IntN(n), uint16(rng.IntN(labels))
	if got, want := d.Marginal(at, int(y)), prob(func(l []uint16) bool { return l[at] == y }); math.Abs(got-want) > 1e-9 {
		t.Fatalf("marginal %v, want %v", got, want)
	}
	span := all[0].Labels[at : at+1+rng.IntN(n-at)]
	got := d.SpanProb(at, span, []uint16{y})
	want := prob(func(l []uint16) bool {
		end := at + len(span)
		return slices.Equal(l[at:end], span) && (end == n || l[end] != y)
	})
	if math.Abs(got-want) > 1e-9 {
		t.Fatalf("span %v, want %v", got, want)
	}
}

// Without weights of three labels and with all pairs possible it is the chain of first order.
func TestSecondIsFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	for range 40 {
		labels := 1 + rng.IntN(5)
		m := randomModel(rng, labels, 5, 2, false)
		s, err := m.Second((&Data{Labels: labels}).Possible(true, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		seq := randomSequence(rng, 1+rng.IntN(8), 5, false)
		first, _ := m.NewDecoder(nil)
		second := s.NewDecoder()
		first.Load(seq)
		second.Load(seq)
		a, x, _ := first.Viterbi()
		b, y, _ := second.Viterbi()
		if !near(x, y) || !near(first.LogZ(), second.LogZ()) || !near(first.Score(b), second.Score(a)) {
			t.Fatalf("%v %v, %v %v", a, x, b, y)
		}
		for k := range labels {
			if math.Abs(first.Marginal(seq.Len()-1, k)-second.Marginal(seq.Len()-1, k)) > 1e-10 {
				t.Fatal("marginals differ")
			}
		}
	}
}

func TestSecondGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for _, c := range []struct {
		all    bool
		spread float64
	}{{false, 1}, {true, 1}, {true, 60}} {
		d := randomData(rng, 12, 6, 4, 6, true)
		tr, err := newSecondTrainer(d, d.Possible(c.all, nil),
			Options{L2: 0.7, AllStates: c.all, AllTransitions: c.all, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		w, grad, none := make([]float64, tr.size()), make([]float64, tr.size()), make([]float64, tr.size())
		for i := range w {
			w[i] = c.spread * rng.NormFloat64()
		}
		f, err := tr.evaluate(context.Background(), w, grad)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tr.model(w)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for i := range d.Sequences() {
			var scores []float64
			gold := d.Gold[d.Offsets[i]:d.Offsets[i+1]]
			for _, p := range labellings(m, d.Sequence(i)) {
				scores = append(scores, p.Score)
				if slices.Equal(p.Labels, gold) {
					want -= p.Score
				}
			}
			want += logSumExp(scores)
		}
		for _, v := range w {
			want += 0.35 * v * v
		}
		if !near(f, want) {
			t.Fatalf("objective %v, want %v", f, want)
		}
		for i := range w {
			const h = 1e-5
			v := w[i]
			w[i] = v + h
			up, _ := tr.evaluate(context.Background(), w, none)
			w[i] = v - h
			down, _ := tr.evaluate(context.Background(), w, none)
			w[i] = v
			if diff := (up - down) / (2 * h); math.Abs(diff-grad[i]) > 1e-4*(1+math.Abs(diff)) {
				t.Fatalf("spread %g, feature %d: gradient %v, differences %v", c.spread, i, grad[i], diff)
			}
		}
	}
}

// The optimum does not depend on where training begins, nor the weights on the workers.
func TestTrainSecond(t *testing.T) {
	d := sample(34, 60, 4)
	o := Options{L2: 1, Epsilon: 1e-7, Workers: 1}
	first, _, err := Train(context.Background(), d, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	possible := d.Possible(false, nil)
	a, x, err := TrainSecond(context.Background(), d, possible, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Initial, o.Workers, o.WarmStart = first, 2, true
	_, y, err := TrainSecond(context.Background(), d, possible, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(x.Objective-y.Objective) > 1e-6*x.Objective {
		t.Errorf("objectives %v and %v", x.Objective, y.Objective)
	}
	o.Initial, o.WarmStart = nil, false
	b, _, err := TrainSecond(context.Background(), d, possible, o, nil)
	if err != nil || !slices.Equal(a.triples, b.triples) || !slices.Equal(a.model.parts.Weights, b.model.parts.Weights) {
		t.Errorf("weights depend on the number of workers: %v", err)
	}
}
