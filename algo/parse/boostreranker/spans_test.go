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
	"parlance/algo/seq/crf"
	"parlance/algo/text"
)

// tagger is a base of spans that knows little: words alone, with few passes.
func tagger(t testing.TB, docs []*text.Document) kindtest.Resources {
	m := trained(t, crf.Kind(), docs, nil, kindtest.Arg("layer", "entities"), kindtest.Arg("features",
		"is_title[0], length[0]"),
		kindtest.Arg("l2", 1.0))
	return kindtest.Resources{Models: map[string]kind.Trained{"c": {Model: m, Label: "c@1"}}}
}

func TestSpansContract(t *testing.T) {
	docs := kindtest.Sample(40)
	res := tagger(t, docs[:30])
	for name, opts := range map[string][]option.Arg{
		"all":  {kindtest.Arg("candidates", 8)},
		"some": {kindtest.Arg("loss", "log"), kindtest.Arg("span_features", "texts"), kindtest.Arg("tags", "none")},
	} {
		t.Run(name, func(t *testing.T) {
			opts = append(opts, kindtest.Arg("base", "c"), kindtest.Arg("layer", "entities"), kindtest.Arg("rounds", 60),
				kindtest.Arg("min_feature_count", 2))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:30], Test: docs[30:], Resources: res})
		})
	}
}

// TestSpansBetterThanBase: words tell what the base does not look at.
func TestSpansBetterThanBase(t *testing.T) {
	docs := kindtest.Sample(60)
	res := tagger(t, docs[:40])
	m := trained(t, Kind(), docs[:40], res, kindtest.Arg("base", "c"), kindtest.Arg("layer", "entities"),
		kindtest.Arg("rounds", 200), kindtest.Arg("min_feature_count", 2))
	f1 := func(m kind.Model, res kind.Resources) float64 {
		var c candidates.Counts
		for _, d := range docs[40:] {
			x := *d
			x.DropLayer("entities")
			if err := m.Annotate(context.Background(), []*text.Document{&x}, &kind.Run{Resources: res}); err != nil {
				t.Fatal(err)
			}
			has := map[text.Span]bool{}
			each := func(l *text.Layer, visit func(text.Span)) {
				for i := range l.N {
					visit(text.Span{Sent: l.Ints("sent")[i], First: l.Ints("tok_start")[i], Last: l.Ints("tok_end")[i],
						Label: l.Strs("label")[i]})
				}
			}
			each(d.Layer("entities"), func(s text.Span) { has[s] = true; c.All++ })
			each(x.Layer("entities"), func(s text.Span) {
				c.All++
				if has[s] {
					c.Common++
				}
			})
		}
		return c.F1()
	}
	base, now := f1(res.Models["c"].Model, nil), f1(m, res)
	t.Logf("base %.4f, reranked %.4f", base, now)
	if !(now > base+0.02) {
		t.Errorf("F1 %.4f, the base has %.4f", now, base)
	}
}

// TestSpansOddInput: a layer that is none, a base that writes trees, and options of trees.
func TestSpansOddInput(t *testing.T) {
	docs := sample(6)
	res := grammar(t, docs)
	for _, x := range []struct {
		args []option.Arg
		want string
	}{
		{[]option.Arg{kindtest.Arg("layer", "words"), kindtest.Arg("base", "g")},
			"neither constituents nor a layer of spans"},
		{[]option.Arg{kindtest.Arg("layer", "entities"), kindtest.Arg("base", "g")}, "does not write n best entities"},
		{[]option.Arg{kindtest.Arg("layer", "entities")}, "of the kind crf"},
	} {
		m, s := Kind().New(), &option.Set{}
		m.Options(s)
		err := s.Apply(x.args)
		if err == nil {
			err = m.Train(context.Background(), &kind.Training{On: kind.Documents(docs), Resources: res,
				Report: func(kind.Progress) {},
				Notice: func(string) {}})
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v, want %q", x.args, err, x.want)
		}
	}
}

// none is a base that finds no spans in any labelling.
type none struct{ kind.Model }

func (none) Schema() kind.Schema {
	return kind.Schema{Writes: []kind.LayerUse{{Layer: "entities"}}, Ranked: []string{"entities"}}
}

func (none) Annotate(_ context.Context, docs []*text.Document, _ *kind.Run) error {
	for _, d := range docs {
		d.SetLayer(d.SpanLayer(text.Entities, nil))
	}
	return nil
}

// TestNoSpans: sentences whose lists have the empty labelling alone.
func TestNoSpans(t *testing.T) {
	o := &candidates.Options{Layer: "entities", Count: 5}
	docs := kindtest.Sample(2)
	list, err := o.Document(context.Background(), docs[0], kind.Trained{Model: none{}, Label: "none@1"})
	if err != nil || len(list) == 0 {
		t.Fatalf("%d sentences, %v", len(list), err)
	}
	for _, x := range list {
		if len(x.List) != 1 || len(x.List[0].Spans) != 0 || math.IsNaN(x.List[0].Log) {
			t.Errorf("candidates %+v", x.List)
		}
	}
}
