package metrics

import (
	"context"
	"math"
	"slices"
	"testing"

	"parlance/algo/text"
)

// tagged has tags of the tokens and their probabilities.
func tagged(d *text.Document, prob []float64, tags ...string) *text.Document {
	c, l := *d, *d.Layer("tokens")
	l.Cols = slices.Clone(l.Cols)
	l.SetStrs("upos", tags)
	l.Prob = prob
	c.SetLayer(&l)
	return &c
}

// TestReliabilityByHand: of two rows near .95 one is right, of three from .2 to .3 one, and one row has no gold.
func TestReliabilityByHand(t *testing.T) {
	d := document(4, 3)
	s := NewReliability(text.Tokens, []string{"upos"})
	gold := tagged(d, nil, "A", "B", "A", "A", "B", "", "A")
	pred := tagged(d, []float64{0.95, 0.96, 0.2, 0.25, 0.29, 0.5, math.NaN()}, "A", "A", "B", "A", "A", "A", "A")
	if err := s.Add(context.Background(), []*text.Document{gold}, []*text.Document{pred}); err != nil {
		t.Fatal(err)
	}
	m := s.Metrics()
	e := find(t, m, "calibration_error", All)
	near(t, "calibration_error", e.Value(), 2.0/5*math.Abs(0.5-0.955)+3.0/5*math.Abs(1.0/3-0.74/3))
	near(t, "support", e.Support, 5)
	near(t, "share of the last bin", find(t, m, "reliability", "0.9-1.0").Value(), 0.5)
	low := find(t, m, "reliability", "0.2-0.3")
	near(t, "share of 0.2 to 0.3", low.Value(), 1.0/3)
	near(t, "rows of 0.2 to 0.3", low.Support, 3)
	if len(m) != 3 {
		t.Errorf("%d metrics, want the error and two bins", len(m))
	}
	for p, want := range map[float64]int{0: 0, 0.0999: 0, 0.1: 1, 0.95: 9, 1: 9} {
		if bin(p) != want {
			t.Errorf("%v is in bin %d", p, bin(p))
		}
	}
}

func TestVerdicts(t *testing.T) {
	d := document(3, 2)
	spans := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "X"}, text.Span{Sent: 2, First: 1, Last: 1, Label: "Y"})
	off := with(d, text.Span{Sent: 1, First: 1, Last: 2, Label: "X"}, text.Span{Sent: 1, First: 3, Last: 3, Label: "X"},
		text.Span{Sent: 2, First: 1, Last: 1, Label: "X"})
	arcs := func(head []int32, rel []string) *text.Document {
		c, l := *d, text.NewLayer(text.Dependencies)
		l.N = len(head)
		l.SetInts("sent", []int32{1, 1, 1, 2, 2}[:l.N])
		l.SetInts("tok", []int32{1, 2, 3, 1, 2}[:l.N])
		l.SetInts("head", head)
		if rel != nil {
			l.SetStrs("deprel", rel)
		}
		c.SetLayer(l)
		return &c
	}
	label := func(names ...string) *text.Document {
		c, l := *d, text.NewLayer(text.Labels)
		l.N = len(names)
		l.SetStrs("label", names)
		c.SetLayer(l)
		return &c
	}
	tree := arcs([]int32{0, 1, 1}, []string{"root", "a", "b"})
	for _, c := range []struct {
		what       string
		def        *text.LayerDef
		gold, pred *text.Document
		want       []Verdict
	}{
		{"spans", text.Entities, spans, off, []Verdict{Correct, Wrong, Wrong}},
		{"spans without gold", text.Entities, d, off, []Verdict{Unjudged, Unjudged, Unjudged}},
		{"arcs", text.Dependencies, tree, arcs([]int32{0, 1, 2, 0, 1}, []string{"root", "b", "b", "root", "a"}),
			[]Verdict{Correct, Wrong, Wrong, Unjudged, Unjudged}},
		{"heads alone", text.Dependencies, tree, arcs([]int32{0, 1, 2}, nil), []Verdict{Correct, Correct, Wrong}},
		{"labels", text.Labels, label("a", "b"), label("b", "c"), []Verdict{Correct, Wrong}},
		{"labels without gold", text.Labels, d, label("b"), []Verdict{Unjudged}},
		{"nothing predicted", text.Labels, label("a"), d, nil},
	} {
		got, err := Verdicts(c.def, nil, c.gold, c.pred)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.what, got, err)
		}
	}
}
