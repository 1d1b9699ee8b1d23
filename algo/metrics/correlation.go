package metrics

import (
	"parlance/algo/metrics/agreement"
)

// Spearman correlates the ranks of gold and predicted numbers, item by item; Pearson the numbers
// themselves. Nothing may be NaN. In a resample ranks are counted anew, at a cost of O(items).
func Spearman(label string, gold, predicted []float64) Metric {
	return correlation("spearman", label, &pairs{x: gold, y: predicted, ranked: true})
}

// Pearson is the correlation of gold and predicted numbers.
func Pearson(label string, gold, predicted []float64) Metric {
	return correlation("pearson", label, &pairs{x: gold, y: predicted})
}

func correlation(name, label string, p *pairs) Metric {
	p.centre()
	return Metric{Name: name, Label: label, Combine: Resample, Sample: p, Support: float64(len(p.x))}
}

// pairs is items with a gold and a predicted number. So that numbers of two models can be swapped
// whatever their scales are, predicted numbers are ranks or have mean 0 and variance 1.
type pairs struct {
	x, y           []float64
	ranked         bool
	xOrder, yOrder []int32 // by rising number, where ranks are correlated
}

// centre brings both sides to their scale.
func (p *pairs) centre() {
	if p.ranked {
		p.xOrder, p.yOrder = agreement.Order(p.x), agreement.Order(p.y)
		p.x, p.y = agreement.Ranks(p.x), agreement.Ranks(p.y)
		return
	}
	p.x, p.y = agreement.Standard(p.x), agreement.Standard(p.y)
}

func (p *pairs) Len() int { return len(p.x) }

func (p *pairs) Weighted() func([]float64) float64 {
	if !p.ranked {
		return func(times []float64) float64 {
			var m agreement.Moments
			for i, n := range times {
				m.Add(p.x[i], p.y[i], n)
			}
			return m.Correlation()
		}
	}
	rx, ry := make([]float64, len(p.x)), make([]float64, len(p.y))
	return func(times []float64) float64 {
		centre := ranksOf(p.x, p.xOrder, times, rx)
		ranksOf(p.y, p.yOrder, times, ry)
		var m agreement.Moments
		for i, n := range times {
			m.Add(rx[i]-centre, ry[i]-centre, n)
		}
		return m.Correlation()
	}
}

// ranksOf writes the rank of every value where each stands as often as times says, from an order
// of the values, and returns the mean rank.
func ranksOf(values []float64, order []int32, times, out []float64) float64 {
	before := 0.0
	for from := 0; from < len(order); {
		to, n := from, 0.0
		for to < len(order) && values[order[to]] == values[order[from]] {
			n += times[order[to]]
			to++
		}
		for _, i := range order[from:to] {
			out[i] = before + (n+1)/2
		}
		before, from = before+n, to
	}
	return (before + 1) / 2
}

// Swapped swaps predicted numbers of an item; ranks are counted anew, from one order of those of
// both models.
func (p *pairs) Swapped(other Sample) func([]bool) (float64, float64) {
	o, ok := other.(*pairs)
	if !ok || o.ranked != p.ranked || len(o.x) != len(p.x) {
		return nil
	}
	n := len(p.x)
	if !p.ranked {
		return func(swap []bool) (float64, float64) {
			var a, b agreement.Moments
			for i, s := range swap {
				u, v := p.y[i], o.y[i]
				if s {
					u, v = v, u
				}
				a.Add(p.x[i], u, 1)
				b.Add(o.x[i], v, 1)
			}
			return a.Correlation(), b.Correlation()
		}
	}
	both := append(append(make([]float64, 0, 2*n), p.y...), o.y...)
	order := agreement.Order(both)
	first, second, ranks := make([]float64, 2*n), make([]float64, 2*n), make([]float64, 2*n)
	return func(swap []bool) (float64, float64) {
		for i, s := range swap {
			first[i], first[n+i] = 1, 0
			if s {
				first[i], first[n+i] = 0, 1
			}
			second[i], second[n+i] = first[n+i], first[i]
		}
		return swappedRanks(p.x, both, order, first, ranks), swappedRanks(o.x, both, order, second, ranks)
	}
}

// swappedRanks correlates x with the ranks of those of 2n values that are taken, one for each item.
func swappedRanks(x, both []float64, order []int32, taken, ranks []float64) float64 {
	centre := ranksOf(both, order, taken, ranks)
	var m agreement.Moments
	for k, t := range taken {
		if t == 1 {
			m.Add(x[k%len(x)]-centre, ranks[k]-centre, 1)
		}
	}
	return m.Correlation()
}
