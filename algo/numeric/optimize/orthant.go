package optimize

import (
	"context"
	"math"
)

// l1range returns the penalised variables.
func (r *run) l1range() (int, int) {
	if r.L1End == 0 {
		return r.L1Start, len(r.st.X)
	}
	return r.L1Start, r.L1End
}

func (r *run) l1norm() float64 {
	lo, hi := r.l1range()
	var s float64
	for _, x := range r.st.X[lo:hi] {
		s += math.Abs(x)
	}
	return s
}

// pseudoGradient sets pg to the subgradient of least norm of f(x) + L1·Σ|x_i|.
func (r *run) pseudoGradient() {
	lo, hi := r.l1range()
	copy(r.pg, r.st.G)
	c := r.L1
	for i := lo; i < hi; i++ {
		switch x, g := r.st.X[i], r.st.G[i]; {
		case x < 0:
			r.pg[i] = g - c
		case x > 0:
			r.pg[i] = g + c
		case g < -c:
			r.pg[i] = g + c
		case c < g:
			r.pg[i] = g - c
		default:
			r.pg[i] = 0
		}
	}
}

// alignDirection zeroes components that do not descend along the pseudo-gradient.
func (r *run) alignDirection() {
	lo, hi := r.l1range()
	for i := lo; i < hi; i++ {
		if r.d[i]*r.pg[i] >= 0 {
			r.d[i] = 0
		}
	}
}

// backtrack halves the step until the objective at the point projected onto the orthant
// of the current point decreases enough:
//
//	F(π(x + t·d)) ≤ F(x) + 1e-4·pg·(π(x + t·d) − x)
func (r *run) backtrack(ctx context.Context, t float64) (float64, bool, error) {
	st := r.st
	lo, hi := r.l1range()
	for i, x := range r.xp {
		r.orthant[i] = x
		if x == 0 {
			r.orthant[i] = -r.pg[i]
		}
	}
	first := st.Objective
	for count := 1; ; count++ {
		r.vec.step(st.X, r.xp, t, r.d)
		for i := lo; i < hi; i++ {
			if st.X[i]*r.orthant[i] <= 0 {
				st.X[i] = 0
			}
		}
		if err := r.evaluate(ctx, st.Iteration+1); err != nil {
			return 0, false, err
		}
		var promised float64
		for i, x := range st.X {
			promised += (x - r.xp[i]) * r.pg[i]
		}
		if st.Objective <= first+sufficient*promised {
			return t, promised != 0, nil
		}
		if t < shortest || count >= r.searches {
			return t, false, nil
		}
		t *= 0.5
	}
}
