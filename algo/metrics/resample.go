package metrics

import (
	"context"

	"parlance/algo/metrics/significance"
)

// interval bounds a metric of a sample, by the bootstrap.
func (m Metric) interval(ctx context.Context, c Chance) (significance.Interval, error) {
	if c.Resamples == 0 {
		v := m.Value()
		return significance.Interval{Low: v, High: v}, nil
	}
	found, err := significance.BootstrapUnits(ctx, m.Sample.Len(), 1, func() significance.Weighted {
		f := m.Sample.Weighted()
		return func(times, scores []float64) { scores[0] = f(times) }
	}, c.Confidence, c.draws(c.Resamples))
	if err != nil {
		return significance.Interval{}, err
	}
	return found[0], nil
}

// resampled compares two samples of the same units.
func resampled(ctx context.Context, a, b Sample, out *Comparison, c Chance) error {
	n := a.Len()
	if n == 0 || n != b.Len() {
		return nil
	}
	out.Units = n
	if c.Resamples > 0 && n >= FewestUnits {
		found, err := significance.BootstrapUnits(ctx, n, 1, func() significance.Weighted {
			f, g := a.Weighted(), b.Weighted()
			return func(times, scores []float64) { scores[0] = f(times) - g(times) }
		}, c.Confidence, c.draws(c.Resamples))
		if err != nil {
			return err
		}
		out.Interval = found[0]
	}
	if c.Test != Randomised || c.Shuffles == 0 || a.Swapped(b) == nil {
		return nil
	}
	p, err := significance.RandomisationUnits(ctx, n, func() significance.Swapped { return a.Swapped(b) },
		c.draws(c.Shuffles))
	out.P, out.Tested = p, err == nil
	return err
}

// paired tests the differences between the values of the units that count under either model; a
// value without counts is 0. Means over labels and samples have no values of units.
func paired(a, b Metric, c Chance) (p float64, ok bool) {
	if a.Combine == MeanOf || a.Combine == Resample || b.Combine == MeanOf {
		return 0, false
	}
	pair := tables(1, func(int) (Metric, Metric) { return a, b }, c.Sentences)
	if len(pair) == 0 {
		return 0, false
	}
	t := pair[0]
	f := &t.scores[0]
	var differences []float64
	x, y := make([]float64, t.width), make([]float64, t.width)
	for i := range t.units {
		clear(x)
		clear(y)
		t.row(0, i, x)
		t.row(1, i, y)
		if !zero(x) || !zero(y) {
			differences = append(differences, f.of(x)-f.of(y))
		}
	}
	if c.Test == Sign {
		p, _, _ = significance.Sign(differences)
	} else {
		_, p = significance.PairedT(differences)
	}
	return p, true
}
