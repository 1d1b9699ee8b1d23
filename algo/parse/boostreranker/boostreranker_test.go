package boostreranker

import (
	"context"
	"math"
	"strings"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/parse/pcfg"
	"parlance/algo/text"
)

// trained trains a model of a kind.
func trained(t testing.TB, k kind.Kind, docs []*text.Document, res kind.Resources, args ...option.Arg) kind.Model {
	t.Helper()
	m, s := k.New(), &option.Set{}
	m.Options(s)
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Resources: res, Workers: 1, Seed: 1, Report: func(kind.Progress) {},
		Notice: func(s string) { t.Log(s) }}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	return m
}

// sample is documents whose trees a grammar without context gets wrong: the attachment depends on the verb.
func sample(n int) []*text.Document {
	docs := kindtest.Phrased(kindtest.Sample(n))
	for _, d := range docs { // the object of left stands in a phrase of its own, with the verb
		l, forms := d.Layer(text.Constituents.Name), d.Layer(text.Tokens.Name).Strs("form")
		bounds := d.SentenceTokens()
		sent, labels, first := l.Ints("sent"), l.Strs("label"), l.Ints("tok_start")
		for i, label := range labels {
			if label == "NP" && first[i] > 1 && forms[bounds[sent[i]-1]+first[i]-2] == "left" {
				labels[i] = "PP"
			}
		}
	}
	return docs
}

// grammar is a base that was trained on documents, as resource g.
func grammar(t testing.TB, docs []*text.Document) kindtest.Resources {
	m := trained(t, pcfg.Kind(), docs, nil, kindtest.Arg("coarse", 0.0), kindtest.Arg("vertical", 1),
		kindtest.Arg("horizontal", 0))
	return kindtest.Resources{Models: map[string]kind.Trained{"g": {Model: m, Label: "g@1"}}}
}

func TestContract(t *testing.T) {
	docs := sample(40)
	res := grammar(t, docs[:30])
	for name, opts := range map[string][]option.Arg{
		"exp": {kindtest.Arg("rounds", 60), kindtest.Arg("min_feature_count", 2)},
		"log": {kindtest.Arg("rounds", 60), kindtest.Arg("loss", "log"), kindtest.Arg("own_answer", false)},
		"fewer": {kindtest.Arg("rounds", 60), kindtest.Arg("use_rounds", 3), kindtest.Arg("weights", "one"),
			kindtest.Arg("candidates", 4)},
	} {
		t.Run(name, func(t *testing.T) {
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: append(opts, kindtest.Arg("base", "g")), Train: docs[:30],
				Test: docs[30:], Resources: res})
		})
	}
}

// f1Of is that of the best trees.
func f1Of(t *testing.T, m kind.Model, docs []*text.Document, res kind.Resources) float64 {
	t.Helper()
	common, all := 0, 0
	for _, d := range docs {
		x := *d
		x.DropLayer(text.Constituents.Name)
		if err := m.Annotate(context.Background(), []*text.Document{&x}, &kind.Run{Resources: res}); err != nil {
			t.Fatal(err)
		}
		var gold [][]constituent.Bracket
		for s := range constituent.Sentences(d, "xpos") {
			gold = append(gold, constituent.Brackets(constituent.Clean(s.Best())))
		}
		for s := range constituent.Sentences(&x, "xpos") {
			b := constituent.Brackets(constituent.Clean(s.Best()))
			common, all = common+constituent.Common(gold[s.Number-1], b), all+len(gold[s.Number-1])+len(b)
		}
	}
	return candidates.Counts{Common: common, All: all}.F1()
}

