package metrics

import (
	"context"
	"math/rand/v2"
	"sort"
)

// Value combines the statistics of all units. What would be 0/0 is 0.
func (m Metric) Value() float64 {
	if m.Combine == MeanOf {
		return mean(m.Parts, func(p Metric) float64 { return p.Value() })
	}
	return m.Combine.of(total(m.Units))
}

func mean(parts []Metric, value func(Metric) float64) float64 {
	if len(parts) == 0 {
		return 0
	}
	sum := 0.0
	for _, p := range parts {
		sum += value(p)
	}
	return sum / float64(len(parts))
}

func total(units []Stat) [3]float64 {
	var s [3]float64
	for _, u := range units {
		for k := range s {
			s[k] += float64(u[k])
		}
	}
	return s
}

// of computes the value from summed statistics.
func (c Combine) of(s [3]float64) float64 {
	switch c {
	case Ratio:
		return ratio(s[0], s[1])
	case Precision:
		return ratio(s[0], s[0]+s[1])
	case Recall:
		return ratio(s[0], s[0]+s[2])
	case F1:
		return ratio(2*s[0], 2*s[0]+s[1]+s[2])
	}
	return s[0]
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// units returns the number of units that were scored.
func (m Metric) units() int {
	if m.Combine == MeanOf && len(m.Parts) > 0 {
		return len(m.Parts[0].Units)
	}
	return len(m.Units)
}

// resampled is the value on units drawn by index.
func (m Metric) resampled(idx []int32) float64 {
	if m.Combine == MeanOf {
		return mean(m.Parts, func(p Metric) float64 { return p.resampled(idx) })
	}
	var s [3]float64
	for _, i := range idx {
		u := &m.Units[i]
		s[0] += float64(u[0])
		s[1] += float64(u[1])
		s[2] += float64(u[2])
	}
	return m.Combine.of(s)
}

// draw fills idx with units drawn with replacement.
func draw(rng *rand.Rand, idx []int32) {
	n := int32(len(idx))
	for i := range idx {
		idx[i] = rng.Int32N(n)
	}
}

// Interval returns the percentile bootstrap interval of the value over the units, for a
// level such as 0.95 (Efron and Tibshirani 1993, chapter 13). Without units both are the value.
// Once the context has ended, what is returned means nothing.
func (m Metric) Interval(ctx context.Context, level float64, samples int, seed uint64) (low, high float64) {
	n := m.units()
	if n == 0 || samples <= 0 {
		v := m.Value()
		return v, v
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	idx := make([]int32, n)
	vals := make([]float64, samples)
	for k := range vals {
		if ctx.Err() != nil {
			return 0, 0
		}
		draw(rng, idx)
		vals[k] = m.resampled(idx)
	}
	sort.Float64s(vals)
	at := func(q float64) float64 { return vals[min(samples-1, max(0, int(q*float64(samples))))] }
	return at((1 - level) / 2), at((1 + level) / 2)
}

// PairedBootstrap compares two metrics over the same units: the difference a−b, and the
// two-sided probability of one as large if there were none (Berg-Kirkpatrick, Burkett and
// Klein 2012: the share of samples whose difference exceeds twice the observed one). Once the context
// has ended, what is returned means nothing.
func PairedBootstrap(ctx context.Context, a, b Metric, samples int, seed uint64) (difference, p float64) {
	difference = a.Value() - b.Value()
	n := a.units()
	if n == 0 || n != b.units() || samples <= 0 {
		return difference, 1
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	idx := make([]int32, n)
	beyond := 0
	for range samples {
		if ctx.Err() != nil {
			return 0, 0
		}
		draw(rng, idx)
		d := a.resampled(idx) - b.resampled(idx)
		if difference >= 0 && d > 2*difference || difference < 0 && d < 2*difference {
			beyond++
		}
	}
	if difference == 0 {
		return 0, 1
	}
	return difference, min(1, 2*float64(beyond)/float64(samples))
}
