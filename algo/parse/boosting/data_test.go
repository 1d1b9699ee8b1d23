package boosting

import (
	"context"
	"os"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/pcfg"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// grammarOf is a pcfg of documents.
func grammarOf(t testing.TB, docs []*text.Document) kind.Trained {
	t.Helper()
	m, s := pcfg.Kind().New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return kind.Trained{Model: m, Label: "grammar"}
}

// jackknifed are grammars of the documents but those of one fold each.
func jackknifed(t testing.TB, docs []*text.Document, folds int) (out []kind.Trained) {
	for f := range folds {
		var rest []*text.Document
		for i, d := range docs {
			if i%folds != f {
				rest = append(rest, d)
			}
		}
		out = append(out, grammarOf(t, rest))
	}
	return out
}

// kept is a sentence with its brackets.
type kept struct {
	x *candidates.Sentence
	y candidates.Tally
}

// candidatesOf lists the candidates of documents, those of a fold by its model.
func candidatesOf(t testing.TB, o *candidates.Options, docs []*text.Document, models []kind.Trained) (out []kept) {
	t.Helper()
	for i, d := range docs {
		tr := &kind.Training{Workers: 1, Report: func(kind.Progress) {}}
		_, err := candidates.Read(context.Background(), o, kind.Documents{d}, tr, models[i%len(models)],
			func(_ int, x *candidates.Sentence, gold []constituent.Bracket) kept {
				return kept{x, candidates.TallyOf(x, gold)}
			}, func(k kept) { out = append(out, k) })
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
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
	c, by, s := &candidates.Options{}, &Options{}, &option.Set{}
	c.Declare(s)
	by.Declare(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("base", "g"), kindtest.Arg("min_feature_count", 3),
		kindtest.Arg("candidates", few)}); err != nil {
		t.Fatal(err)
	}
	learn := candidatesOf(t, c, docs, jackknifed(t, docs, 5))
	test := candidatesOf(t, c, realdata.Trees(t, "ewt.dev.txt", held), []kind.Trained{grammarOf(t, docs)})
	variants := []Options{{Loss: "exp", Weights: "score", Smoothing: 0.0025}, {Loss: "log", Weights: "score",
		Smoothing: 0.0025}}
	if slow {
		variants = append(variants, Options{Loss: "exp", Weights: "score", Smoothing: 0.01},
			Options{Loss: "exp", Weights: "score", Smoothing: 0.0005}, Options{Loss: "exp", Weights: "one",
				Smoothing: 0.0025},
			Options{Loss: "log", Weights: "score", Smoothing: 0.01})
	}
	for _, x := range variants {
		x.Features, x.SpanFeatures, x.MinCount, x.Rounds = by.Features, by.SpanFeatures, by.MinCount, rounds
		try(t, &x, c, learn, test)
	}
}

// try learns by some options, and prints F1 by number of rounds.
func try(t *testing.T, o *Options, c *candidates.Options, learn, test []kept) {
	m := &Model{}
	if err := m.Prepare(o, c); err != nil {
		t.Fatal(err)
	}
	f, s := m.Finder(), NewStore(o.MinCount)
	for _, k := range learn {
		s.Add(f.Example(k.x, k.y))
	}
	tr := &kind.Training{Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Fit(context.Background(), o, s, tr); err != nil {
		t.Fatal(err)
	}
	var list []*Example
	var best candidates.Counts
	for _, k := range test {
		list = append(list, m.HeldOutExample(f, k.x, k.y))
		best.Add(&k.y, k.y.Target(), 1)
	}
	h := m.newHeldOut(list)
	t.Logf("%s %s %v: base %.4f, a0 %.3f alone %.4f, oracle %.4f, savings %.0f", o.Loss, o.Weights, o.Smoothing, h.base(),
		m.Learned.Base, h.f1(), best.F1(), m.Learned.Savings(0, len(m.Learned.Steps)))
	for r, step := range m.Learned.Steps {
		h.step(step.Feature, step.Delta)
		if n := r + 1; n&(n-1) == 0 && n >= 32 || n == len(m.Learned.Steps) {
			t.Logf("  %d rounds: loss %.1f, F1 %.4f", n, step.Loss, h.f1())
		}
	}
	if best.F1() < h.base() {
		t.Errorf("the best of the candidates is worse than the base")
	}
}
