package optimize

import (
	"context"
	"math"
)

// OWL-QN (Andrew and Gao 2007) minimises F(x) = f(x) + c·Σ|x_i|, which has no gradient where an x_i is
// 0. Within one orthant it has: there the penalty is linear. Each step stays in the closure of one.

// absolute is Σ|x_i| of the penalised variables.
func (d *descent) absolute() float64 {
	sum := 0.0
	for _, x := range d.st.X[d.penalty.from:d.penalty.to] {
		sum += math.Abs(x)
	}
	return sum
}

// differentiate sets the pseudo-gradient, the shortest of the subgradients of F. Where x_i
// is 0, the slopes to its left and right are g − c and g + c: it is the one that descends, or 0.
func (d *descent) differentiate() {
	copy(d.pseudo, d.st.G)
	for i := d.penalty.from; i < d.penalty.to; i++ {
		left, right := d.st.G[i]-d.L1, d.st.G[i]+d.L1
		switch x := d.st.X[i]; {
		case x > 0 || x == 0 && right < 0:
			d.pseudo[i] = right
		case x < 0 || left > 0:
			d.pseudo[i] = left
		default:
			d.pseudo[i] = 0
		}
	}
}

// align takes the variables out of the direction that would go up.
func (d *descent) align() {
	for i := d.penalty.from; i < d.penalty.to; i++ {
		if d.d[i]*d.pseudo[i] > 0 {
			d.d[i] = 0
		}
	}
}

// land moves to x0 + t·d, or to 0 in variables that would leave the orthant: that of x0, and where x0 is 0
// the one that −⋄F points into. It returns ⋄F(x0)·(x − x0), what the step promises.
func (d *descent) land(t float64) (promise float64) {
	x := d.st.X
	for i, x0 := range d.x0 {
		to := x0 + t*d.d[i]
		if i >= d.penalty.from && i < d.penalty.to {
			side := x0
			if side == 0 {
				side = -d.pseudo[i]
			}
			if !(to > 0 && side > 0 || to < 0 && side < 0) {
				to = 0
			}
		}
		x[i] = to
		promise += d.pseudo[i] * (to - x0)
	}
	return promise
}

// backtrack halves the step until F falls by a part of what the step promises:
//
//	F(π(x + t·d)) ≤ F(x) + c₁·⋄F(x)·(π(x + t·d) − x)
func (d *descent) backtrack(ctx context.Context, t float64) (float64, bool, error) {
	first := d.st.Objective
	for range d.budget {
		if promise := d.land(t); promise < 0 {
			if err := d.evaluate(ctx); err != nil {
				return 0, false, err
			}
			if d.st.Objective <= first+sufficient*promise {
				return t, true, nil
			}
		}
		t /= 2
	}
	return 0, false, nil
}
