package srl

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/algo/testutil/realdata"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// training reads the English Web Treebank: SRL_SENTENCES sentences of each part, all if it is 0.
func training(t testing.TB, each int) (docs []*text.Document) {
	for _, p := range []string{"answers", "email", "newsgroup", "reviews", "weblog"} {
		docs = append(docs, realdata.Roles(t, "ewt.train."+p+".txt.gz", each, true)...)
	}
	return docs
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// settings are options from SRL_OPTIONS, name=value separated by blanks.
func settings() (out []option.Arg) {
	for _, f := range strings.Fields(os.Getenv("SRL_OPTIONS")) {
		name, v, _ := strings.Cut(f, "=")
		switch n, err := strconv.ParseFloat(v, 64); {
		case v == "true" || v == "false":
			out = append(out, kindtest.Arg(name, v == "true"))
		case err == nil && n == float64(int(n)):
			out = append(out, kindtest.Arg(name, int(n)))
		case err == nil:
			out = append(out, kindtest.Arg(name, n))
		default:
			out = append(out, kindtest.Arg(name, v))
		}
	}
	return out
}

// score annotates documents and scores them by the scorer of EVALUATE.
func score(t testing.TB, m *model, docs []*text.Document) (map[string]float64, float64) {
	t.Helper()
	set, err := m.opt.settings()
	if err != nil {
		t.Fatal(err)
	}
	x := &model{opt: m.opt, finder: m.finder.With(set), labels: m.labels, pairs: m.pairs, set: m.set}
	x.ready()
	s := metrics.NewRoles(metrics.Options{})
	seconds := 0.0
	for _, d := range docs {
		v := *d
		if m.opt.predicates == "found" {
			v.DropLayer(text.Roles.Name)
		}
		start := testtime.Start()
		if err := x.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		seconds += start.Took().Seconds()
		if err := s.Add(context.Background(), []*text.Document{d}, []*text.Document{&v}); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]float64{}
	for _, v := range s.Metrics() {
		out[v.Name+" "+v.Label] = 100 * v.Value()
	}
	return out, seconds
}

// TestGoldTrees scores on dev with gold trees, predicates given and found.
func TestGoldTrees(t *testing.T) {
	train := training(t, number("SRL_SENTENCES", 100))
	dev := realdata.Roles(t, "ewt.dev.txt", 0, true)
	start := testtime.Start()
	m := trained(t, train, settings()...)
	took := start.Took().Seconds()
	for _, how := range []string{"given", "found"} {
		m.opt.predicates = how
		v, seconds := score(t, m, dev)
		all := func(name string) float64 { return v[name+" "+metrics.All] }
		t.Logf("predicates %s: semantic P/R/F1 %.1f/%.1f/%.1f, arguments %.1f, unlabelled %.1f, senses %.1f; trained "+
			"in %.0f s, "+
			"answered in %.2f s: %.0f predicates/s", how, all("semantic_precision"), all("semantic_recall"), all("semantic_f1"),
			all("f1"), all("unlabelled_f1"), all("sense_f1"), took, seconds, 4961/seconds)
	}
	for _, c := range m.trace {
		t.Logf("%s\t%s\t%.4f\t%.4f", c.Action, c.Template, c.Before, c.After)
	}
}
