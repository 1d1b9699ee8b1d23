package metrics

import (
	"math"
	"strconv"
)

// Value combines the statistics of all units. What would be 0/0 is 0, unless the combination says otherwise.
func (m Metric) Value() float64 {
	switch m.Combine {
	case MeanOf:
		return mean(m.Parts, func(p Metric) float64 { return p.Value() })
	case Resample:
		return m.Sample.Weighted()(ones(m.Sample.Len()))
	}
	c := m.combine()
	sums := m.Units.sums(c.width)
	for i, x := range sums {
		sums[i] = short(x)
	}
	return c.of(sums)
}

// short is the decimal of fewest digits for a sum of figures of single precision, which .2 is not; whole numbers are
// exact.
func short(x float64) float64 {
	if x == math.Trunc(x) {
		return x
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 32), 64)
	if err != nil {
		return x
	}
	return f
}

// combine returns how the sums make the value.
func (m Metric) combine() *Combine {
	if m.Combine == nil {
		return Ratio
	}
	return m.Combine
}

// Empty reports whether nothing was scored: all statistics are 0.
func (m Metric) Empty() bool {
	for _, p := range m.Parts {
		if !p.Empty() {
			return false
		}
	}
	return m.Units.Empty() && (m.Sample == nil || m.Sample.Len() == 0)
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
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
