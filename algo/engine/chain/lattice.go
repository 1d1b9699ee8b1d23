package chain

import (
	"math"
	"slices"

	"parlance/algo/numeric/fastexp"
)

// lattice runs forward and backward over one sequence of any number of labels. Scaled
// probabilities are used where they are exact, logarithms elsewhere.
//
//	α_t[j] = x_t[j]·Σ_i A_{t−1}[i]·E[i,j],  z_t = Σ_j α_t[j],  A_t = α_t / z_t
//	R_t[j] = x_t[j]·B_t[j] / z_t,           B_{t−1}[i] = Σ_j E[i,j]·R_t[j]
//	p(y_t = j) = A_t[j]·B_t[j],             p(y_{t−1} = i, y_t = j) = A_{t−1}[i]·E[i,j]·R_t[j]
//
// with x_t[j] = exp(s_t[j] − max_t). In log space a and b hold logarithms of the unscaled
// values and r is unused.
type lattice struct {
	labels, n  int
	scores     []float64 // n×labels, −Inf is forbidden
	x, a, b, r []float64 // n×labels
	shift      []float64 // max_t
	scale      []float64 // z_t
	prefix     []float64 // log of the product of scales and shifts up to t
	tmp        []float64 // labels
	logZ       float64
	logSpace   bool
	watch
}

func (l *lattice) resize(labels, n int) {
	l.labels, l.n = labels, n
	size := labels * n
	grow := func(p *[]float64, k int) { *p = slices.Grow((*p)[:0], k)[:k] }
	for _, p := range []*[]float64{&l.scores, &l.x, &l.a, &l.b, &l.r} {
		grow(p, size)
	}
	for _, p := range []*[]float64{&l.shift, &l.scale, &l.prefix} {
		grow(p, n)
	}
	grow(&l.tmp, labels)
}

func (l *lattice) row(p []float64, t int) []float64 { return p[t*l.labels : (t+1)*l.labels] }

// run computes everything from the scores and returns log Z; −Inf if no path is allowed.
func (l *lattice) run(tr *transitions) float64 {
	if l.n == 0 {
		l.logZ = 0
		return 0
	}
	limit, masked := float64(scoreSpan), tr.masked()
	if masked {
		limit /= 2
	}
	l.logSpace = tr.active == nil || !l.exponentiate(limit-2*tr.span) ||
		!l.forward(tr.active, masked) || !l.backward(tr.active, masked)
	if l.logSpace {
		l.forwardLog(tr)
		l.backwardLog(tr)
	}
	return l.logZ
}

// exponentiate sets x and shift. It reports false for scores that spread too much.
func (l *lattice) exponentiate(limit float64) bool {
	for t := range l.n {
		if l.ended(t) {
			return true
		}
		s, x := l.row(l.scores, t), l.row(l.x, t)
		hi, lo := math.Inf(-1), math.Inf(1)
		for _, v := range s {
			if v > hi {
				hi = v
			}
			if v < lo && !math.IsInf(v, -1) {
				lo = v
			}
		}
		if !(hi-lo <= limit) {
			return false
		}
		for j, v := range s {
			if d := v - hi; d >= -scoreSpan {
				x[j] = fastexp.Exp(d)
			} else if d < -scoreSpan {
				x[j] = 0
			} else {
				return false // no number
			}
		}
		l.shift[t] = hi
	}
	return true
}

// smallest is the least forward or backward value under constraints: with it, only
// forbidden paths vanish. Without constraints the spread of scores guards well enough.
const smallest = 1e-150

// forward reports false where the scaled values are not exact.
func (l *lattice) forward(e *arcs, masked bool) bool {
	logZ, prod := 0.0, 1.0
	for t := range l.n {
		if l.ended(t) {
			return true
		}
		x, a := l.row(l.x, t), l.row(l.a, t)
		if t == 0 {
			copy(a, x)
		} else {
			prev := l.row(l.a, t-1)
			for j := range a {
				s := e.base
				for _, q := range e.in[e.inStart[j]:e.inStart[j+1]] {
					s += prev[q.label] * q.coef
				}
				a[j] = s * x[j]
			}
		}
		var z float64
		for _, v := range a {
			z += v
		}
		if !(z > 0) || math.IsInf(z, 0) {
			return false
		}
		c := 1 / z
		for j := range a {
			a[j] *= c
			if masked && a[j] != 0 && a[j] < smallest {
				return false
			}
		}
		l.scale[t] = z
		if prod *= z; prod < 1e-40 || prod > 1e40 {
			logZ += math.Log(prod)
			prod = 1
		}
		logZ += l.shift[t]
		l.prefix[t] = logZ + math.Log(prod)
	}
	l.logZ = logZ + math.Log(prod)
	return true
}

func (l *lattice) backward(e *arcs, masked bool) bool {
	for t := l.n - 1; t >= 0; t-- {
		if l.ended(t) {
			return true
		}
		b := l.row(l.b, t)
		if t == l.n-1 {
			for j := range b {
				b[j] = 1
			}
		} else {
			next := l.row(l.r, t+1)
			var sum float64
			for _, v := range next {
				sum += v
			}
			sum *= e.base
			for i := range b {
				s := sum
				for _, q := range e.out[e.outStart[i]:e.outStart[i+1]] {
					s += next[q.label] * q.coef
				}
				b[i] = s
				if masked && s != 0 && s < smallest {
					return false
				}
			}
		}
		x, r := l.row(l.x, t), l.row(l.r, t)
		c := 1 / l.scale[t]
		for j := range r {
			r[j] = x[j] * c * b[j]
		}
	}
	return true
}

// marginal returns p(y_t = j).
func (l *lattice) marginal(t, j int) float64 {
	k := t*l.labels + j
	if l.logSpace {
		return probability(l.a[k] + l.b[k] - l.logZ)
	}
	return l.a[k] * l.b[k]
}

// logForward returns the log of the unscaled forward value.
func (l *lattice) logForward(t, j int) float64 {
	if l.logSpace {
		return l.a[t*l.labels+j]
	}
	return math.Log(l.a[t*l.labels+j]) + l.prefix[t]
}

// logBackward returns the log of the unscaled backward value.
func (l *lattice) logBackward(t, j int) float64 {
	if l.logSpace {
		return l.b[t*l.labels+j]
	}
	return math.Log(l.b[t*l.labels+j]) + l.logZ - l.prefix[t]
}
