package tagparser

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/testutil/realdata"
)

// TestPruning prints, by beam, how many arcs with a label are kept, how many of the treebank's are among them, and how
// long making the chart takes, on sentences that the pruner did not see. PARLANCE_SLOW learns from all.
func TestPruning(t *testing.T) {
	limit, held := 60, 60
	if os.Getenv("PARLANCE_SLOW") != "" {
		limit, held = 0, 0
	}
	train, dev := treebank(t, limit), realdata.Trees(t, "ewt.dev.txt", held)
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply(nil); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r, err := read(ctx, kind.Documents(train), m)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.trainPruner(ctx, &kind.Training{Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}},
		r.examples, "pruner")
	if err != nil {
		t.Fatal(err)
	}
	g := r.g
	weights := newTable(4)
	x := newScorer(g, &weights, &sync.Map{}, 1)
	before := 0
	for _, beam := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0} {
		tokens, pairs, kept, gold, labelled := 0, 0, 0, 0, 0
		spent := time.Duration(0)
		for _, d := range dev {
			for s := range constituent.Sentences(d, "xpos") {
				tree := constituent.Clean(s.Best())
				if tree == nil || len(s.Rows) > m.opt.maxLength {
					continue
				}
				var words []string
				for _, row := range s.Rows {
					words = append(words, d.Layer("tokens").Strs("form")[row])
				}
				arcs, err := p.arcs(ctx, [][]string{words}, [][]string{s.Tags})
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				x.load(words, s.Tags, arcs[0], beam, false)
				spent += time.Since(start)
				n := len(words)
				tokens, pairs = tokens+n, pairs+n*n
				want := constituent.Extract(tree, r.heads, n)
				later := want.Later()
				for _, list := range [][]arc{x.chart.arcs, x.chart.root} {
					for _, a := range list {
						right := want.Arcs[a.mod].Head == a.head
						if right {
							gold++
						}
						triple := int32(-1)
						if id, ok := g.tripleID[want.Triple(int(a.mod), later[a.mod])]; ok && right {
							triple = id
						}
						for i, l := range a.labels {
							if a.score[2*i] == none {
								continue
							}
							kept++
							if l == triple {
								labelled++
							}
						}
					}
				}
			}
		}
		percent := func(a, b int) float64 { return 100 * float64(a) / float64(b) }
		t.Logf("beam %g: %.1f arcs with a label a token, %.4f %% of %d; of the treebank's arcs %.2f %%, with their label %.2f %%; %.1f ms a sentence",
			beam, float64(kept)/float64(tokens), percent(kept, pairs*len(g.triples)), pairs*len(g.triples), percent(gold,
				tokens),
			percent(labelled, tokens), 1000*spent.Seconds()/float64(len(dev)*10))
		if kept < before {
			t.Errorf("beam %g keeps %d arcs, a narrower one %d", beam, kept, before)
		}
		before = kept
	}
}
