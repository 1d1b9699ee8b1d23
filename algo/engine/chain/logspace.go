package chain

import "math"

// probability returns exp(log), at most 1: logarithms of large sums are off by some roundings.
func probability(log float64) float64 { return math.Exp(min(log, 0)) }

// logSumExp returns log Σ exp(v); −Inf of nothing.
func logSumExp(v []float64) float64 {
	hi := math.Inf(-1)
	for _, x := range v {
		if x > hi || math.IsNaN(x) {
			hi = x
		}
	}
	if math.IsInf(hi, 0) || math.IsNaN(hi) {
		return hi
	}
	var s float64
	for _, x := range v {
		if d := x - hi; d > -40 {
			s += math.Exp(d)
		}
	}
	return hi + math.Log(s)
}

// forwardLog sets a_t[j] = s_t[j] + log Σ_i exp(a_{t−1}[i] + w[i,j]) and log Z. It costs
// labels² exponentials a token and is exact for any scores.
func (l *lattice) forwardLog(tr *transitions) {
	for t := range l.n {
		if l.ended(t) {
			return
		}
		s, a := l.row(l.scores, t), l.row(l.a, t)
		if t == 0 {
			copy(a, s)
			continue
		}
		prev := l.row(l.a, t-1)
		for j := range a {
			tr.column(j, l.tmp)
			for i, v := range prev {
				l.tmp[i] += v
			}
			a[j] = s[j] + logSumExp(l.tmp)
		}
	}
	l.logZ = logSumExp(l.row(l.a, l.n-1))
}

// backwardLog sets b_t[i] = log Σ_j exp(w[i,j] + s_{t+1}[j] + b_{t+1}[j]).
func (l *lattice) backwardLog(tr *transitions) {
	for t := l.n - 1; t >= 0; t-- {
		if l.ended(t) {
			return
		}
		b := l.row(l.b, t)
		if t == l.n-1 {
			clear(b)
			continue
		}
		s, next := l.row(l.scores, t+1), l.row(l.b, t+1)
		for i := range b {
			tr.row(i, l.tmp)
			for j := range next {
				l.tmp[j] += s[j] + next[j]
			}
			b[i] = logSumExp(l.tmp)
		}
	}
}
