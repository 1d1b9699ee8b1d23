package similarity

import (
	"fmt"
	"math"

	"parlance/algo/lexical/cooccurrence"
)

// The measures.
const (
	bcb       = "bcb"
	bc        = "bc"
	bca       = "bca"
	js        = "js"
	pmi       = "pmi_cos"
	classes   = "cls_js"
	dirichlet = "dir_bhatt"
)

// newVectors makes the profiles of the words of a matrix.
func newVectors(m *cooccurrence.Matrix, s settings) (*vectors, error) {
	x := m.Rows
	v := &vectors{measure: s.measure, start: x.Start, ids: x.IDs, k: float64(len(m.Contexts))}
	v.x = make([]float64, len(x.IDs))
	for i, c := range x.Counts {
		v.x[i] = s.transformed(c)
	}
	v.p, v.t = make([]float64, x.Len()), make([]float64, x.Len())
	switch s.measure {
	case bc:
		v.fractions(math.Sqrt)
	case js:
		v.fractions(func(p float64) float64 { return p })
		v.divergence()
	case classes:
		copy(v.x, x.Counts)
		v.divergence()
	case bca:
		return v, v.discounted(m, s.delta)
	case bcb:
		v.bayesian(v.prior(s), s.d)
	case pmi:
		v.information(s.positive)
	case dirichlet:
		v.densities(v.prior(s))
	}
	return v, nil
}

// rowSum is a₀, the counts of a word added from left to right.
func (v *vectors) rowSum(i int) float64 {
	s := 0.0
	_, x := v.row(i)
	for _, c := range x {
		s += c
	}
	return s
}

// columnSums are the counts of the contexts.
func (v *vectors) columnSums() []float64 {
	out := make([]float64, int(v.k))
	for i, f := range v.ids {
		out[f] += v.x[i]
	}
	return out
}

// fractions makes counts a function of p(f|w) = c(w,f) / Σ_f c(w,f).
func (v *vectors) fractions(of func(float64) float64) {
	for i := range v.words() {
		a0 := v.rowSum(i)
		_, x := v.row(i)
		for k := range x {
			x[k] = of(x[k] / a0)
		}
	}
}

// divergence prepares 1 − JS/ln 2 = Σ_I ((p+q) ln(p+q) − p ln p − q ln q) / (2 ln 2), which follows from
// the definition of JS as both profiles add up to 1. The division is left to the score.
func (v *vectors) divergence() {
	v.sum, v.aux = func(_ uint32, s float64) float64 { return xlnx(s) }, make([]float64, len(v.x))
	for i, p := range v.x {
		v.aux[i] = xlnx(p)
	}
}

// discounted prepares BC after absolute discounting: p = (c − δ)/a₀ of the n contexts of a word, and
// z = δn / (a₀(K − n)) of each other one. Words in all contexts have no other ones and are divided by
// what is left.
func (v *vectors) discounted(m *cooccurrence.Matrix, delta float64) error {
	for i := range v.words() {
		a0 := v.rowSum(i)
		ids, x := v.row(i)
		n := float64(len(x))
		z := 0.0
		if v.k > n {
			z = math.Sqrt(delta * n / (a0 * (v.k - n)))
		} else {
			a0 -= delta * n
		}
		for k, c := range x {
			if c <= delta {
				return fmt.Errorf("option delta: %v is not less than the count of '%s' with '%s', %v", delta, m.Words[i],
					m.Contexts[ids[k]], c)
			}
			s := math.Sqrt((c - delta) / a0)
			v.t[i] += s
			x[k] = s - z
		}
		v.p[i] = z
	}
	return nil
}

// prior is α_k for each context: alpha, or alpha times K times the share of the context in all counts.
type prior struct {
	alpha float64
	of    []float64 // nil where all are alpha
	total float64
}

func (p *prior) at(f uint32) float64 {
	if p.of == nil {
		return p.alpha
	}
	return p.of[f]
}

