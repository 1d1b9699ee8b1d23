package optimize

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/optimize"
	"pgregory.net/rapid"
)

// wavy is a quadratic with waves on it, which has many minima; curvatures spread over six powers of 10.
func wavy(_ context.Context, x, g []float64) (float64, error) {
	f := 0.0
	for i, v := range x {
		c := math.Pow(10, float64(i%7)-3)
		f += 0.5*c*v*v + math.Cos(3*v+float64(i))
		g[i] = c*v - 3*math.Sin(3*v+float64(i))
	}
	return f, nil
}

// logLoss is Σ log(1 + exp(−z·x)) + ½·l2·|x|² over seeded samples z.
func logLoss(rows, n int, l2 float64) Objective {
	rng := rand.New(rand.NewPCG(5, 6))
	z := make([]float64, rows*n)
	for i := range z {
		z[i] = rng.NormFloat64() + 0.3
	}
	return func(_ context.Context, x, g []float64) (float64, error) {
		f := 0.0
		for i, v := range x {
			f += 0.5 * l2 * v * v
			g[i] = l2 * v
		}
		for r := range rows {
			row := z[r*n : (r+1)*n]
			m := Dot(row, x)
			f += math.Log1p(math.Exp(-math.Abs(m))) + max(0, -m)
			for i, v := range row {
				g[i] -= v / (1 + math.Exp(m))
			}
		}
		return f, nil
	}
}

// TestEveryStepIsStrongWolfe checks the two conditions from the points themselves after every iteration.
func TestEveryStepIsStrongWolfe(t *testing.T) {
	far := make([]float64, 21)
	for i := range far {
		far[i] = 50 * math.Sin(float64(i))
	}
	for name, c := range map[string]struct {
		f Objective
		x []float64
	}{"rosenbrock": {rosenbrock, rosenbrockStart(20)}, "wavy": {wavy, far}, "squares": {leastSquares(40, 30),
		make([]float64, 30)},
		"logistic": {logLoss(50, 10, 0.1), make([]float64, 10)}} {
		n := len(c.x)
		x0, g0, g1 := append([]float64(nil), c.x...), make([]float64, n), make([]float64, n)
		f0, _ := c.f(context.Background(), x0, g0)
		steps := 0
		_, err := (&LBFGS{Iterations: 60, Epsilon: 1e-6}).Minimize(context.Background(), c.x, c.f, func(it Iteration) bool {
			f1, _ := c.f(context.Background(), it.State.X, g1)
			before, after := 0.0, 0.0 // slopes times the length of the step
			for i, x := range it.State.X {
				before += g0[i] * (x - x0[i])
				after += g1[i] * (x - x0[i])
			}
			if !(f1 <= f0+1e-4*before+1e-12*math.Abs(f0)) || !(math.Abs(after) <= 0.9*-before*(1+1e-9)) {
				t.Errorf("%s, step %d: value %v after %v, slope %v after %v", name, it.Step, f1, f0, after, before)
			}
			if it.Objective != f1 {
				t.Errorf("%s, step %d: objective %v is told, is %v", name, it.Step, it.Objective, f1)
			}
			copy(x0, it.State.X)
			copy(g0, g1)
			f0 = f1
			steps++
			return false
		})
		if err != nil || steps < 5 {
			t.Errorf("%s: %d steps, %v", name, steps, err)
		}
	}
}

// TestSearchFindsAStep: on quartics with waves, from first steps far too short or too long, a step with both
// conditions is found within the evaluations that are allowed.
func TestSearchFindsAStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(1e-3, 10).Draw(t, "quartic")
		b := rapid.Float64Range(-5, 5).Draw(t, "square")
		h := rapid.Float64Range(0, 2).Draw(t, "wave")
		slope := -math.Pow(10, rapid.Float64Range(-3, 3).Draw(t, "slope"))
		calls, last := 0, mark{}
		at := func(_ context.Context, x float64) (mark, error) {
			calls++
			last = mark{x, a*x*x*x*x + b*x*x + slope*x + h*(math.Cos(4*x)-1), 4*a*x*x*x + 2*b*x + slope - 4*h*math.Sin(4*x)}
			return last, nil
		}
		start, _ := at(context.Background(), 0)
		calls = 0
		s := search{start: start, left: defaultSearches, at: at}
		m, found, err := s.widen(context.Background(), math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "first")))
		if err != nil || !found || calls > defaultSearches || m != last {
			t.Fatalf("found %v after %d evaluations, at %v, the last at %v", found, calls, m, last)
		}
		if !(m.value <= 1e-4*m.step*slope) || !(math.Abs(m.slope) <= 0.9*-slope) {
			t.Fatalf("step %v has value %v and slope %v after %v", m.step, m.value, m.slope, slope)
		}
	})
}

