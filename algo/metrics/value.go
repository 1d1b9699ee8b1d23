package metrics

// Value combines the statistics of all units. What would be 0/0 is 0.
func (m Metric) Value() float64 {
	switch m.Combine {
	case MeanOf:
		return mean(m.Parts, func(p Metric) float64 { return p.Value() })
	case Resample:
		return m.Sample.Weighted()(ones(m.Sample.Len()))
	}
	return m.Combine.of(total(m.Units))
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
