package hiddenreranker

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"parlance/algo/parse/candidates"
)

// TestDomains: with weights of 0 a tree is as much more probable as its words may have more values, or not at all.
func TestDomains(t *testing.T) {
	s, y := listOf(t, "(S (NP (NN man)) (VP (VBD left)))", "(S (NP (NN man)) (VP (NN left)))")
	m := &member{domain: "supersense", k: 2, senses: senses{lexicon{{"left", "verb.motion"}, {"left",
		"verb.possession"}}}}
	p, c := m.builder(newReader(collins(t))).problem(s, y), m.scorer()
	c.sum(p, nil, 1)
	if got, want := c.logZ[0]-c.logZ[1], math.Log(2); math.Abs(got-want) > 1e-12 { // four values of the verb, two of NN
		t.Errorf("log Z differs by %v, want %v", got, want)
	}
	m.normalise = true
	c.sum(p, nil, 1)
	if math.Abs(c.logZ[0]) > 1e-12 || math.Abs(c.logZ[1]) > 1e-12 {
		t.Errorf("log Z %v of domains of one size", c.logZ)
	}
	v := &classified{classes: []piece{word("verb.motion"), word("verb.possession")}}
	if got := v.value(3, 2); got != "verb.possession_2" {
		t.Errorf("value 3 is %s", got)
	}
}

// TestScale: weights are scale times theta.
func TestScale(t *testing.T) {
	s, y := listOf(t, telescope...)
	m := memberOf(t, "pos", true, 2, s, 9)
	p, c := m.builder(newReader(collins(t))).problem(s, y), m.scorer()
	c.sum(p, m.theta, 0.3)
	got := append([]float64(nil), c.logZ...)
	for i := range m.theta {
		m.theta[i] *= 0.3
	}
	c.sum(p, m.theta, 1)
	for j := range got {
		if math.Abs(got[j]-c.logZ[j]) > 1e-10 {
			t.Errorf("log Z %v, want %v", got[j], c.logZ[j])
		}
	}
}

// ratesOf learns from one list, with some held out.
func ratesOf(p *problem, epochs int) *rates {
	return &rates{epochs: epochs, eta: 0.5, decay: 0.3, l2: 0.05, deviation: 0.1, patience: 100, learn: []*problem{p},
		report: func(int, float64, float64) {}}
}

// TestDescent: steps are θ ← (1 − ηλ)·θ − η·g, with falling η.
func TestDescent(t *testing.T) {
	s, y := listOf(t, telescope...)
	m := memberOf(t, "pos", false, 2, s, 1)
	p := m.builder(newReader(collins(t))).problem(s, y)
	r := ratesOf(p, 4)
	want := append([]float64(nil), m.theta...)
	c, grad := m.scorer(), make([]float64, m.size())
	for e := range r.epochs {
		eta := r.eta / (1 + r.decay*float64(e))
		if _, err := m.objective(context.Background(), c, r.learn, 0, want, grad); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] = (1-eta*r.l2)*want[i] - eta*grad[i]
		}
	}
	if err := m.descend(context.Background(), r, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if math.Abs(m.theta[i]-want[i]) > 1e-9 {
			t.Fatalf("weight %d is %v, want %v", i, m.theta[i], want[i])
		}
	}
}

// TestKept: the weights of the pass with the best F1 are kept, the first of equal ones, and passes end when none is
// better for a while.
func TestKept(t *testing.T) {
	s, y := listOf(t, telescope...)
	m := memberOf(t, "pos", false, 2, s, 1)
	p := m.builder(newReader(collins(t))).problem(s, y)
	r := ratesOf(p, 1)
	r.heldOut, r.patience = []*problem{p}, 2
	weights := map[int][]float64{} // by the tree that is best with them
	c := m.scorer()
	for seed := uint64(0); len(weights) < 2 && seed < 1000; seed++ {
		x := memberOf(t, "pos", false, 2, s, seed)
		c.sum(p, x.theta, 1)
		if best := first(c.logZ); best < 2 {
			weights[best] = x.theta
		}
	}
	if len(weights) < 2 {
		t.Fatal("no weights make another tree the best")
	}
	var on []bool
	for n, best := range []int{1, 0, 0, 1} {
		on = append(on, m.epoch(r, n, 0, weights[best], []float64{1, 0.5, 1, 1}[n]))
	}
	for i, w := range weights[0] {
		if r.kept[i] != 0.5*w {
			t.Fatal("the weights kept are not those of the second pass")
		}
	}
	if want := []bool{true, true, true, false}; !slices.Equal(on, want) {
		t.Errorf("passes go on: %v, want %v", on, want)
	}
	for _, optimizer := range []string{"sgd", "lbfgs"} {
		r := ratesOf(p, 5)
		r.optimizer, r.heldOut = optimizer, []*problem{p}
		best, passes := 0.0, 0
		r.report = func(_ int, _, held float64) { best, passes = max(best, held), passes+1 }
		if err := m.fit(context.Background(), r, rand.New(rand.NewPCG(4, 4))); err != nil {
			t.Fatal(err)
		}
		if got := m.f1(r.heldOut, m.theta, 1); got != best || passes == 0 {
			t.Errorf("%s: F1 %v with the weights kept, %v was the best of %d", optimizer, got, best, passes)
		}
	}
}

// TestCount: features of fewer sentences are left out.
func TestCount(t *testing.T) {
	labels := &candidates.Labels{}
	var list []*kept
	for _, w := range []string{telescope[0], telescope[1], "(S (NP (NNP Ann)) (VP (VBZ sleeps)))"} {
		s, y := listOf(t, w)
		k := (&read{s, y}).pack(labels)
		list = append(list, k)
	}
	sizes := map[int]int{}
	for _, least := range []int{1, 2, 3, 4} {
		m := &member{domain: "pos", k: 2}
		if err := m.count(context.Background(), newReader(collins(t)), list, labels, least); err != nil {
			t.Fatal(err)
		}
		sizes[least] = len(m.singles) + len(m.pairs)
		_, rare := m.singles[single(word("value"), word("NNP"))]
		_, common := m.singles[single(word("value"), word("NN"))]
		if rare != (least == 1) || common != (least <= 2) {
			t.Errorf("min_sentences %d: NNP %v, NN %v", least, rare, common)
		}
	}
	if !(sizes[1] > sizes[2] && sizes[2] > sizes[3]) || sizes[4] != 0 {
		t.Errorf("features by cut-off: %v", sizes)
	}
}
