package metrics

import (
	"context"
	"math"

	"parlance/algo/metrics/significance"
)

// Test is a test of the difference of two models.
type Test uint8

// The tests.
const (
	Randomised Test = iota // paired approximate randomisation, of any metric
	McNemar                // of accuracies
	Sign                   // of the values of units, ties dropped
	Student                // paired t of the values of units
)

// Chance says how intervals and tests are computed.
type Chance struct {
	Sentences  bool    // units are the scored units, mostly sentences, instead of documents
	Confidence float64 // of intervals, such as 0.95
	Resamples  int     // of the bootstrap
	Shuffles   int     // of the randomisation
	Test       Test    // metrics that it does not apply to have no p
	Seed       uint64
	Workers    int
}

// FewestUnits is the fewest units that an interval is drawn from: of fewer there are hardly different resamples, and an
// interval would look sure where nothing is known.
const FewestUnits = 6

// Comparison is the difference of a metric between two models on the same documents.
type Comparison struct {
	Value    float64               // of the first less that of the second
	Interval significance.Interval // NaN of fewer than FewestUnits
	P        float64               // two-sided
	Tested   bool                  // whether there is a P
	Units    int                   // units that both have; 0: they cannot be compared
}

// Documents returns the number of documents that a metric was scored on, 0 where it keeps no units.
func (m Metric) Documents() int {
	switch m.Combine {
	case MeanOf:
		for _, p := range m.Parts {
			return p.Documents()
		}
		return 0
	case Resample:
		return m.Sample.Len()
	}
	if m.Ends != nil {
		return len(m.Ends)
	}
	return m.Units.Len()
}

// UnitsOf returns how many units a metric is drawn from, 0 where it keeps none.
func (c Chance) UnitsOf(m Metric) int {
	if m.Combine == Resample {
		return m.Sample.Len()
	}
	if m.mixed() {
		return 0
	}
	n, _ := m.unitsWith(Metric{}, c.Sentences)
	return n
}

// Intervals returns the percentile bootstrap interval of every metric, nil for those that keep
// fewer than FewestUnits. All are computed from the same resamples.
func Intervals(ctx context.Context, list []Metric, c Chance) ([]*significance.Interval, error) {
	out := make([]*significance.Interval, len(list))
	for _, t := range tables(len(list), func(i int) (a, b Metric) { return list[i], Metric{} }, c.Sentences) {
		if t.units < FewestUnits {
			continue
		}
		found, err := significance.Bootstrap(ctx, t.counts(0), len(t.scores), t.score, c.Confidence, c.draws(c.Resamples))
		if err != nil {
			return nil, err
		}
		for k, i := range t.of {
			out[i] = &found[k]
		}
	}
	for i, m := range list {
		if m.Combine != Resample || m.Sample.Len() < FewestUnits {
			continue
		}
		in, err := m.interval(ctx, c)
		if err != nil {
			return nil, err
		}
		out[i] = &in
	}
	return out, nil
}

func (c Chance) draws(n int) significance.Draws {
	return significance.Draws{N: n, Seed: c.Seed, Workers: c.Workers}
}

// Compare compares metrics of two models, pair by pair: the difference with its paired bootstrap
// interval, and p by the chosen test.
func Compare(ctx context.Context, a, b []Metric, c Chance) ([]Comparison, error) {
	out := make([]Comparison, len(a))
	for i := range a {
		out[i].Value = a[i].Value() - b[i].Value()
		out[i].Interval = significance.Interval{Low: math.NaN(), High: math.NaN()}
	}
	for _, t := range tables(len(a), func(i int) (Metric, Metric) { return a[i], b[i] }, c.Sentences) {
		if err := t.compare(ctx, out, c); err != nil {
			return nil, err
		}
	}
	for i := range a {
		if a[i].Combine == Resample && b[i].Combine == Resample {
			if err := resampled(ctx, a[i].Sample, b[i].Sample, &out[i], c); err != nil {
				return nil, err
			}
		}
		switch {
		case c.Test == McNemar:
			out[i].P, out[i].Tested = mcNemar(a[i], b[i])
		case c.Test != Randomised && out[i].Units > 0:
			out[i].P, out[i].Tested = paired(a[i], b[i], c)
		}
	}
	return out, nil
}

func (t *table) compare(ctx context.Context, out []Comparison, c Chance) error {
	first, second := t.counts(0), t.counts(1)
	if first == nil || second == nil {
		return nil
	}
	if c.Resamples > 0 && t.units >= FewestUnits {
		found, err := significance.Bootstrap(ctx, t.joint(), len(t.scores), t.differences, c.Confidence, c.draws(c.Resamples))
		if err != nil {
			return err
		}
		for k, i := range t.of {
			out[i].Interval = found[k]
		}
	}
	for _, i := range t.of {
		out[i].Units = t.units
	}
	if c.Shuffles == 0 || c.Test != Randomised {
		return nil
	}
	p, err := significance.Randomisation(ctx, first, second, len(t.scores), t.score, c.draws(c.Shuffles))
	if err != nil {
		return err
	}
	for k, i := range t.of {
		out[i].P, out[i].Tested = p[k], true
	}
	return nil
}

// mcNemar tests two accuracies on the same items; other metrics have no such test.
func mcNemar(a, b Metric) (p float64, ok bool) {
	x, y := a.items(), b.items()
	if len(x) != len(y) || len(x) == 0 {
		return 0, false
	}
	onlyA, onlyB := 0, 0
	for i := range x {
		switch {
		case x[i] && !y[i]:
			onlyA++
		case y[i] && !x[i]:
			onlyB++
		}
	}
	return significance.McNemar(onlyA, onlyB), true
}

// items tells of each item whether it is right, nil for what is no accuracy.
func (m Metric) items() []bool {
	if m.Items != nil || m.combine() != Ratio {
		return m.Items
	}
	out := make([]bool, 0, m.Units.Len())
	for i := range m.Units.Len() {
		u := m.Units.Row(i)
		switch {
		case u[1] > 1:
			return nil
		case u[1] == 1:
			out = append(out, u[0] == 1)
		}
	}
	return out
}
