package chain

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// near compares probabilities and scores.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*(1+max(math.Abs(a), math.Abs(b)))
}

// TestDecoderAgainstEnumeration checks every answer against all labellings, with sparse
// and full transitions, with values, under constraints, at ordinary and extreme scores.
func TestDecoderAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, spread := range []float64{0, 1, 8, 60, 250, 800} {
		for round := range 150 {
			labels, n := 1+rng.IntN(4), rng.IntN(5)
			m := randomModel(rng, labels, 5, spread, round%3 == 0)
			s := randomSequence(rng, n, 5, round%4 == 0)
			var rules *Constraints
			if round%2 == 1 {
				rules = randomRules(rng, labels)
			}
			d, err := m.NewDecoder(rules)
			if err != nil {
				t.Fatal(err)
			}
			d.Load(s)
			o := newOracle(labels, n, stateScores(m, s), transitionOf(m), rules)
			t.Run(fmt.Sprintf("%g/%d", spread, round), func(t *testing.T) {
				checkDecoder(t, rng, d, o)
			})
		}
	}
}

func checkDecoder(t *testing.T, rng *rand.Rand, d *Decoder, o *oracle) {
	if got := d.LogZ(); !near(got, o.logZ) {
		t.Fatalf("log Z %v, want %v (log space %v)", got, o.logZ, d.lattice.logSpace)
	}
	y, score, err := d.Viterbi()
	if len(o.paths) == 0 {
		if _, err2 := d.NBest(3); !errors.Is(err, ErrNoPath) || !errors.Is(err2, ErrNoPath) {
			t.Fatalf("no path: %v, %v", err, err2)
		}
		if o.n > 0 && d.Marginal(0, 0) != 0 {
			t.Fatal("marginal of no path is not 0")
		}
		return
	}
	if err != nil || !near(score, o.paths[0].Score) || !near(d.Score(y), score) {
		t.Fatalf("best %v with %v (%v), want %v", y, score, err, o.paths[0])
	}
	checkNBest(t, d, o)
	for _, p := range o.paths {
		if !near(d.LogProb(p.Labels), p.Score-o.logZ) {
			t.Fatalf("log p(%v) = %v, want %v", p.Labels, d.LogProb(p.Labels), p.Score-o.logZ)
		}
	}
	for q := range o.n {
		for j := range o.labels {
			want := o.prob(func(y []uint16) bool { return int(y[q]) == j })
			if got := d.Marginal(q, j); !near(got, want) {
				t.Fatalf("p(y_%d = %d) = %v, want %v", q, j, got, want)
			}
			for i := range o.labels {
				if q == 0 {
					continue
				}
				want := o.prob(func(y []uint16) bool { return int(y[q-1]) == i && int(y[q]) == j })
				if got := d.TransitionMarginal(q, i, j); !near(got, want) {
					t.Fatalf("p(y_%d = %d, y_%d = %d) = %v, want %v", q-1, i, q, j, got, want)
				}
			}
		}
	}
	checkSpans(t, rng, d, o)
}

func checkNBest(t *testing.T, d *Decoder, o *oracle) {
	for _, n := range []int{1, 3, 1000} {
		got, err := d.NBest(n)
		if err != nil || len(got) != min(n, len(o.paths)) {
			t.Fatalf("%d best: %d paths, want %d (%v)", n, len(got), min(n, len(o.paths)), err)
		}
		seen := map[string]bool{}
		for k, p := range got {
			if !near(p.Score, o.paths[k].Score) || !near(d.Score(p.Labels), p.Score) {
				t.Fatalf("path %d has score %v, want %v", k, p.Score, o.paths[k].Score)
			}
			if key := fmt.Sprint(p.Labels); seen[key] {
				t.Fatalf("path %v twice", p.Labels)
			} else {
				seen[key] = true
			}
		}
	}
}

func checkSpans(t *testing.T, rng *rand.Rand, d *Decoder, o *oracle) {
	for range 8 {
		if o.n == 0 {
			return
		}
		start := rng.IntN(o.n)
		labels := make([]uint16, 1+rng.IntN(o.n-start))
		for k := range labels {
			labels[k] = uint16(rng.IntN(o.labels))
		}
		var continued []uint16
		for j := range o.labels {
			if rng.IntN(3) == 0 {
				continued = append(continued, uint16(j))
			}
		}
		end := start + len(labels)
		want := o.prob(func(y []uint16) bool {
			return slices.Equal(y[start:end], labels) && (end == o.n || !slices.Contains(continued, y[end]))
		})
		if got := d.SpanProb(start, labels, continued); !near(got, want) {
			t.Fatalf("span %v at %d not before %v: %v, want %v", labels, start, continued, got, want)
		}
	}
}

// TestGuardAgrees forces log space where scaling is exact too.
func TestGuardAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 50 {
		m := randomModel(rng, 7, 9, 3, false)
		a, _ := m.NewDecoder(nil)
		b := a.Clone()
		g := *b.grammar
		tr := *g.trans
		tr.active = nil
		g.trans = &tr
		b.grammar = &g
		s := randomSequence(rng, 12, 9, false)
		a.Load(s)
		b.Load(s)
		if !near(a.LogZ(), b.LogZ()) || a.lattice.logSpace || !b.lattice.logSpace {
			t.Fatalf("log Z %v scaled (%v), %v in log space", a.LogZ(), a.lattice.logSpace, b.LogZ())
		}
		for q := range 12 {
			for j := range 7 {
				if !near(a.Marginal(q, j), b.Marginal(q, j)) {
					t.Fatalf("marginal %v scaled, %v in log space", a.Marginal(q, j), b.Marginal(q, j))
				}
			}
		}
	}
}

