package hiddenreranker

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
)

// collins is the head table of English.
func collins(t testing.TB) *constituent.HeadTable {
	t.Helper()
	heads, err := constituent.Heads("collins")
	if err != nil {
		t.Fatal(err)
	}
	return heads
}

// listOf is a sentence with candidates; the first is closest to gold.
func listOf(t testing.TB, trees ...string) (*candidates.Sentence, candidates.Tally) {
	t.Helper()
	s, y := &candidates.Sentence{}, candidates.Tally{Gold: 10}
	for i, w := range trees {
		tree, words, err := constituent.Parse(w)
		if err != nil {
			t.Fatal(err)
		}
		s.Words = words
		s.List = append(s.List, candidates.Candidate{Tree: constituent.Clean(tree), Log: -float64(i)})
		y.Logs, y.Common, y.Brackets = append(y.Logs, -float64(i)), append(y.Common, int32(9-i)), append(y.Brackets, 10)
	}
	return s, y
}

// telescope has two readings.
var telescope = []string{
	"(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (NP (DT a) (NN boy)) (PP (IN with) (NP (DT a) (NN telescope))))))",
	"(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (DT a) (NN boy)) (PP (IN with) (NP (DT a) (NN telescope)))))",
	"(S (NP (DT the) (NN man) (VBD saw)) (VP (NP (DT a) (NN boy)) (PP (IN with) (NP (DT a) (NN telescope)))))",
}

// memberOf is a member with all features of a list, and random weights.
func memberOf(t testing.TB, domain string, siblings bool, k int, s *candidates.Sentence, seed uint64) *member {
	t.Helper()
	m := &member{name: domain, domain: domain, siblings: siblings, k: k}
	x := newReader(collins(t))
	seen, done := [2][]uint64{}, map[uint64]bool{}
	for _, c := range s.List {
		m.count1(m.read(x, c.Tree, s), done, &seen)
	}
	for i := range seen {
		slices.Sort(seen[i])
	}
	m.singles, m.pairs = numbered(slices.Compact(seen[0])), numbered(slices.Compact(seen[1]))
	rng := rand.New(rand.NewPCG(seed, 1))
	m.theta = make([]float64, m.size())
	for i := range m.theta {
		m.theta[i] = 0.3 * rng.NormFloat64()
	}
	return m
}

// enumerated is log Σ_h exp(θ·φ(t, h)) over all hidden values of a tree, from features as they are read.
func enumerated(m *member, list []classified) float64 {
	h := make([]int, len(list))
	z := math.Inf(-1)
	var walk func(v int)
	walk = func(v int) {
		if v == len(list) {
			s := 0.0
			for i := range list {
				class, x := list[i].classes[h[i]/m.k], h[i]%m.k
				for _, f := range list[i].word {
					s += m.theta[int(m.singles[single(f, class)])*m.k+x]
				}
				if u := list[i].parent; u >= 0 {
					up, y := list[u].classes[h[u]/m.k], h[u]%m.k
					for _, f := range list[i].edge {
						s += m.theta[len(m.singles)*m.k+(int(m.pairs[pair(f, up, class)])*m.k+y)*m.k+x]
					}
				}
			}
			z = max(z, s) + math.Log1p(math.Exp(-math.Abs(z-s)))
			return
		}
		for x := range len(list[v].classes) * m.k {
			h[v] = x
			walk(v + 1)
		}
	}
	walk(0)
	return z
}

// TestSums: the sum over hidden values of whole trees by their features, one by one.
func TestSums(t *testing.T) {
	s, y := listOf(t, telescope...)
	for _, domain := range []string{"lexical", "pos", "highest_nt", "supersense", "none"} {
		for _, siblings := range []bool{false, true} {
			k := 2
			if domain == "none" {
				k = 1
			}
			m := memberOf(t, domain, siblings, k, s, 7)
			x := newReader(collins(t))
			c := m.scorer()
			c.sum(m.builder(x).problem(s, y), m.theta, 1)
			for j := range s.List {
				list := m.read(x, s.List[j].Tree, s)
				if len(list) != 8 {
					t.Fatalf("%d words, want 8", len(list))
				}
				if want := enumerated(m, list); math.Abs(c.logZ[j]-want) > 1e-9 {
					t.Errorf("%s, siblings %v, tree %d: log Z %v, want %v", domain, siblings, j+1, c.logZ[j], want)
				}
			}
		}
	}
}

// TestOneValue: with one hidden value of each word the model is log-linear in the counts of features.
func TestOneValue(t *testing.T) {
	s, y := listOf(t, telescope...)
	m := memberOf(t, "none", false, 1, s, 3)
	x, c := newReader(collins(t)), m.scorer()
	c.sum(m.builder(x).problem(s, y), m.theta, 1)
	counts := make([][]float64, len(s.List))
	sum, scores := 0.0, []float64(nil)
	for j := range s.List {
		counts[j] = make([]float64, m.size())
		m.features(m.read(x, s.List[j].Tree, s), func(key uint64, _ piece, up *piece, _ piece) {
			if up == nil {
				counts[j][m.singles[key]]++
			} else {
				counts[j][len(m.singles)+int(m.pairs[key])]++
			}
		})
		score := 0.0
		for i, n := range counts[j] {
			score += n * m.theta[i]
		}
		sum, scores = sum+math.Exp(score), append(scores, score)
	}
	if got, want := c.loss(true), math.Log(sum)-scores[0]; math.Abs(got-want) > 1e-10 {
		t.Errorf("loss %v, want %v", got, want)
	}
	got := make([]float64, m.size())
	c.each(func(at int, by []float64) { add(got[at:], by, 1) })
	for i := range got {
		want := -counts[0][i]
		for j := range counts {
			want += math.Exp(scores[j]) / sum * counts[j][i]
		}
		if math.Abs(got[i]-want) > 1e-6 {
			t.Fatalf("gradient %v of weight %d, want %v", got[i], i, want)
		}
	}
}

