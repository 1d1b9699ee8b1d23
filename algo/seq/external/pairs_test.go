package external

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/engine/chain"
)

// random makes a model with three labels, four features of labels and three of pairs.
func random(t *testing.T, rng *rand.Rand, local bool) *Model {
	t.Helper()
	b, err := NewBuilder(Head{Notation: CRFPP, Local: local}, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(n int) (at []uint32, w []float64) {
		for i := range n {
			at, w = append(at, uint32(i)), append(w, rng.NormFloat64())
		}
		return at, w
	}
	for i := range 4 {
		_, w := draw(3)
		if err := b.Unigram(fmt.Sprint("U", i), w); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		at, w := draw(9)
		b.Bigram(fmt.Sprint("B", i), at, w)
	}
	b.Transitions(draw(9))
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// oracle scores all labellings as the page of the package says.
func oracle(m *Model, seq chain.Sequence, rules *chain.Constraints) (all []chain.Path) {
	n, l := seq.Len(), len(m.Labels)
	step := func(t, from, to int) float64 {
		sum := 0.0
		for _, a := range seq.Attrs[seq.AttrOffsets[t]:seq.AttrOffsets[t+1]] {
			if int(a) < m.Chain.Attributes() {
				_, w := m.Chain.Row(a)
				sum += w[to]
			} else if from >= 0 {
				sum += m.pairs.of(a-uint32(m.Chain.Attributes()), uint32(from*l+to))
			}
		}
		if from >= 0 {
			sum += m.Chain.Transition(from, to)
		}
		switch {
		case rules == nil:
		case from >= 0 && !rules.Allowed(from, to), t == 0 && !rules.AllowedStart(to), t == n-1 && !rules.AllowedEnd(to):
			return math.Inf(-1)
		}
		return sum
	}
	for code := range int(math.Pow(float64(l), float64(n))) {
		p := chain.Path{Labels: make([]uint16, n)}
		for t := range n {
			p.Labels[t] = uint16(code % l)
			code /= l
		}
		for t, y := range p.Labels {
			from := -1
			if t > 0 {
				from = int(p.Labels[t-1])
			}
			s := step(t, from, int(y))
			if m.Local {
				z := 0.0
				for j := range l {
					z += math.Exp(step(t, from, j))
				}
				s -= math.Log(z)
			}
			p.Score += s
		}
		if !math.IsInf(p.Score, -1) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b chain.Path) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// TestPairSearch compares the search with all labellings.
func TestPairSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		m := random(t, rng, round%2 == 1)
		seq := chain.Sequence{AttrOffsets: []uint32{0}}
		for range 1 + rng.IntN(4) {
			for range rng.IntN(4) {
				seq.Attrs = append(seq.Attrs, uint32(rng.IntN(7)))
			}
			seq.AttrOffsets = append(seq.AttrOffsets, uint32(len(seq.Attrs)))
		}
		var rules *chain.Constraints
		if round%3 == 0 {
			rules = chain.NewConstraints(3)
			rules.ForbidStart(2)
			rules.Forbid(0, 2)
			rules.ForbidEnd(1)
		}
		checkSearch(t, m, seq, rules)
	}
}

func checkSearch(t *testing.T, m *Model, seq chain.Sequence, rules *chain.Constraints) {
	t.Helper()
	s := &pairSearch{pairTable: newPairTable(m, rules)}
	s.LoadAnd(seq, nil)
	all := oracle(m, seq, rules)
	best, score, err := s.Viterbi()
	if err != nil || math.Abs(s.score(best)-all[0].Score) > 1e-9 || math.Abs(score-all[0].Score) > 1e-9 {
		t.Errorf("best %v %g %v, want %v", best, score, err, all[0])
	}
	z := 0.0
	for _, p := range all {
		z += math.Exp(p.Score)
	}
	list, err := s.NBest(5)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range list {
		if math.Abs(p.Score-all[i].Score) > 1e-9 || math.Abs(s.Prob(p.Labels)-math.Exp(p.Score)/z) > 1e-9 {
			t.Errorf("best %d is %v with %g, want %v", i+1, p, s.Prob(p.Labels), all[i])
		}
	}
	for k := range seq.Len() {
		for y := range 3 {
			want, span := 0.0, 0.0
			for _, p := range all {
				if int(p.Labels[k]) != y {
					continue
				}
				want += math.Exp(p.Score) / z
				if k+1 == seq.Len() || p.Labels[k+1] != 1 {
					span += math.Exp(p.Score) / z
				}
			}
			if got := s.Marginal(k, y); math.Abs(got-want) > 1e-9 {
				t.Errorf("marginal of %d at %d: %g, want %g", y, k, got, want)
			}
			if got := s.SpanProb(k, []uint16{uint16(y)}, []uint16{1}); math.Abs(got-span) > 1e-9 {
				t.Errorf("span of %d at %d: %g, want %g", y, k, got, span)
			}
		}
	}
	around(t, m, s, seq, rules)
}

// around checks that the contributions of the pairs and of the labels add up to the difference of two labellings.
func around(t *testing.T, m *Model, s *pairSearch, seq chain.Sequence, rules *chain.Constraints) {
	t.Helper()
	if rules != nil || m.Local {
		return
	}
	y := make([]uint16, seq.Len())
	for k := range y {
		other := slices.Clone(y)
		other[k] = 2
		sum := s.scores[k*3] - s.scores[k*3+2]
		s.Around(y, k, 0, 2, func(_ string, _ []uint16, diff float64) { sum += diff })
		if want := s.score(y) - s.score(other); math.Abs(sum-want) > 1e-9 {
			t.Errorf("contributions at %d add up to %g, want %g", k, sum, want)
		}
	}
}
