package labelhistory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/seq/bio"
)

// table is a Local whose scores are random numbers.
type table struct {
	n, labels, order int
	scores           map[[4]int]float64
}

func randomTable(r *rand.Rand, n, labels, order int) *table {
	t := &table{n, labels, order, map[[4]int]float64{}}
	for at := range n {
		for last := range labels + 1 {
			for second := range labels + 1 {
				for y := range labels {
					key := t.key(at, last, second, y)
					if _, ok := t.scores[key]; !ok {
						t.scores[key] = math.Round(r.NormFloat64()*64) / 16
					}
				}
			}
		}
	}
	return t
}

func (t *table) key(at, last, second, y int) [4]int {
	if t.order < 2 {
		second = 0
	}
	if t.order < 1 {
		last = 0
	}
	return [4]int{at, last, second, y}
}

func (t *table) Len() int    { return t.n }
func (t *table) Labels() int { return t.labels }
func (t *table) Order() int  { return t.order }
func (t *table) At(at, last, second int, out []float64) {
	for y := range out {
		out[y] = t.scores[t.key(at, last, second, y)]
	}
}

// sum is the score of a labelling, −Inf where it breaks the rules.
func (t *table) sum(path []uint16, rules *chain.Constraints) float64 {
	last, second, s := t.labels, t.labels, 0.0
	out := make([]float64, t.labels)
	for at, y := range path {
		if rules != nil && (at == 0 && !rules.AllowedStart(int(y)) || at > 0 && !rules.Allowed(last, int(y)) ||
			at == t.n-1 && !rules.AllowedEnd(int(y))) {
			return math.Inf(-1)
		}
		t.At(at, last, second, out)
		s += out[y]
		last, second = int(y), last
	}
	return s
}

// best tries all labellings.
func (t *table) best(rules *chain.Constraints) float64 {
	top := math.Inf(-1)
	path := make([]uint16, t.n)
	var try func(at int)
	try = func(at int) {
		if at == t.n {
			top = max(top, t.sum(path, rules))
			return
		}
		for y := range t.labels {
			path[at] = uint16(y)
			try(at + 1)
		}
	}
	try(0)
	return top
}

func TestSearchIsExhaustive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	rules := bio.Scheme("bio").Constraints([]string{"O", "B-X", "I-X"})
	for round := range 60 {
		for order := range 3 {
			tab := randomTable(r, round%6, 3, order)
			for _, rules := range []*chain.Constraints{nil, rules} {
				want := tab.best(rules)
				d := Decoder{Rules: rules}
				path, sum := d.Viterbi(tab)
				if sum != want || tab.sum(path, rules) != want {
					t.Fatalf("n %d order %d: viterbi finds %v with %g (%g), the best is %g", tab.n, order, path, sum,
						tab.sum(path, rules), want)
				}
				if path, sum := d.Beam(tab, 9); sum != want || tab.sum(path, rules) != want {
					t.Fatalf("n %d order %d: a beam of all labels finds %v with %g, the best is %g", tab.n, order, path, sum, want)
				}
				g := append([]uint16{}, d.Greedy(tab)...)
				if path, sum := d.Beam(tab, 1); fmt.Sprint(path) != fmt.Sprint(g) || sum != tab.sum(g, rules) {
					t.Fatalf("n %d order %d: greedy %v, a beam of one %v with %g", tab.n, order, g, path, sum)
				}
			}
		}
	}
}

// A maximum-entropy Markov model in which the best first step is not the best of all: greedy ends
// with 0.30, Viterbi with 0.36.
func TestGreedyIsMisled(t *testing.T) {
	tab := &table{2, 2, 1, map[[4]int]float64{}}
	for k, p := range map[[4]int]float64{{0, 2, 0, 0}: 0.6, {0, 2, 0, 1}: 0.4, {1, 0, 0, 0}: 0.5, {1, 0, 0, 1}: 0.5,
		{1, 1, 0, 0}: 0.9, {1, 1, 0, 1}: 0.1} {
		tab.scores[k] = math.Log(p)
	}
	var d Decoder
	if g := d.Greedy(tab); g[0] != 0 || math.Abs(math.Exp(tab.sum(g, nil))-0.30) > 1e-12 {
		t.Errorf("greedy finds %v", g)
	}
	if v, sum := d.Viterbi(tab); v[0] != 1 || v[1] != 0 || math.Abs(math.Exp(sum)-0.36) > 1e-12 {
		t.Errorf("viterbi finds %v with %g", v, math.Exp(sum))
	}
}

func TestRulesWithoutLabelling(t *testing.T) {
	rules := chain.NewConstraints(2)
	rules.ForbidStart(0)
	rules.ForbidStart(1)
	d := Decoder{Rules: rules}
	tab := randomTable(rand.New(rand.NewPCG(2, 2)), 3, 2, 1)
	if _, sum := d.Viterbi(tab); sum != tab.best(nil) {
		t.Errorf("viterbi gives %g, want %g", sum, tab.best(nil))
	}
	if len(d.Greedy(tab)) != 3 {
		t.Error("greedy gives nothing")
	}
	if path, _ := d.Beam(tab, 2); len(path) != 3 {
		t.Error("beam gives nothing")
	}
}