// TestGradient: by finite differences.
func TestGradient(t *testing.T) {
	s, y := listOf(t, telescope...)
	for _, domain := range []string{"pos", "lexical"} {
		m := memberOf(t, domain, domain == "lexical", 3, s, 5)
		m.normalise = domain == "lexical"
		c, p := m.scorer(), m.builder(newReader(collins(t))).problem(s, y)
		grad := make([]float64, m.size())
		if _, err := m.objective(context.Background(), c, []*problem{p}, 0.1, m.theta, grad); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(2, 2))
		other := make([]float64, m.size())
		for range 200 {
			i := rng.IntN(len(grad))
			at := m.theta[i]
			const e = 1e-4
			m.theta[i] = at + e
			a, _ := m.objective(context.Background(), c, []*problem{p}, 0.1, m.theta, other)
			m.theta[i] = at - e
			b, _ := m.objective(context.Background(), c, []*problem{p}, 0.1, m.theta, other)
			m.theta[i] = at
			if want := (a - b) / (2 * e); math.Abs(want-grad[i]) > 2e-6 {
				t.Fatalf("%s: gradient %v of weight %d, want %v", domain, grad[i], i, want)
			}
		}
	}
}

// kooProblem is three words with two values under three trees, with the relations a and b as features of edges.
func kooProblem() (*member, *problem) {
	m := &member{k: 2, singles: map[uint64]int32{1: 0, 2: 1, 3: 2}, pairs: map[uint64]int32{1: 0, 2: 1},
		theta: []float64{.2, -.1, 0, .5, .3, -.3, .5, -.2, .1, .4, 0, 1, -1, .2}}
	p := &problem{ids: []int32{0, 1, 2, 0, 1}, blocks: [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}},
		words: []wordUnit{{0, 1}, {1, 1}, {2, 1}}, edges: []edgeUnit{{3, 1, 1}, {4, 1, 1}},
		trees: [][]element{{{-1, 0, -1}, {0, 1, 0}, {0, 2, 1}}, {{-1, 0, -1}, {0, 1, 0}, {1, 2, 0}},
			{{-1, 1, -1}, {0, 0, 1}, {0, 2, 0}}}}
	return m, p
}

// TestKoo has the loss and the gradient of a small problem, computed elsewhere by enumeration.
func TestKoo(t *testing.T) {
	m, p := kooProblem()
	c := m.scorer()
	c.sum(p, m.theta, 1)
	if got := c.loss(true); math.Abs(got-1.13740853) > 1e-8 {
		t.Errorf("loss %.8f", got)
	}
	for j, want := range []float64{.320649, .354107, .325244} {
		if math.Abs(c.prob[j]-want) > 1e-6 {
			t.Errorf("probability %.6f of tree %d, want %.6f", c.prob[j], j+1, want)
		}
	}
	got := make([]float64, m.size())
	c.each(func(at int, by []float64) { add(got[at:], by, 1) })
	for i, want := range []float64{-.204362, .204362, .031229, -.031229, .202500, -.202500, .119042, -.064877, .180248,
		.119694,
		-.133581, -.164902, -.027985, -.027639} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("gradient %.6f of weight %d, want %.6f", got[i], i, want)
		}
	}
}

// TestSymmetry: weights of 0 keep hidden values alike, and make all candidates equally probable; exchanging the values
// of a word changes nothing.
func TestSymmetry(t *testing.T) {
	s, y := listOf(t, telescope...)
	m := memberOf(t, "pos", false, 3, s, 5)
	p := m.builder(newReader(collins(t))).problem(s, y)
	c := m.scorer()
	zero := make([]float64, m.size())
	for range 3 {
		c.sum(p, zero, 1)
		if c.loss(true); zero[0] == 0 && math.Abs(c.prob[0]-c.prob[1]) > 1e-12 {
			t.Errorf("probabilities %v with weights of 0", c.prob)
		}
		c.each(func(at int, g []float64) {
			for x := range g {
				zero[at+x] -= 0.1 * g[x]
			}
		})
		for i := 0; i < 3*len(m.singles); i += 3 {
			if math.Abs(zero[i]-zero[i+1]) > 1e-12 || math.Abs(zero[i]-zero[i+2]) > 1e-12 {
				t.Fatalf("values of a feature have weights %v", zero[i:i+3])
			}
		}
	}
	c.sum(p, m.theta, 1)
	before := c.loss(false)
	for i := 0; i < 3*len(m.singles); i += 3 { // values 0 and 2 of all words
		m.theta[i], m.theta[i+2] = m.theta[i+2], m.theta[i]
	}
	pairs := m.theta[3*len(m.singles):]
	for i := 0; i < len(pairs); i += 9 {
		slices.Reverse(pairs[i : i+9])
	}
	c.sum(p, m.theta, 1)
	if after := c.loss(false); math.Abs(after-before) > 1e-10 {
		t.Errorf("loss %v, with values exchanged %v", before, after)
	}
}