// TestSearchThatEnds: with few evaluations the lowest step that falls enough is taken, none if there is none.
func TestSearchThatEnds(t *testing.T) {
	steep := func(_ context.Context, x float64) (mark, error) { return mark{x, -x, -1}, nil } // falls for ever
	s := search{start: mark{0, 0, -1}, left: 4, at: steep}
	if m, found, _ := s.widen(context.Background(), 1); !found || m.value > -8 {
		t.Errorf("%v, %v", m, found)
	}
	rises := func(_ context.Context, x float64) (mark, error) { return mark{x, 1, 1}, nil }
	s = search{start: mark{0, 0, -1}, left: 1000, at: rises}
	if m, found, _ := s.widen(context.Background(), 1); found || s.left <= 0 {
		t.Errorf("%v, %v, %d evaluations left", m, found, s.left)
	}
	// The last evaluation is of the step that is returned, though a later one was tried: slopes stay steep
	// until 1, beyond which the function jumps.
	calls, last := 0, mark{}
	cliff := func(_ context.Context, x float64) (mark, error) {
		calls++
		if last = (mark{x, -x, -1}); x > 1 {
			last.value = 5
		}
		return last, nil
	}
	for left := 3; left < 15; left++ {
		calls = 0
		s = search{start: mark{0, 0, -1}, left: left, at: cliff}
		if m, found, _ := s.widen(context.Background(), 0.3); !found || m != last || m.step > 1 || calls > left+1 {
			t.Errorf("%v of %v, %v, %d evaluations of %d", m, last, found, calls, left)
		}
	}
}

// TestCubic finds the minimum of cubics from two of their points, on either side.
func TestCubic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, at := rapid.Float64Range(0.1, 5).Draw(t, "k"), rapid.Float64Range(0.5, 5).Draw(t, "at")
		of := func(x float64) mark { // k·(x³/3 − at²·x) has its minimum at x = at
			return mark{x, k * (x*x*x/3 - at*at*x), k * (x*x - at*at)}
		}
		a := of(at * rapid.Float64Range(-0.9, 0.9).Draw(t, "a"))
		b := of(at * rapid.Float64Range(1.1, 3).Draw(t, "b"))
		for _, got := range []float64{cubic(a, b), cubic(b, a)} {
			if math.Abs(got-at) > 1e-8*at {
				t.Fatalf("minimum at %v, want %v", got, at)
			}
		}
	})
}

// TestMinimumIsThatOfAnother compares with the quasi-Newton method of another library, from several starts.
func TestMinimumIsThatOfAnother(t *testing.T) {
	const n = 12
	f := logLoss(60, n, 0.05)
	g := make([]float64, n)
	p := optimize.Problem{
		Func: func(x []float64) float64 { v, _ := f(context.Background(), x, g); return v },
		Grad: func(grad, x []float64) { f(context.Background(), x, grad) },
	}
	want, err := optimize.Minimize(p, make([]float64, n), &optimize.Settings{GradientThreshold: 1e-7}, &optimize.BFGS{})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []float64{0, 1, -30} {
		x := make([]float64, n)
		for i := range x {
			x[i] = from * float64(1+i%3)
		}
		r, err := (&LBFGS{Epsilon: 1e-8}).Minimize(context.Background(), x, f, nil)
		if err != nil || r.Status != Converged && r.Status != Stalled {
			t.Fatal(r.Status, err)
		}
		if math.Abs(r.Objective-want.F) > 1e-11*want.F {
			t.Errorf("from %g: minimum %.14g, want %.14g", from, r.Objective, want.F)
		}
		for i := range x {
			if math.Abs(x[i]-want.X[i]) > 1e-5 {
				t.Errorf("from %g: x[%d] = %v, want %v", from, i, x[i], want.X[i])
			}
		}
	}
}
