package hmm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/kindtest"
	"parlance/algo/option"
)

func TestContract(t *testing.T) {
	arg := kindtest.Arg
	kindtest.Variants(t, kindtest.Case{Kind: Kind()}, map[string][]option.Arg{
		"column": {arg("layer", "upos")},
		"spans":  {arg("layer", "entities")},
	})
	kindtest.Variants(t, kindtest.Case{Kind: Kind(), Resumes: true}, map[string][]option.Arg{
		"states": {arg("states", 4), arg("iterations", 5)},
	})
}

func worked() *markov {
	m := newMarkov(2, 3)
	m.start = []float64{.6, .4}
	m.trans = []float64{.7, .3, .4, .6}
	m.emit = []float64{.5, .1, .4, .3, .1, .6}
	return m
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// enumerate is the probability of the symbols by all paths, the best path and its probability.
func enumerate(m *markov, o []uint32) (total, best float64, path []int) {
	n := 1
	for range o {
		n *= m.states
	}
	for k := range n {
		p, x, now := 1.0, k, make([]int, len(o))
		for t := range o {
			now[t] = x % m.states
			x /= m.states
			if t == 0 {
				p *= m.start[now[0]]
			} else {
				p *= m.trans[now[t-1]*m.states+now[t]]
			}
			p *= m.emit[int(o[t])*m.states+now[t]]
		}
		if total += p; p > best {
			best, path = p, now
		}
	}
	return total, best, path
}

// step is one iteration of Baum-Welch; it returns the logarithm of the likelihood before it.
func step(t testing.TB, m *markov, sentences [][]uint32, workers int) float64 {
	t.Helper()
	tokens := 0
	for _, o := range sentences {
		tokens += len(o)
	}
	s, err := m.expect(context.Background(), sentences, tokens, workers)
	if err != nil {
		t.Fatal(err)
	}
	return m.maximise(s, tokens)
}

func TestWorkedExample(t *testing.T) {
	m, o := worked(), []uint32{0, 1, 2}
	total, best, _ := enumerate(m, o)
	near(t, "P", total, .03628, 1e-12)
	near(t, "the best path", best, .01512, 1e-12)
	c, err := m.chain()
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.LoadScores(m.scores(nil, o)); err != nil {
		t.Fatal(err)
	}
	path, score, err := d.Viterbi()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Viterbi", math.Exp(score), .01512, 1e-12)
	if path[0] != 0 || path[1] != 0 || path[2] != 1 {
		t.Errorf("the path is %v", path)
	}
	for i, g := range []float64{.876516, .622933, .212128} {
		near(t, "gamma", d.Marginal(i, 0), g, 1e-6)
	}
	before := step(t, m, [][]uint32{o}, 2)
	near(t, "the likelihood", math.Exp(before), .03628, 1e-12)
	for i, want := range []float64{.502353, .497647, .163436, .836564} {
		near(t, "A", m.trans[i], want, 1e-6)
	}
	for i, want := range []float64{.512110, .095841, .363953, .292658, .123937, .611501} {
		near(t, "B", m.emit[i], want, 1e-6)
	}
	near(t, "pi", m.start[0], .876516, 1e-6)
	after, _, _ := enumerate(m, o)
	near(t, "P after", after, .066650, 1e-6)
}

func TestLikelihoodNeverFalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var sentences [][]uint32
	frequency := make([]float64, 9)
	for range 40 {
		o := make([]uint32, 1+rng.IntN(6))
		for i := range o {
			o[i] = uint32(rng.IntN(9))
			frequency[o[i]]++
		}
		sentences = append(sentences, o)
	}
	m := newMarkov(3, 9)
	m.randomise(frequency, 1)
	before := math.Inf(-1)
	for range 60 {
		want := 0.0
		for _, o := range sentences {
			p, _, _ := enumerate(m, o)
			want += math.Log(p)
		}
		now := step(t, m, sentences, 1+rng.IntN(8))
		near(t, "the likelihood", now, want, 1e-9)
		if now < before-1e-9 {
			t.Fatalf("the likelihood falls from %v to %v", before, now)
		}
		before = now
	}
}
