package metrics

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestMeansOfAnyParts has means whose parts differ in units, ends and width: no interval or comparison fails by a
// panic, and a mean of parts of different units has neither.
func TestMeansOfAnyParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	part := func(label string) Metric {
		m := Metric{Name: "f1", Label: label, Combine: []*Combine{F1, Ratio, Precision, Sum}[r.IntN(4)]}
		n := r.IntN(4)
		units := make([]Stat, n)
		for i := range units {
			units[i] = Stat{float32(r.IntN(3)), float32(r.IntN(3)), float32(r.IntN(3))}
		}
		m.Units = UnitsOf(units)
		if r.IntN(2) == 0 {
			for e := 0; e < n; e += 1 + r.IntN(2) {
				m.Ends = append(m.Ends, int32(e+1))
			}
			if k := len(m.Ends); k > 0 {
				m.Ends[k-1] = int32(n)
			}
		}
		return m
	}
	mean := func() Metric {
		m := Metric{Name: "mean", Label: All, Combine: MeanOf}
		for i := range r.IntN(4) {
			m.Parts = append(m.Parts, part(string(rune('a'+i))))
		}
		return m
	}
	one := func() Metric {
		if r.IntN(3) == 0 {
			return part(All)
		}
		return mean()
	}
	for range 20000 {
		a, b := one(), one()
		c := Chance{Sentences: r.IntN(2) == 0, Confidence: 0.95, Resamples: 3, Shuffles: 3, Workers: 1,
			Test: []Test{Randomised, McNemar, Sign, Student}[r.IntN(4)]}
		_ = a.Documents()
		_ = a.Value()
		found, err := Intervals(context.Background(), []Metric{a, b}, c)
		if err != nil {
			t.Fatalf("%+v %+v: %v", a, b, err)
		}
		if a.mixed() && found[0] != nil {
			t.Fatalf("an interval of %+v", a)
		}
		compared, err := Compare(context.Background(), []Metric{a}, []Metric{b}, c)
		if err != nil {
			t.Fatalf("%+v %+v: %v", a, b, err)
		}
		if a.mixed() && compared[0].Tested {
			t.Fatalf("a test of %+v", a)
		}
	}
}
