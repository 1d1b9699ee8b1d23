package pcfg

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
)

// trained trains on documents.
func trained(t testing.TB, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
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

// treebank is the training part of the English Web Treebank, limit sentences of each of its five files, 0 for all.
func treebank(t testing.TB, limit int) (docs []*text.Document) {
	for _, part := range []string{"answers", "email", "newsgroup", "reviews", "weblog"} {
		docs = append(docs, realdata.Trees(t, "ewt.train."+part+".txt.gz", limit)...)
	}
	return docs
}

// TestTreebank prints scores on the development part; PARLANCE_SLOW trains on all.
func TestTreebank(t *testing.T) {
	limit, held := 250, 60
	if os.Getenv("PARLANCE_SLOW") != "" {
		limit, held = 0, 0
	}
	if n, err := strconv.Atoi(os.Getenv("PARLANCE_HELD")); err == nil {
		limit, held = 0, n
	}
	train, dev := treebank(t, limit), realdata.Trees(t, "ewt.dev.txt", held)
	least := 60.0
	for name, args := range map[string][]option.Arg{
		"given":   {kindtest.Arg("decoder", "brackets")},
		"viterbi": {kindtest.Arg("decoder", "viterbi")},
		"own":     {kindtest.Arg("tags", "own")},
	} {
		start := time.Now()
		m := trained(t, train, args...)
		learned := time.Since(start)
		start = time.Now()
		out := parsed(t, m, dev, &kind.Run{Wanted: []string{"constituents", "parses"}})
		seconds := time.Since(start).Seconds()
		n, search := 0, map[string]int{}
		for _, d := range out {
			for _, s := range d.Layer("parses").Strs("search") {
				n++
				search[s]++
			}
		}
		x := scores(t, dev, out)
		t.Logf("%s: %d symbols, %d rules, %d chains, trained in %.1f s; P %.2f R %.2f F1 %.2f exact %.1f, %.0f "+
			"sentences/s, %v", name,
			len(m.Symbols), len(m.Rules), len(m.Chains), learned.Seconds(), x["precision"], x["recall"], x["f1"], x["exact"],
			float64(n)/seconds, search)
		if x["f1"] < least {
			t.Errorf("%s: F1 %.1f, at least %v is wanted", name, x["f1"], least)
		}
	}
}
