package crf

import (
	"context"
	"testing"

	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/seq/expectation"
	"parlance/algo/text"
	"parlance/storage/value"
)

func TestContract(t *testing.T) {
	c := kindtest.Case{Kind: Kind(), Resumes: true}
	batch := c
	batch.Options = []option.Arg{kindtest.Arg("iterations", 20)}
	kindtest.Variants(t, batch, map[string][]option.Arg{
		"spans": {kindtest.Arg("layer", "entities")},
		"iobes": {kindtest.Arg("layer", "entities"), kindtest.Arg("scheme", "iobes"),
			kindtest.Arg("transitions", "all")},
		"column":     {kindtest.Arg("layer", "upos")},
		"owlqn":      {kindtest.Arg("layer", "entities"), kindtest.Arg("l1", 0.1), kindtest.Arg("l2", 0.0)},
		"cold start": {kindtest.Arg("layer", "entities"), kindtest.Arg("warm_start", false), kindtest.Arg("min_count", 2)},
		"order 2":    {kindtest.Arg("layer", "entities"), kindtest.Arg("order", 2)},
		"all pairs": {kindtest.Arg("layer", "upos"), kindtest.Arg("order", 2), kindtest.Arg("transitions", "all"),
			kindtest.Arg("warm_start", false)},
	})
	kindtest.Variants(t, c, map[string][]option.Arg{
		"sgd": {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd")},
		"sgd l1": {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "sgd"), kindtest.Arg("l1", 0.1),
			kindtest.Arg("l2", 0.0)},
		"ap": {kindtest.Arg("layer", "upos"), kindtest.Arg("optimizer", "ap")},
		"pa": {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "pa")},
	})
}

// rules are constraints on the sample of kindtest.
func rules() kind.Tables {
	var out [][]value.Value
	for _, r := range []struct {
		kind, value, label, direction string
		target                        float64
	}{{"token", "Ann", "PER", ">=", 0.9}, {"pattern", "^ .", "PER", ">=", 0.9}, {"token", "Oslo", "LOC", ">=", 0.8},
		{"share", "", "O", ">=", 0.5},
		{"separator", ".", "O", "=", 0.95}, {"segments", "", "LOC", "<=", 1}} {
		out = append(out, []value.Value{value.Str(r.kind), value.Str(r.value), value.Str(r.label), value.Real(r.target),
			value.Str(r.direction), {}})
	}
	return kind.Tables{expectation.Table.Name: out}
}

func TestExpectationContract(t *testing.T) {
	for name, opts := range map[string][]option.Arg{
		"online": {kindtest.Arg("layer", "entities"), kindtest.Arg("passes", 2)},
		"batch": {kindtest.Arg("layer", "entities"), kindtest.Arg("passes", 2), kindtest.Arg("projections", "batch"),
			kindtest.Arg("scheme", "iobes")},
	} {
		t.Run(name, func(t *testing.T) {
			docs := kindtest.Sample(30)
			opts = append(opts, kindtest.Arg("objective", expectation.AlternatingProjections))
			kindtest.Run(t, kindtest.Case{Kind: Kind(), Options: opts, Train: docs[:20], Test: docs[20:],
				Resumes: true, Anew: true,
				Roles: map[string]kind.Input{"constraints": rules(), "labelled": kind.Documents(docs[:3])}})
		})
	}
}

// TestExpectation: what the training reports of the constraints is what the chain says of the tokens.
func TestExpectation(t *testing.T) {
	docs := kindtest.Sample(30)
	m, s := &model{}, &option.Set{}
	m.Options(s)
	args := []option.Arg{kindtest.Arg("layer", "entities"), kindtest.Arg("objective", expectation.AlternatingProjections),
		kindtest.Arg("l2", 0.1)}
	if err := s.Apply(args); err != nil {
		t.Fatal(err)
	}
	tr := &kind.Training{On: kind.Documents(docs), Roles: map[string]kind.Input{"constraints": rules()}, Seed: 1,
		Workers: 1, Report: func(kind.Progress) {}, Notice: func(string) {}}
	if err := m.Train(context.Background(), tr); err != nil {
		t.Fatal(err)
	}
	found, sum := 0.0, 0.0
	for _, d := range docs {
		x, err := m.Explain(context.Background(), []*text.Document{d}, kind.At{}, &kind.Run{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, dec := range x.Decisions {
			if dec.Form == "Oslo" {
				found++
				if dec.Outcome == "B-LOC" {
					sum += dec.Prob
				}
			}
		}
	}
	r := m.reached[2]
	if found == 0 || r.Matches != found || r.Expected < 0.75 || sum/found > r.Expected+1e-9 || sum/found < r.Expected-0.2 {
		t.Errorf("Oslo is a LOC with %g by the chain, %g of %g tokens by the report, which found %g", sum/found, r.Expected,
			r.Matches, found)
	}
}
