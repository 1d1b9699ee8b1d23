package metrics

import (
	"context"
	"math/rand/v2"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

// TestSpansBruteForce compares counts by label with those of a search of every pair.
func TestSpansBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := document(3, 2, 4)
		lengths := []int32{3, 2, 4}
		draw := func(name string) []text.Span {
			var out []text.Span
			for s, n := range lengths {
				for first := int32(1); first <= n; first++ {
					last := rapid.Int32Range(first, n).Draw(t, name+" last")
					if label := rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, name); label != "" {
						out = append(out, text.Span{Sent: int32(s + 1), First: first, Last: last, Label: label})
					}
				}
			}
			return out
		}
		gold, pred := draw("gold"), draw("predicted")
		sc := NewSpans("entities", Options{})
		if err := sc.Add(context.Background(), []*text.Document{with(d, gold...)},
			[]*text.Document{with(d, pred...)}); err != nil {
			t.Fatal(err)
		}
		right := map[string]float64{}
		nGold, nPred := map[string]float64{}, map[string]float64{}
		for _, p := range pred {
			for _, l := range []string{All, p.Label} {
				nPred[l]++
				for _, g := range gold {
					if g == p {
						right[l]++
					}
				}
			}
		}
		for _, g := range gold {
			nGold[g.Label]++
			nGold[All]++
		}
		for _, m := range sc.Metrics() {
			want := 0.0
			switch m.Name {
			case "precision":
				want = ratio(right[m.Label], nPred[m.Label])
			case "recall":
				want = ratio(right[m.Label], nGold[m.Label])
			case "f1":
				want = ratio(2*right[m.Label], nGold[m.Label]+nPred[m.Label])
			default:
				continue
			}
			if diff := m.Value() - want; diff > 1e-9 || diff < -1e-9 || m.Support != nGold[m.Label] {
				t.Fatalf("%s %s is %v of %v, want %v of %v", m.Name, m.Label, m.Value(), m.Support, want, nGold[m.Label])
			}
			if m.Units.Len() != len(lengths) {
				t.Fatalf("%s %s has %d units, want %d sentences", m.Name, m.Label, m.Units.Len(), len(lengths))
			}
		}
	})
}

func TestForLayer(t *testing.T) {
	for _, c := range []struct {
		def     *text.LayerDef
		columns []string
		want    func(Scorer) bool
	}{
		{text.Entities, nil, func(s Scorer) bool { _, ok := s.(*Spans); return ok }},
		{text.Tokens, []string{"upos"}, func(s Scorer) bool { _, ok := s.(*Tokens); return ok }},
		{text.Labels, nil, func(s Scorer) bool { _, ok := s.(*Labels); return ok }},
		{text.Dependencies, nil, func(s Scorer) bool { _, ok := s.(*Arcs); return ok }},
	} {
		s, ok := ForLayer(c.def, c.columns, Options{})
		if ok != (c.want != nil) || ok && !c.want(s) {
			t.Errorf("%s %v has the scorer %T", c.def.Name, c.columns, s)
		}
	}
}

// TestValueOfNothing checks that 0/0 is 0, as in conlleval.
func TestValueOfNothing(t *testing.T) {
	for _, c := range []*Combine{Ratio, Precision, Recall, F1, Sum, MeanOf} {
		m := Metric{Combine: c, Units: UnitsOf([]Stat{{}})}
		found, err := Intervals(context.Background(), []Metric{m}, Chance{Confidence: 0.95, Resamples: 10, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if i := found[0]; m.Value() != 0 || i != nil && (i.Low != 0 || i.High != 0) {
			t.Errorf("combination %v of nothing is %v in %v", c, m.Value(), i)
		}
	}
}

func TestTokensOfDifferentTexts(t *testing.T) {
	if err := NewTokens("upos", Options{}).document(document(3), document(2)); err == nil {
		t.Error("three and two tokens are compared")
	}
}

func BenchmarkIntervals(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := Metric{Combine: F1}
	for range 14000 {
		m.Units.Add(float32(rng.IntN(3)), float32(rng.IntN(2)), float32(rng.IntN(2)))
	}
	for b.Loop() {
		if _, err := Intervals(context.Background(), []Metric{m},
			Chance{Confidence: 0.95, Resamples: 1000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
