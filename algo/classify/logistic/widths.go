package logistic

import "math"

// Single returns the same width for every feature. In sums over events the width W/N of means
// (Kazama and Tsujii 2003, sec. 5) is W itself.
func (p *Problem) Single(w float64) []float64 {
	out := make([]float64, p.Features())
	for k := range out {
		out[k] = w
	}
	return out
}

// Bayes returns widths by how reliable the observed sum of a feature is: with k events that have
// attribute and label, of n that have the attribute, and θ after them distributed as
// Beta(1+k, 1+n−k) (Kazama and Tsujii 2003, sec. 5),
//
//	A = W·√(Σ_x c(x)·f(x)²·V[θ]),  V[θ] = (1+k)·(1+n−k) / ((2+n)²·(n+3))
func (p *Problem) Bayes(w float64) []float64 {
	m := p.m
	out := make([]float64, p.Features())
	for a := range m.attributes {
		n, squares := 0.0, 0.0
		for i := m.start[a]; i < m.start[a+1]; i++ {
			v := 1.0
			if m.values != nil {
				v = float64(m.values[i])
			}
			n += m.count[m.at[i]]
			squares += m.count[m.at[i]] * v * v
		}
		for k := p.first[a]; k < p.first[a+1]; k++ {
			out[k] = w * math.Sqrt(squares*variance(p.seen[k], n))
		}
	}
	for i, t := range p.tied {
		n, squares := 0.0, 0.0
		for j, x := range t.Contexts {
			n += m.count[x]
			squares += m.count[x] * t.Values[j] * t.Values[j]
		}
		k := len(p.attr) + i
		out[k] = w * math.Sqrt(squares*variance(p.seen[k], n))
	}
	return out
}

// variance is that of Beta(1+k, 1+n−k).
func variance(k, n float64) float64 {
	return (1 + k) * (1 + n - k) / ((2 + n) * (2 + n) * (n + 3))
}

// Residual returns by how much weights miss the conditions of a minimum at most (Karush, Kuhn and
// Tucker): with d = O − E − L2·w they are d = A where w > 0, d = −A where w < 0, else −A ≤ d ≤ A.
// widths may be nil.
func (p *Problem) Residual(w []float64, l2 float64, widths []float64) float64 {
	st := newState(p, 1)
	copy(st.w, w)
	st.refresh()
	e := make([]float64, p.Features())
	st.expectations(e)
	worst := 0.0
	for k := range e {
		l1 := 0.0
		if widths != nil {
			l1 = widths[k]
		}
		worst = max(worst, math.Abs(violation(e[k]-p.observed[k]+l2*w[k], l1, w[k])))
	}
	return worst
}
