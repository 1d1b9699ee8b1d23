package crf

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/option"
	"parlance/algo/text"
)

// divided is the model with every weight divided by t.
func divided(tb testing.TB, m *model, t float64) *model {
	tb.Helper()
	p, out := m.Chain.Parts(), *m
	p.Weights, p.TransWeights = slices.Clone(p.Weights), slices.Clone(p.TransWeights)
	for _, list := range [][]float64{p.Weights, p.TransWeights} {
		for i := range list {
			list[i] /= t
		}
	}
	c, err := chain.NewModel(p)
	if err != nil {
		tb.Fatal(err)
	}
	if m.second != nil {
		triples := slices.Clone(m.second.Triples())
		for i := range triples {
			triples[i].Weight /= t
		}
		if out.second, err = c.Second(m.second.Pairs(), triples); err != nil {
			tb.Fatal(err)
		}
	}
	out.Chain = c
	if err := out.ready(); err != nil {
		tb.Fatal(err)
	}
	return &out
}

// TestTemper: probabilities at a temperature are those of weights that are divided by it.
func TestTemper(t *testing.T) {
	ctx, docs := context.Background(), kindtest.Sample(30)
	for name, opts := range map[string][]option.Arg{
		"spans":   {kindtest.Arg("layer", "entities"), kindtest.Arg("optimizer", "pa")},
		"column":  {kindtest.Arg("layer", "upos"), kindtest.Arg("optimizer", "ap")},
		"order 2": {kindtest.Arg("layer", "entities"), kindtest.Arg("order", 2), kindtest.Arg("iterations", 10)},
	} {
		m, s := Kind().New().(*model), &option.Set{}
		m.Options(s)
		if err := s.Apply(opts); err != nil {
			t.Fatal(err)
		}
		in := &kind.Training{On: kind.Documents(docs[:20]), Report: func(kind.Progress) {}, Notice: func(string) {}}
		if err := m.Train(ctx, in); err != nil {
			t.Fatal(err)
		}
		layer := m.Schema().Writes[0].Layer
		ask := func(m *model) (out []*text.Layer) {
			for _, d := range docs[20:] {
				view := *d
				if err := m.Annotate(ctx, []*text.Document{&view}, &kind.Run{Prob: true}); err != nil {
					t.Fatal(err)
				}
				out = append(out, view.Layer(layer))
			}
			return out
		}
		plain := ask(m)
		for _, temperature := range []float64{3, 0.25, 1} {
			want := ask(divided(t, m, temperature))
			if err := m.Temper(temperature); err != nil {
				t.Fatal(err)
			}
			for i, l := range ask(m) {
				if !slices.EqualFunc(l.Prob, want[i].Prob, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
					t.Fatalf("%s at temperature %v: %v, want %v", name, temperature, l.Prob, want[i].Prob)
				}
				if same := slices.Equal(l.Prob, plain[i].Prob); same != (temperature == 1) && l.N > 0 && plain[i].Prob[0] < 1 {
					t.Errorf("%s: temperature %v changes nothing", name, temperature)
				}
			}
		}
	}
}
