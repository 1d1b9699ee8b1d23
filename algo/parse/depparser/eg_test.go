package depparser

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/tree"
	"parlance/algo/text"
)

// toy is a sentence of two tokens with heads 0, 1 whose arcs have two features each that no other has,
// which is a problem with one feature an arc and C twice as large.
func toy(bits int) (*parser, *item) {
	l := text.NewLayer(text.Tokens)
	l.N = 2
	l.SetStrs("form", []string{"a", "b"})
	l.SetStrs("upos", []string{"A", "B"})
	l.SetStrs("xpos", []string{"A", "B"})
	it := &item{heads: []int32{0, 0, 1}}
	it.load(l, tagColumns{"xpos", "upos"}, 0, 2)
	p := &parser{factorization: tree.Arc, scorer: newScorer(features{arcs: []string{"hw mw"}}, tree.Dep, bits)}
	return p, it
}

const copies = 2 // of each feature of the toy

// weight is the weight of the feature of an arc in the problem with one feature: v = copies·w.
func weight(w *worker, h, m int32) float64 {
	sum := 0.0
	w.v.each(tree.Part{Type: tree.Dep, G: tree.None, H: h, M: m, S: tree.None, T: tree.None}, func(i uint32) {
		sum += float64(w.p.scorer.first.w[i])
	})
	return sum
}

// TestExponentiatedGradient has the worked numbers of the two-token problem: the weights at the optimum
// and the dual after some passes.
func TestExponentiatedGradient(t *testing.T) {
	run := func(margin bool, c float64, passes int) (*worker, []float64) {
		p, it := toy(18)
		w, l := p.worker(), newLearner(p.scorer)
		d := newDual(c/copies, 9, margin, 1)
		if err := d.start(context.Background(), w, []*item{it}, l); err != nil {
			t.Fatal(err)
		}
		var duals []float64
		rng := rand.New(rand.NewPCG(1, 1))
		for range passes {
			v, err := d.epoch(context.Background(), w, []*item{it}, l, rng)
			if err != nil {
				t.Fatal(err)
			}
			duals = append(duals, v*copies)
		}
		w.load(context.Background(), &it.sentence, nil)
		return w, duals
	}
	near := func(what string, got, want, tol float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	w, duals := run(true, 1, 400)
	for pass, want := range map[int]float64{1: 0.00033538, 2: 0.00091105, 3: 0.00247197, 10: 0.46959643, 20: 0.49741964} {
		near("dual", duals[pass-1], want, 2e-6)
	}
	for i := 1; i < len(duals); i++ {
		if duals[i] < duals[i-1]-1e-6 {
			t.Errorf("pass %d: the dual falls from %v to %v", i+1, duals[i-1], duals[i])
		}
	}
	near("w(1,2)", weight(w, 1, 2), 0.5, 3e-3)
	near("w(0,1)", weight(w, 0, 1), 0.5, 3e-3)
	near("w(0,2)", weight(w, 0, 2), -0.5, 3e-3)
	w, duals = run(false, 1, 100)
	near("dual of the likelihood", duals[99], 0.75855883, 1e-6)
	near("w(0,1)", weight(w, 0, 1), 0.17477413, 5e-6)
	near("w(1,2)", weight(w, 1, 2), 0.4226784, 5e-6)
	w, duals = run(false, 10, 1000)
	near("dual of the likelihood, C = 10", duals[999], 2.83415512, 1e-4)
	near("w(0,1)", weight(w, 0, 1), 0.37987023, 1e-5)
	near("w(1,2)", weight(w, 1, 2), 1.19192691, 1e-5)
}

// TestBatch: L-BFGS finds the optimum that exponentiated gradient finds.
func TestBatch(t *testing.T) {
	p, it := toy(18)
	ws := p.workers(1)
	if err := p.fitBatch(context.Background(), []*item{it}, ws, nil, copies, 50, nil); err != nil {
		t.Fatal(err)
	}
	ws[0].load(context.Background(), &it.sentence, nil)
	if a, b := weight(ws[0], 0, 1), weight(ws[0], 1, 2); math.Abs(a-0.17477413) > 1e-5 || math.Abs(b-0.4226784) > 1e-5 {
		t.Errorf("weights %v and %v", a, b)
	}
}

// TestDualRises: over many sentences and parts of higher order no pass lowers the dual.
func TestDualRises(t *testing.T) {
	for _, c := range [][]option.Arg{
		{arg("objective", maxMargin), arg("factorization", "carreras")},
		{arg("objective", logLinear), arg("factorization", "model1")},
		{arg("objective", logLinear), arg("factorization", "arc"), arg("trees", nonprojective)},
	} {
		m := configured(t, append(c, arg("optimizer", "eg"), arg("l2", 0.1), arg("epochs", 6), arg("labels", noLabels))...)
		var duals []float64
		tr := &kind.Training{On: kind.Documents(treed(kindtest.Sample(6))), Seed: 1, Workers: 1, Notice: func(string) {},
			Report: func(p kind.Progress) {
				if p.Note == "dual objective" {
					duals = append(duals, p.Objective)
				}
			}}
		if err := m.Train(context.Background(), tr); err != nil {
			t.Fatal(err)
		}
		if len(duals) != 6 {
			t.Fatalf("%v: %d duals", c, len(duals))
		}
		for i := 1; i < len(duals); i++ {
			if duals[i] < duals[i-1]-1e-4*math.Abs(duals[i-1]) {
				t.Errorf("%v: pass %d: the dual falls from %v to %v", c, i+1, duals[i-1], duals[i])
			}
		}
	}
}
