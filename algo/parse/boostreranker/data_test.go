package boostreranker

import (
	"context"
	"os"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/pcfg"
	"parlance/algo/parse/rerank"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// jackknifed trains grammars on the documents but one fold each.
func jackknifed(t testing.TB, docs []*text.Document, folds int) map[int]kind.Model {
	out := map[int]kind.Model{}
	for f := range folds {
		var rest []*text.Document
		for i, d := range docs {
			if i%folds != f {
				rest = append(rest, d)
			}
		}
		out[f] = trained(t, pcfg.Kind(), rest, nil)
	}
	return out
}

// candidatesOf lists the candidates of documents, those of a fold by its model.
func candidatesOf(t testing.TB, m *model, docs []*text.Document, models map[int]kind.Model, learn bool) *store {
	t.Helper()
	s := &store{counts: map[uint64]int32{}, names: map[uint64]string{}}
	for i, d := range docs {
		l := m.lister(kind.Trained{Model: models[i%len(models)], Label: "grammar"})
		f, err := l.examples(context.Background(), d, learn)
		if err != nil {
			t.Fatal(err)
		}
		s.take(f, m.opt.minCount)
	}
	return s
}

// TestTreebank prints F1 of held-out sentences for losses, weights and smoothing, by number of rounds; PARLANCE_SLOW
// learns from more sentences.
func TestTreebank(t *testing.T) {
	limit, held, rounds, few := 80, 40, 200, 8
	slow := os.Getenv("PARLANCE_SLOW") != ""
	if slow {
		limit, held, rounds, few = 600, 400, 8000, 20
	}
	var docs []*text.Document
	for _, part := range []string{"answers", "email", "newsgroup", "reviews", "weblog"} {
		docs = append(docs, realdata.Trees(t, "ewt.train."+part+".txt.gz", limit)...)
	}
	dev := realdata.Trees(t, "ewt.dev.txt", held)
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("base", "g"), kindtest.Arg("min_feature_count", 3),
		kindtest.Arg("candidates", few)}); err != nil {
		t.Fatal(err)
	}
	if err := m.ready(); err != nil {
		t.Fatal(err)
	}
	read := candidatesOf(t, m, docs, jackknifed(t, docs, 5), true)
	for h := range read.names {
		m.numbers[h] = 0
	}
	test := candidatesOf(t, m, dev, map[int]kind.Model{0: trained(t, pcfg.Kind(), docs, nil)}, false)
	type variant struct {
		loss, weights string
		smoothing     float64
	}
	variants := []variant{{"exp", "score", 0.0025}, {"log", "score", 0.0025}}
	if slow {
		variants = append(variants, variant{"exp", "score", 0.01}, variant{"exp", "score", 0.0005}, variant{"exp", "one",
			0.0025},
			variant{"log", "score", 0.01})
	}
	for _, x := range variants {
		m.opt.loss, m.opt.weights, m.opt.smoothing = x.loss, x.weights, x.smoothing
		pairs, names, err := m.pairs(read)
		if err != nil {
			t.Fatal(err)
		}
		o := rerank.Options{Rounds: rounds, Smoothing: x.smoothing}
		if x.loss == "log" {
			o.Loss = rerank.Logarithmic
		}
		learned, err := rerank.Train(context.Background(), pairs, o)
		if err != nil {
			t.Fatal(err)
		}
		m.learned, m.names, m.rounds = *learned, names, 0
		if err := m.ready(); err != nil {
			t.Fatal(err)
		}
		h := m.newHeldOut(copied(test.examples))
		t.Logf("%s %s %v: %d sentences, %d pairs, %d features, base %.4f, a0 %.3f alone %.4f, oracle %.4f, savings %.0f",
			x.loss, x.weights,
			x.smoothing, len(read.examples), pairs.Pairs(), len(names), h.base(), learned.Base, h.f1(), h.oracle(),
			learned.Savings(0, len(learned.Steps)))
		for r, step := range learned.Steps {
			h.step(step.Feature, step.Delta)
			if n := r + 1; n&(n-1) == 0 && n >= 32 || n == len(learned.Steps) {
				t.Logf("  %d rounds: loss %.1f, F1 %.4f", n, step.Loss, h.f1())
			}
		}
		if h.oracle() < h.base() {
			t.Errorf("the best of the candidates is worse than the base")
		}
	}
}

// copied are examples whose lists of features may be changed.
func copied(list []*example) (out []*example) {
	for _, e := range list {
		x := *e
		x.features = append([][]uint64(nil), e.features...)
		out = append(out, &x)
	}
	return out
}

// oracle is F1 of the best candidates of each sentence.
func (h *heldOut) oracle() float64 {
	common, all := 0, 0
	for _, e := range h.examples {
		best := 0
		for i := range e.logs {
			if e.goodness(i) > e.goodness(best) {
				best = i
			}
		}
		common, all = common+e.common[best], all+e.brackets[best]+e.gold
	}
	return f1(common, all)
}