// TestManyLabels compares the sparse search above denseLabels with a plain one.
func TestManyLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, much arithmetic: nothing for a short run")
	}
	rng := rand.New(rand.NewPCG(2, 2))
	labels := denseLabels + 7
	p := Parts{Labels: labels, Attributes: 3, AttrStart: []uint32{0, 0, 0, 0}}
	for a := range 3 {
		for j := range labels {
			if rng.IntN(50) == 0 {
				p.PairLabel, p.Weights = append(p.PairLabel, uint16(j)), append(p.Weights, rng.NormFloat64())
			}
		}
		p.AttrStart[a+1] = uint32(len(p.Weights))
	}
	for i := range labels {
		for j := range labels {
			if rng.IntN(400) == 0 {
				p.TransFrom, p.TransTo = append(p.TransFrom, uint16(i)), append(p.TransTo, uint16(j))
				p.TransWeights = append(p.TransWeights, rng.NormFloat64())
			}
		}
	}
	m, err := NewModel(p)
	if err != nil {
		t.Fatal(err)
	}
	rules := NewConstraints(labels)
	for i := range labels {
		rules.Forbid(i, (i*7)%labels)
	}
	for _, r := range []*Constraints{nil, rules} {
		d, err := m.NewDecoder(r)
		if err != nil {
			t.Fatal(err)
		}
		d.Load(randomSequence(rng, 4, 3, false))
		y, score, err := d.Viterbi()
		if err != nil || !near(d.Score(y), score) {
			t.Fatal(score, d.Score(y), err)
		}
		prev, cur := slices.Clone(d.TokenScores(0)), make([]float64, labels)
		for q := 1; q < 4; q++ {
			for j, s := range d.TokenScores(q) {
				cur[j] = math.Inf(-1)
				for i, v := range prev {
					cur[j] = max(cur[j], v+d.grammar.trans.at(i, j)+s)
				}
			}
			prev, cur = cur, prev
		}
		if want := slices.Max(prev); !near(score, want) {
			t.Errorf("best score %v, want %v", score, want)
		}
		if want := logSumExp(forwardPlain(d)); !near(d.LogZ(), want) {
			t.Errorf("log Z %v, want %v", d.LogZ(), want)
		}
	}
}

// forwardPlain is the forward recursion in log space by single look-ups.
func forwardPlain(d *Decoder) []float64 {
	prev := slices.Clone(d.TokenScores(0))
	for q := 1; q < d.Len(); q++ {
		cur, tmp := make([]float64, len(prev)), make([]float64, len(prev))
		for j, s := range d.TokenScores(q) {
			for i, v := range prev {
				tmp[i] = v + d.grammar.trans.at(i, j)
			}
			cur[j] = s + logSumExp(tmp)
		}
		prev = cur
	}
	return prev
}

// TestDecoderReuse checks that a used decoder allocates nothing more.
func TestDecoderReuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m := randomModel(rng, 9, 20, 1, false)
	d, _ := m.NewDecoder(nil)
	s := randomSequence(rng, 30, 20, false)
	if n := testing.AllocsPerRun(10, func() {
		d.Load(s)
		d.Viterbi()
		d.LogZ()
		d.Marginal(3, 2)
		d.SpanProb(2, []uint16{1, 2}, []uint16{3})
	}); n != 0 {
		t.Errorf("%g allocations a sequence", n)
	}
}

func TestLoadScores(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(4, 9)), 2, 3, 1, true)
	d, _ := m.NewDecoder(nil)
	inf := math.Inf(-1)
	if err := d.LoadScores([]float64{0, inf, inf, 1, 2, 3}); err != nil {
		t.Fatal(err)
	}
	o := newOracle(2, 3, [][]float64{{0, inf}, {inf, 1}, {2, 3}}, transitionOf(m), nil)
	checkDecoder(t, rand.New(rand.NewPCG(1, 1)), d, o)
	for _, bad := range [][]float64{{1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if err := d.LoadScores(bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if err := d.LoadScores([]float64{inf, inf}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Viterbi(); !errors.Is(err, ErrNoPath) || !math.IsInf(d.LogZ(), -1) {
		t.Errorf("no label: %v, log Z %v", err, d.LogZ())
	}
}

// TestHugeScores: roundings of large scores do not make probabilities larger than 1.
func TestHugeScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, size := range []float64{1e12, 1e18, 1e90} {
		for range 20 {
			m := randomModel(rng, 4, 9, 3, false)
			for i := range m.parts.Weights {
				m.parts.Weights[i] *= size
			}
			d, _ := m.NewDecoder(nil)
			d.Load(randomSequence(rng, 12, 9, false))
			best, _, err := d.Viterbi()
			if err != nil {
				t.Fatal(err)
			}
			for i := range 11 {
				for name, p := range map[string]float64{"marginal": d.Marginal(i, int(best[i])),
					"pair": d.TransitionMarginal(i+1, int(best[i]), int(best[i+1])),
					"span": d.SpanProb(i, best[i:i+2], nil), "labelling": d.Prob(best)} {
					if !(p >= 0 && p <= 1) {
						t.Fatalf("%s %g at token %d with weights of %g", name, p, i, size)
					}
				}
			}
		}
	}
}
