package tagparser

import (
	"context"
	"sync"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
	"parlance/storage/value"
)

// TestPruning prints, by pruner and beam, how many arcs with a label are kept, how many of the treebank's are among
// them, and how long arcs and chart take, on sentences that the pruner did not see. PARLANCE_SLOW learns from all, or
// from n sentences of each file.
func TestPruning(t *testing.T) {
	limit, held := slow(t, 60), 60
	if limit != 60 {
		held = 0
	}
	train, dev := treebank(t, limit), realdata.Trees(t, "ewt.dev.txt", held)
	for _, name := range []string{byArcs, byLabels} {
		t.Run(name, func(t *testing.T) { pruning(t, name, train, dev) })
	}
}

// kept counts arcs with a label, tokens, and those of the treebank's arcs that are kept, whatever their label and with
// it.
type kept struct{ tokens, pairs, arcs, gold, labelled int }

// pruning prints what a pruner keeps.
func pruning(t *testing.T, name string, train, dev []*text.Document) {
	m, s := &model{}, &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{{Name: "pruner", Value: value.Str(name)}}); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r, err := read(ctx, kind.Documents(train), m)
	if err != nil {
		t.Fatal(err)
	}
	r.g.crossed = name == byLabels
	start := time.Now()
	p, err := m.trainPruner(ctx, &kind.Training{Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}},
		r.g, r.examples, "pruner")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("learned in %.1f s", time.Since(start).Seconds())
	weights := newTable(4)
	x := newScorer(r.g, &weights, &sync.Map{}, 1)
	before := 0
	start = time.Now()
	var list []prunable
	for _, d := range dev {
		list = append(list, prunables(t, p, r, m.opt.maxLength, d)...)
	}
	t.Logf("arcs: %.2f ms a sentence", 1000*time.Since(start).Seconds()/float64(len(list)))
	for _, beam := range []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0} {
		var k kept
		spent := time.Duration(0)
		for _, y := range list {
			start := time.Now()
			x.load(y.words, y.tags, y.arcs, beam, false)
			spent += time.Since(start)
			k.add(x, r.g, y.want)
		}
		percent := func(a, b int) float64 { return 100 * float64(a) / float64(b) }
		all := k.pairs * len(r.g.triples)
		t.Logf("beam %g: %.1f arcs with a label a token, %.4f %% of %d; of the treebank's arcs %.2f %%, with their label "+
			"%.2f %%; chart %.2f ms a sentence", beam, float64(k.arcs)/float64(k.tokens), percent(k.arcs, all), all,
			percent(k.gold, k.tokens), percent(k.labelled, k.tokens), 1000*spent.Seconds()/float64(len(list)))
		if k.arcs < before {
			t.Errorf("beam %g keeps %d arcs, a narrower one %d", beam, k.arcs, before)
		}
		before = k.arcs
	}
}

// prunable is a sentence with its arcs and the treebank's derivation.
type prunable struct {
	words, tags []string
	arcs        []candidate
	want        *constituent.Derivation
}

func prunables(t *testing.T, p *pruner, r *reader, most int, d *text.Document) (list []prunable) {
	for s := range constituent.Sentences(d, "xpos") {
		tree := constituent.Clean(s.Best())
		if tree == nil || len(s.Rows) > most {
			continue
		}
		x := prunable{tags: s.Tags, want: constituent.Extract(tree, r.heads, len(s.Rows))}
		for _, row := range s.Rows {
			x.words = append(x.words, d.Layer("tokens").Strs("form")[row])
		}
		arcs, err := p.arcs(context.Background(), r.g, [][]string{x.words}, [][]string{x.tags})
		if err != nil {
			t.Fatal(err)
		}
		x.arcs = arcs[0]
		list = append(list, x)
	}
	return list
}

// add counts a sentence whose chart is made.
func (k *kept) add(x *scorer, g *grammar, want *constituent.Derivation) {
	n := want.Len()
	k.tokens, k.pairs = k.tokens+n, k.pairs+n*n
	later := want.Later()
	for _, list := range [][]arc{x.chart.arcs, x.chart.root} {
		for _, a := range list {
			right := want.Arcs[a.mod].Head == a.head
			if right {
				k.gold++
			}
			id, ok := g.tripleID[want.Triple(int(a.mod), later[a.mod])]
			for i, l := range a.labels {
				if a.score[2*i] == none {
					continue
				}
				k.arcs++
				if ok && right && l == id {
					k.labelled++
				}
			}
		}
	}
}
