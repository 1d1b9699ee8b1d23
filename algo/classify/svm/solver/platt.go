package solver

import "math"

// Sigmoid gives the probability of class +1 from a decision value: 1/(1 + exp(A·f + B)).
type Sigmoid struct{ A, B float64 }

// Of returns the probability at the decision value f.
func (s Sigmoid) Of(f float64) float64 {
	if z := s.A*f + s.B; z >= 0 {
		return math.Exp(-z) / (1 + math.Exp(-z))
	} else {
		return 1 / (1 + math.Exp(z))
	}
}

// FitSigmoid fits Platt's probabilities to decision values by Newton's method with backtracking
// (Lin, Lin and Weng 2007, appendix); y is +1 or −1.
func FitSigmoid(f []float64, y []int8) Sigmoid {
	pos, neg := 0.0, 0.0
	for _, l := range y {
		if l > 0 {
			pos++
		} else {
			neg++
		}
	}
	t := make([]float64, len(f)) // targets, away from 0 and 1
	for i, l := range y {
		t[i] = 1 / (neg + 2)
		if l > 0 {
			t[i] = (pos + 1) / (pos + 2)
		}
	}
	s := Sigmoid{0, math.Log((neg + 1) / (pos + 1))}
	value := s.loss(f, t)
	for range 100 {
		g, h := s.slope(f, t)
		if math.Abs(g[0]) < 1e-5 && math.Abs(g[1]) < 1e-5 {
			break
		}
		det := h[0]*h[1] - h[2]*h[2]
		da := -(h[1]*g[0] - h[2]*g[1]) / det
		db := -(-h[2]*g[0] + h[0]*g[1]) / det
		step, along := 1.0, g[0]*da+g[1]*db
		for ; step >= 1e-10; step /= 2 {
			next := Sigmoid{s.A + step*da, s.B + step*db}
			if v := next.loss(f, t); v < value+1e-4*step*along {
				s, value = next, v
				break
			}
		}
		if step < 1e-10 {
			break
		}
	}
	return s
}

// loss is −Σ t·log p + (1 − t)·log(1 − p), written so that no exponential overflows.
func (s Sigmoid) loss(f, t []float64) float64 {
	sum := 0.0
	for i, x := range f {
		z := s.A*x + s.B
		if z >= 0 {
			sum += t[i]*z + math.Log1p(math.Exp(-z))
		} else {
			sum += (t[i]-1)*z + math.Log1p(math.Exp(z))
		}
	}
	return sum
}

// slope is the gradient and the Hessian (AA, BB, AB).
func (s Sigmoid) slope(f, t []float64) (g [2]float64, h [3]float64) {
	h[0], h[1] = 1e-12, 1e-12
	for i, x := range f {
		p := s.Of(x)
		d2 := p * (1 - p)
		h[0] += x * x * d2
		h[1] += d2
		h[2] += x * d2
		d1 := t[i] - p
		g[0] += x * d1
		g[1] += d1
	}
	return g, h
}

// Couple turns probabilities of class i in pairs, r[i][j] with r[j][i] = 1 − r[i][j], into
// probabilities of the classes: min Σ_i Σ_{j≠i} (r_ji·p_i − r_ij·p_j)² with Σ p = 1 (Wu, Lin and
// Weng 2004, algorithm 2). Pairs that are both 0 are left out of the sum; a class without any others
// is as probable as another one.
func Couple(r [][]float64) []float64 {
	k := len(r)
	p, qp := make([]float64, k), make([]float64, k)
	q := make([][]float64, k)
	for i := range q {
		q[i], p[i] = make([]float64, k), 1/float64(k)
		for j := range q {
			if j != i {
				q[i][i] += r[j][i] * r[j][i]
				q[i][j] = -r[j][i] * r[i][j]
			}
		}
	}
	for range max(100, k) {
		pqp := 0.0
		for i := range q {
			qp[i] = 0
			for j, x := range q[i] {
				qp[i] += x * p[j]
			}
			pqp += p[i] * qp[i]
		}
		worst := 0.0
		for i := range qp {
			worst = max(worst, math.Abs(qp[i]-pqp))
		}
		if worst < 0.005/float64(k) {
			break
		}
		for i := range q {
			if q[i][i] == 0 {
				continue
			}
			d := (pqp - qp[i]) / q[i][i]
			p[i] += d
			pqp = (pqp + d*(d*q[i][i]+2*qp[i])) / (1 + d) / (1 + d)
			for j := range q {
				qp[j] = (qp[j] + d*q[i][j]) / (1 + d)
				p[j] /= 1 + d
			}
		}
	}
	return p
}
