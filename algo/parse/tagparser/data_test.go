package tagparser

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// trainedOn trains on documents.
func trainedOn(t testing.TB, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Notice: func(s string) { t.Log(s) },
		Report: func(p kind.Progress) {
			if !p.Aside {
				t.Logf("%.0f s: %v", time.Since(start).Seconds(), p)
			}
		}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// parsed returns views of documents with what the model writes in place of constituents.
func parsed(t testing.TB, m *model, docs []*text.Document, run *kind.Run) []*text.Document {
	t.Helper()
	var out []*text.Document
	for _, d := range docs {
		v := *d
		v.DropLayer("constituents")
		v.DropLayer("dependencies")
		if err := m.Annotate(context.Background(), []*text.Document{&v}, run); err != nil {
			t.Fatal(err)
		}
		out = append(out, &v)
	}
	return out
}

// scores gives PARSEVAL.
func scores(t testing.TB, gold, predicted []*text.Document) map[string]float64 {
	t.Helper()
	s := metrics.NewConstituents(metrics.Options{})
	for i := range gold {
		if err := s.Add(context.Background(), gold[i:i+1], predicted[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]float64{}
	for _, m := range s.Metrics() {
		if m.Label == metrics.All {
			out[m.Name] = 100 * m.Value()
		}
	}
	return out
}

// heads is the share of tokens with the heads of the head rules.
func heads(t testing.TB, gold, predicted []*text.Document) float64 {
	t.Helper()
	table, err := constituent.Heads("collins")
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for i, d := range gold {
		got := predicted[i].Layer("dependencies").Ints("head")
		k := 0
		for s := range constituent.Sentences(d, "xpos") {
			want := table.Dependencies(constituent.Clean(s.Best()), len(s.Rows))
			for m := 1; m <= len(s.Rows); m++ {
				if got[k] == want[m] {
					right++
				}
				all++
				k++
			}
		}
	}
	return 100 * float64(right) / float64(all)
}

// treebank is the training part of the English Web Treebank, limit sentences of each of its five files, 0 for all.
func treebank(t testing.TB, limit int) (docs []*text.Document) {
	for _, part := range []string{"answers", "email", "newsgroup", "reviews", "weblog"} {
		docs = append(docs, realdata.Trees(t, "ewt.train."+part+".txt.gz", limit)...)
	}
	return docs
}

// TestTreebank prints scores on the development part; PARLANCE_SLOW trains on all, or on n sentences of each
// file.
func TestTreebank(t *testing.T) {
	limit, held, least := slow(t, 60), 100, 55.0
	if limit != 60 {
		held = 0
	}
	train, dev := treebank(t, limit), realdata.Trees(t, "ewt.dev.txt", held)
	m := trainedOn(t, train)
	report(t, m, dev, least)
}

// slow is how many sentences of each file are learned from: what PARLANCE_SLOW says, 0, which is all, for 1.
func slow(t testing.TB, usual int) int {
	v := os.Getenv("PARLANCE_SLOW")
	if v == "" {
		return usual
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	if n == 1 {
		return 0
	}
	return n
}

func report(t testing.TB, m *model, dev []*text.Document, least float64) {
	start := time.Now()
	out := parsed(t, m, dev, &kind.Run{})
	seconds := time.Since(start).Seconds()
	n, search := 0, map[string]int{}
	for _, d := range out {
		for _, s := range d.Layer("parses").Strs("search") {
			n++
			search[s]++
		}
	}
	x := scores(t, dev, out)
	t.Logf("P %.2f R %.2f F1 %.2f exact %.1f, heads %.2f; %.0f sentences/s, %v", x["precision"], x["recall"],
		x["f1"], x["exact"],
		heads(t, dev, out), float64(n)/seconds, search)
	if x["f1"] < least {
		t.Errorf("F1 %.1f, at least %v is wanted", x["f1"], least)
	}
}
