package srl

import (
	"context"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/frame"
	"parlance/algo/text"
)

// framed gives sample documents trees and roles: verbs are predicates, the token before is A0, the next noun A1, and by
// AM-MNR.
func framed(docs []*text.Document) []*text.Document {
	docs = kindtest.Phrased(kindtest.Treed(docs))
	for _, d := range docs {
		toks := d.Layer(text.Tokens.Name)
		tags, form, bounds := toks.Strs("xpos"), toks.Strs("form"), d.SentenceTokens()
		w := frame.NewWriter(d, false)
		for s := 1; s < len(bounds); s++ {
			for row := int(bounds[s-1]); row < int(bounds[s]); row++ {
				if tags[row][0] != 'V' {
					continue
				}
				p := row - int(bounds[s-1]) + 1
				f := frame.Frame{Predicate: p, Sense: form[row] + ".01"}
				if form[row] == "saw" && row+1 < int(bounds[s]) && form[row+1] == "the" {
					f.Sense = "saw.02"
				}
				if p > 1 {
					f.Args = append(f.Args, frame.Argument{Label: "A0", First: p - 1, Last: p - 1})
				}
				for other := p + 1; int(bounds[s-1])+other-1 < int(bounds[s]); other++ {
					if w := form[int(bounds[s-1])+other-1]; w == "by" {
						f.Args = append(f.Args, frame.Argument{Label: "AM-MNR", First: other, Last: other})
					} else if w == "soup" || w == "bread" || w == "Oslo" || w == "Rome" {
						f.Args = append(f.Args, frame.Argument{Label: "A1", First: other, Last: other})
					}
				}
				w.Add(s, f)
				break
			}
		}
		d.SetLayer(w.Layer())
	}
	return docs
}

func TestContract(t *testing.T) {
	docs := framed(kindtest.Sample(36))
	for name, opts := range map[string][]option.Arg{
		"default": {},
		"given": {kindtest.Arg("predicates", "given"), kindtest.Arg("candidates", "walk"), kindtest.Arg("max_up", 2),
			kindtest.Arg("unique_core", false), kindtest.Arg("sense_folds", 0)},
		"select": {kindtest.Arg("select", true), kindtest.Arg("select_share", 0.8), kindtest.Arg("tags", "upos"),
			kindtest.Arg("features", pairHeader+"\na.deprel, a.lemma, p.lemma & a.lemma, path(a, p).steps, order(a, p)"),
			kindtest.Arg("predicate_features", "window"), kindtest.Arg("sense_features", "window")},
		"stop": {kindtest.Arg("stop_label", true), kindtest.Arg("candidates", "children"), kindtest.Arg("none_bias", -0.5)},
		"trees": {kindtest.Arg("trees", 2), kindtest.Arg("candidates", "all"), kindtest.Arg("spans", "subtree"),
			kindtest.Arg("features",
				pairHeader+"\na.deprel & order(a, p), a.lemma, p.lemma & a.lemma & path(a, p).steps, f.sense")},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "trees" { // arguments are subtrees of one token here
				opts = append(opts[:2:2], append(opts[3:], kindtest.Arg("spans", "constituent"))...)
			}
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:24], Test: docs[24:]})
		})
	}
}

// trained trains a model.
func trained(t testing.TB, docs []*text.Document, args ...option.Arg) *model {
	t.Helper()
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}
