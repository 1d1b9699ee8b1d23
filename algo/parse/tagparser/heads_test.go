package tagparser

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/depparser"
	"parlance/algo/parse/pcfg"
	"parlance/algo/testutil/realdata"
	"parlance/algo/text"
	"parlance/storage/value"
)

// bank reads trees in brackets, a document each, limit at most, with the dependencies that the head rules give.
func bank(t testing.TB, limit int, path ...string) (docs []*text.Document) {
	t.Helper()
	all, err := io.ReadAll(realdata.Open(t, path...))
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	depth := 0
	for line := range strings.Lines(string(all)) {
		if depth == 0 && strings.HasPrefix(line, "#") {
			continue
		}
		written.WriteString(line)
		if depth += strings.Count(line, "(") - strings.Count(line, ")"); depth != 0 ||
			strings.TrimSpace(written.String()) == "" {
			continue
		}
		tree, words, err := constituent.Parse(written.String())
		if err != nil {
			t.Fatal(err)
		}
		if d := document(t, tree, words); d != nil {
			docs = append(docs, d)
		}
		if written.Reset(); len(docs) == limit {
			break
		}
	}
	return docs
}

// document has one sentence; it is nil for one of traces alone.
func document(t testing.TB, tree *constituent.Node, words []string) *text.Document {
	t.Helper()
	var leaves []*constituent.Node
	for _, l := range tree.Leaves(nil) {
		if l.Label != constituent.Trace {
			leaves = append(leaves, l)
		}
	}
	if len(leaves) == 0 {
		return nil
	}
	d := &text.Document{ID: "tree"}
	toks, deps := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
	var ints [4][]int32
	var forms, tags []string
	for i, l := range leaves {
		forms, tags = append(forms, words[l.Token-1]), append(tags, l.Label)
		at := int32(len(d.Text))
		d.Text += words[l.Token-1] + " "
		for k, v := range []int32{1, int32(i + 1), at, int32(len(d.Text) - 1)} {
			ints[k] = append(ints[k], v)
		}
	}
	clean := constituent.Clean(tree)
	for i, l := range clean.Leaves(nil) {
		l.Token = i + 1
	}
	toks.N, deps.N = len(leaves), len(leaves)
	for k, name := range []string{"sent", "tok", "char_start", "char_end"} {
		toks.SetInts(name, ints[k])
	}
	toks.SetStrs("form", forms)
	toks.SetStrs("xpos", tags)
	d.SetLayer(toks)
	table, err := constituent.Heads("collins")
	if err != nil {
		t.Fatal(err)
	}
	deps.SetInts("sent", ints[0])
	deps.SetInts("tok", ints[1])
	deps.SetInts("head", table.Dependencies(clean, len(leaves))[1:])
	deps.SetStrs("deprel", make([]string, len(leaves)))
	d.SetLayer(deps)
	w := constituent.NewWriter(d, false, false)
	s := &constituent.Sentence{Number: 1}
	for i := range leaves {
		s.Rows = append(s.Rows, i)
	}
	w.Tree(s, 1, clean, constituent.Root, nil)
	w.Set(func(layer string) bool { return layer == text.Constituents.Name })
	return d
}

// learned is a model of a kind.
func learned(t testing.TB, k kind.Kind, docs []*text.Document, args ...option.Arg) kind.Model {
	t.Helper()
	m, s := k.New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 2, Notice: func(string) {}, Report: func(kind.Progress) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// written are views of documents with what a model writes.
func written(t testing.TB, m kind.Model, docs []*text.Document) (out []*text.Document) {
	t.Helper()
	for _, d := range docs {
		v := *d
		v.DropLayer("constituents")
		v.DropLayer("dependencies")
		if err := m.Annotate(context.Background(), []*text.Document{&v}, &kind.Run{}); err != nil {
			t.Fatal(err)
		}
		out = append(out, &v)
	}
	return out
}

// TestHeads prints F1 of trees and the share of right heads beside those of pcfg, by the head rules, and of depparser
// of second order, which learned the heads of the same trees. PARLANCE_SLOW learns from all sentences.
func TestHeads(t *testing.T) {
	train, dev := 100, 20
	if os.Getenv("PARLANCE_SLOW") != "" {
		train, dev = 0, 0
	}
	for name, files := range map[string][2]string{"ptb-sample": {"train.mrg", "dev.mrg"},
		"gum": {"train.ptb", "dev.ptb"}} {
		t.Run(name, func(t *testing.T) {
			docs, held := bank(t, train, name, files[0]), bank(t, dev, name, files[1])
			tree := func(m kind.Model) float64 {
				out := written(t, m, held)
				uas := 0.0
				if m.Schema().Writes[1].Layer == "dependencies" {
					uas = heads(t, held, out)
				} else {
					for _, d := range out {
						for s := range constituent.Sentences(d, "xpos") {
							table, _ := constituent.Heads("collins")
							l := text.NewLayer(text.Dependencies)
							l.N = len(s.Rows)
							l.SetInts("head", table.Dependencies(constituent.Clean(s.Best()), len(s.Rows))[1:])
							d.SetLayer(l)
						}
					}
					uas = heads(t, held, out)
				}
				x := scores(t, held, out)
				t.Logf("  P %.2f R %.2f F1 %.2f exact %.1f, heads %.2f", x["precision"], x["recall"], x["f1"], x["exact"], uas)
				return uas
			}
			t.Logf("%d and %d sentences; tag_parser, pcfg, depparser", len(docs), len(held))
			best := tree(learned(t, Kind(), docs, option.Arg{Name: "epochs", Value: value.Int(4)}))
			grammar := tree(learned(t, pcfg.Kind(), docs))
			graph := learned(t, depparser.Kind(), docs, option.Arg{Name: "factorization", Value: value.Str("carreras")})
			t.Logf("  heads %.2f", heads(t, held, written(t, graph, held)))
			if best < grammar-3 {
				t.Errorf("%.2f %% of the heads are right, with a grammar %.2f", best, grammar)
			}
		})
	}
}