// TestBetterThanBase: words decide what the grammar cannot know.
func TestBetterThanBase(t *testing.T) {
	docs := sample(60)
	res := grammar(t, docs[:40])
	m := trained(t, Kind(), docs[:40], res, kindtest.Arg("base", "g"), kindtest.Arg("rounds", 100),
		kindtest.Arg("min_feature_count", 2))
	base, now := f1Of(t, res.Models["g"].Model, docs[40:], nil), f1Of(t, m, docs[40:], res)
	t.Logf("base %.4f, reranked %.4f", base, now)
	if !(now > base+0.02) {
		t.Errorf("F1 %.4f, the base has %.4f", now, base)
	}
	x := m.(*model)
	none := *x
	none.boost.Rounds = 0
	if err := none.ready(); err != nil {
		t.Fatal(err)
	}
	for _, w := range none.boost.Weights {
		if w != 0 {
			t.Fatal("no rounds give a weight")
		}
	}
}

// TestValidate: the number of rounds is the best one, by scores that are computed anew.
func TestValidate(t *testing.T) {
	docs := sample(40)
	res := grammar(t, docs[:20])
	m, s := Kind().New().(*model), &option.Set{}
	m.Options(s)
	if err := s.Apply([]option.Arg{kindtest.Arg("base", "g"), kindtest.Arg("rounds", 20),
		kindtest.Arg("min_feature_count", 1)}); err != nil {
		t.Fatal(err)
	}
	held := math.NaN()
	tr := &kind.Training{On: kind.Documents(docs[:20]), Validate: kind.Documents(docs[20:]), Resources: res, Workers: 2,
		Notice: func(string) {}, Report: func(p kind.Progress) {
			if p.Metric == "f1" {
				held = p.HeldOut
			}
		}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	best, most := 0, 0.0
	kept := m.boost.Rounds
	for r := range len(m.boost.Learned.Steps) + 1 {
		m.boost.Rounds = r
		if err := m.ready(); err != nil {
			t.Fatal(err)
		}
		if f := f1Of(t, m, docs[20:], res); f > most {
			best, most = r, f
		}
	}
	if kept != best || math.Abs(held-most) > 1e-12 {
		t.Errorf("%d rounds with %.6f are kept, %d with %.6f are best", kept, held, best, most)
	}
}

// TestBadBase: a base is wanted, which writes n best trees and reads no more than is read here; documents without a
// tree are left out.
func TestBadBase(t *testing.T) {
	docs := sample(6)
	res := grammar(t, docs)
	tags := trained(t, pcfg.Kind(), docs, nil, kindtest.Arg("tags", "upos"))
	res.Models["upos"] = kind.Trained{Model: tags, Label: "upos@1"}
	bad := &other{Model: tags, schema: kind.Schema{Writes: []kind.LayerUse{{Layer: "entities"}}}}
	res.Models["names"] = kind.Trained{Model: bad, Label: "names@1"}
	res.Models["silent"] = kind.Trained{Model: &silent{other{Model: tags, schema: tags.Schema()}}, Label: "silent@1"}
	for base, want := range map[string]string{"silent": "for which the base has candidates", "": "WITH (base = 'NAME')",
		"nobody": "nobody", "upos": "reads tokens.upos",
		"names": "does not write n best constituents"} {
		tagsOf := kindtest.Arg("tags", "xpos")
		if base == "silent" {
			tagsOf = kindtest.Arg("tags", "upos")
		}
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		if err := s.Apply([]option.Arg{kindtest.Arg("base", base), tagsOf}); err != nil {
			t.Fatal(err)
		}
		tr := &kind.Training{On: kind.Documents(docs), Resources: res, Workers: 1, Report: func(kind.Progress) {},
			Notice: func(string) {}}
		if err := m.Train(context.Background(), tr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("base %q: %v, want %q", base, err, want)
		}
	}
}

// other has another schema.
type other struct {
	kind.Model
	schema kind.Schema
}

func (o other) Schema() kind.Schema { return o.schema }

// silent writes nothing: gold must not stand in for its trees.
type silent struct{ other }

func (*silent) Annotate(context.Context, []*text.Document, *kind.Run) error { return nil }
