package optimize

import (
	"context"
	"math"
	"testing"
)

// lasso minimises ½·|A·x − b|² + c·Σ|x_i| by exact steps along one variable after the other: the minimum
// along x_i is the soft threshold of x_i − g_i/h at c/h with the curvature h = |A_i|².
func lasso(f Objective, n int, c float64, from, to int) []float64 {
	x, g, g1 := make([]float64, n), make([]float64, n), make([]float64, n)
	for range 3000 {
		for i := range x {
			f(context.Background(), x, g)
			x[i]++
			f(context.Background(), x, g1)
			h := g1[i] - g[i]
			z, shrink := x[i]-1-g[i]/h, c/h
			if i < from || i >= to {
				shrink = 0
			}
			x[i] = math.Copysign(max(0, math.Abs(z)-shrink), z)
		}
	}
	return x
}

// TestMinimumWithL1 compares with exact steps along single variables.
func TestMinimumWithL1(t *testing.T) {
	const n = 12
	f := leastSquares(20, n)
	for _, c := range []float64{0.5, 5, 20, 1000} {
		want := lasso(f, n, c, 1, n-1)
		x := make([]float64, n)
		o := &LBFGS{L1: c, L1Start: 1, L1End: n - 1, Epsilon: 1e-10}
		if _, err := o.Minimize(context.Background(), x, f, nil); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if math.Abs(x[i]-want[i]) > 1e-6 || (x[i] == 0) != (math.Abs(want[i]) < 1e-12) {
				t.Errorf("c = %g: x[%d] = %v, want %v", c, i, x[i], want[i])
			}
		}
	}
}

// TestStepsStayInAnOrthant checks every step of OWL-QN from its points: no penalised variable changes its sign,
// one that leaves 0 goes where the objective falls, and the objective falls by a part of what is promised.
func TestStepsStayInAnOrthant(t *testing.T) {
	const n, c = 20, 0.4
	f := func(ctx context.Context, x, g []float64) (float64, error) { return rosenbrock(ctx, x, g) }
	x := rosenbrockStart(n)
	for i := 5; i < 12; i++ {
		x[i] = 0
	}
	x0, g0 := append([]float64(nil), x...), make([]float64, n)
	value := func(x, g []float64) float64 {
		v, _ := f(context.Background(), x, g)
		for _, u := range x[2:] {
			v += c * math.Abs(u)
		}
		return v
	}
	last, zeros := value(x0, g0), 0
	o := &LBFGS{L1: c, L1Start: 2, Iterations: 80, Epsilon: 1e-7}
	_, err := o.Minimize(context.Background(), x, f, func(it Iteration) bool {
		promise := 0.0
		for i, to := range it.State.X {
			slope := g0[i]
			if i >= 2 {
				if x0[i]*to < 0 {
					t.Errorf("step %d: x[%d] goes from %v to %v", it.Step, i, x0[i], to)
				}
				if side := x0[i]; side != 0 || to != 0 {
					slope += math.Copysign(c, x0[i]+to)
				}
				if x0[i] == 0 && to != 0 && slope*to >= 0 {
					t.Errorf("step %d: x[%d] leaves 0 to %v with the slope %v", it.Step, i, to, slope)
				}
				if x0[i] != 0 && to == 0 {
					zeros++
				}
			}
			promise += slope * (to - x0[i])
		}
		now := value(it.State.X, g0)
		if !(promise < 0) || now > last+1e-4*promise+1e-12 || math.Abs(now-it.Objective) > 1e-9 {
			t.Errorf("step %d: %v after %v, promised %v, told %v", it.Step, now, last, promise, it.Objective)
		}
		copy(x0, it.State.X)
		last = now
		return false
	})
	if err != nil || zeros == 0 {
		t.Errorf("%d variables became 0, %v", zeros, err)
	}
}