func (v *vectors) prior(s settings) *prior {
	p := &prior{alpha: s.alpha, total: s.alpha * v.k}
	if s.prior == "uniform" {
		return p
	}
	p.of = v.columnSums()
	n := 0.0
	for _, c := range p.of {
		n += c
	}
	for f := range p.of {
		p.of[f] *= p.total / n
	}
	return p
}

// bayesian prepares eq. 8 with any exponent d: h(x) = Γ(x+d)/Γ(x), u_k = h(α_k + c_k) − h(α_k),
// t = Σ_k h(α_k) u_k, N = 1/h(α₀ + a₀), Q = Σ_k h(α_k)².
func (v *vectors) bayesian(prior *prior, d float64) {
	known := map[float64]float64{}
	h := func(x float64) float64 {
		y, ok := known[x]
		if !ok {
			y = gammaRatio(x, d)
			known[x] = y
		}
		return y
	}
	h0 := make([]float64, int(v.k))
	for f := range h0 {
		h0[f] = h(prior.at(uint32(f)))
		v.q += h0[f] * h0[f]
	}
	if prior.of != nil {
		h = func(x float64) float64 { return gammaRatio(x, d) } // no two alike
	}
	for i := range v.words() {
		v.p[i] = 1 / gammaRatio(prior.total+v.rowSum(i), d)
		ids, x := v.row(i)
		for k, c := range x {
			f := ids[k]
			x[k] = h(prior.at(f)+c) - h0[f]
			v.t[i] += h0[f] * x[k]
		}
	}
}

// densities prepares eq. 9 in logarithms: a context of both words adds
// ln Γ(α + (c₁+c₂)/2) + ln Γ(α) − ln Γ(α + c₁/2) − ln Γ(α + c₂/2) to what it adds of each,
// ln Γ(α + c/2) − (ln Γ(α + c) + ln Γ(α))/2.
func (v *vectors) densities(prior *prior) {
	v.mass, v.aux = make([]float64, v.words()), make([]float64, len(v.x))
	for i := range v.words() {
		v.mass[i] = prior.total + v.rowSum(i)
		v.p[i] = lgamma(v.mass[i]) / 2
		for k := v.start[i]; k < v.start[i+1]; k++ {
			a, c := prior.at(v.ids[k]), v.x[k]
			v.aux[k] = lgamma(a + c/2)
			v.t[i] += v.aux[k] - (lgamma(a+c)+lgamma(a))/2
		}
	}
	v.sum = func(f uint32, s float64) float64 { return lgamma(prior.at(f)+s/2) + lgamma(prior.at(f)) }
}

// roundedPMI is what PMIs of independent words and contexts stay below, 0 but for rounding.
const roundedPMI = 1e-12

// information makes counts PMI(w,f) = ln( c(w,f) n / (c(w) c(f)) ), divided by their length, so that
// products are cosines. Words whose PMIs are all 0 have no direction and are left out.
func (v *vectors) information(positive bool) {
	columns := v.columnSums()
	n := 0.0
	for _, c := range columns {
		n += c
	}
	for i := range v.words() {
		a0, length := v.rowSum(i), 0.0
		ids, x := v.row(i)
		for k, c := range x {
			x[k] = math.Log(c / a0 * (n / columns[ids[k]]))
			if positive && x[k] < 0 || math.Abs(x[k]) < roundedPMI {
				x[k] = 0
			}
			length += x[k] * x[k]
		}
		if length = math.Sqrt(length); length > 0 {
			for k := range x {
				x[k] /= length
			}
		}
	}
	v.squeeze()
}

// squeeze drops cells that are 0, for they add nothing to a product.
func (v *vectors) squeeze() {
	start, ids, n := make([]int, len(v.start)), []uint32(nil), 0
	for i := range v.words() {
		for k := v.start[i]; k < v.start[i+1]; k++ {
			if v.x[k] != 0 {
				v.x[n] = v.x[k]
				ids = append(ids, v.ids[k])
				n++
			}
		}
		start[i+1] = n
	}
	v.start, v.ids, v.x = start, ids, v.x[:n]
}
