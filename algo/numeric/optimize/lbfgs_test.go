package optimize

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// quadratic with the given curvatures and minimum.
func bowl(curve, at []float64) Objective {
	return func(_ context.Context, x, g []float64) (float64, error) {
		var f float64
		for i := range x {
			d := x[i] - at[i]
			g[i] = curve[i] * d
			f += 0.5 * curve[i] * d * d
		}
		return f, nil
	}
}

// rosenbrock is Σ 100(x_{i+1} − x_i²)² + (1 − x_i)² over pairs.
func rosenbrock(_ context.Context, x, g []float64) (float64, error) {
	var f float64
	for i := 0; i+1 < len(x); i += 2 {
		t1, t2 := 1-x[i], 10*(x[i+1]-x[i]*x[i])
		g[i+1] = 20 * t2
		g[i] = -2 * (x[i]*g[i+1] + t1)
		f += t1*t1 + t2*t2
	}
	return f, nil
}

func rosenbrockStart(n int) []float64 {
	x := make([]float64, n)
	for i := 0; i < n; i += 2 {
		x[i], x[i+1] = -1.2, 1
	}
	return x
}

func TestQuadratic(t *testing.T) {
	curve, at := []float64{1, 10, 100, 0.1}, []float64{3, -2, 0.5, 7}
	x := make([]float64, 4)
	r, err := (&LBFGS{Epsilon: 1e-10}).Minimize(context.Background(), x, bowl(curve, at), nil)
	if err != nil || r.Status != Converged {
		t.Fatal(r.Status, err)
	}
	for i := range x {
		if math.Abs(x[i]-at[i]) > 1e-7 {
			t.Errorf("x[%d] = %g, want %g", i, x[i], at[i])
		}
	}
}

func TestRosenbrock(t *testing.T) {
	x := rosenbrockStart(100)
	r, err := (&LBFGS{Epsilon: 1e-5}).Minimize(context.Background(), x, rosenbrock, nil)
	if err != nil || r.Status != Converged {
		t.Fatal(r.Status, err)
	}
	for i, v := range x {
		if math.Abs(v-1) > 1e-3 {
			t.Fatalf("x[%d] = %g, want 1", i, v)
		}
	}
	if r.Iterations > 60 {
		t.Errorf("%d iterations, want fewer than 60", r.Iterations)
	}
}

// TestAlreadyThere starts at the minimum.
func TestAlreadyThere(t *testing.T) {
	x := []float64{1, 2}
	r, err := (&LBFGS{}).Minimize(context.Background(), x, bowl([]float64{1, 1}, []float64{1, 2}), nil)
	if err != nil || r.Status != Converged || r.Iterations != 0 {
		t.Fatal(r, err)
	}
}

// leastSquares is ½·|A·x − b|² with a seeded matrix.
func leastSquares(rows, n int) Objective {
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := make([]float64, rows*n), make([]float64, rows)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	for i := range b {
		b[i] = 3 * rng.NormFloat64()
	}
	return func(_ context.Context, x, g []float64) (float64, error) {
		clear(g)
		var f float64
		for r := range rows {
			d := -b[r]
			for i := range x {
				d += a[r*n+i] * x[i]
			}
			f += 0.5 * d * d
			for i := range x {
				g[i] += d * a[r*n+i]
			}
		}
		return f, nil
	}
}

// TestL1 checks the subgradient conditions of optimality:
// g_i = −c·sign(x_i) where x_i ≠ 0, |g_i| ≤ c where x_i = 0, g_i = 0 where unpenalised.
func TestL1(t *testing.T) {
	const c, n = 8, 30
	f := leastSquares(40, n)
	x := make([]float64, n)
	o := &LBFGS{L1: c, L1Start: 2, L1End: n - 1, Epsilon: 1e-9, Memory: 10, Searches: 60}
	r, err := o.Minimize(context.Background(), x, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := make([]float64, n)
	f(context.Background(), x, g)
	zeros := 0
	for i := range x {
		var miss float64
		switch {
		case i < 2 || i == n-1:
			miss = math.Abs(g[i])
		case x[i] != 0:
			miss = math.Abs(g[i] + math.Copysign(c, x[i]))
		default:
			zeros++
			miss = max(0, math.Abs(g[i])-c)
		}
		if miss > 1e-5 {
			t.Errorf("x[%d] = %g with gradient %g violates optimality by %g (%s)", i, x[i], g[i], miss, r.Status)
		}
	}
	if zeros < 3 || zeros > n-6 {
		t.Errorf("%d zeros of %d", zeros, n)
	}
}

// TestFlat ends with the first window of iterations in which the objective falls by no more than the share.
func TestFlat(t *testing.T) {
	const past, delta = 4, 0.02
	f, _ := leastSquares(40, 30)(context.Background(), make([]float64, 30), make([]float64, 30))
	values := []float64{f}
	r, err := (&LBFGS{Past: past, Delta: delta}).Minimize(context.Background(), make([]float64, 30), leastSquares(40, 30),
		func(it Iteration) bool {
			values = append(values, it.Objective)
			return false
		})
	if err != nil || r.Status != Flat || r.Iterations != len(values)-1 {
		t.Fatal(r.Status, err, len(values))
	}
	for k := past; k < len(values); k++ {
		if small := values[k-past]-values[k] <= delta*values[k-past]; small != (k == r.Iterations) {
			t.Errorf("in iteration %d of %d the objective has fallen from %v to %v", k, r.Iterations, values[k-past], values[k])
		}
	}
}

// TestStalled: steps whose fall is lost in rounding end the minimisation.
func TestStalled(t *testing.T) {
	for _, l1 := range []float64{0, 0.5} {
		x := []float64{3}
		r, err := (&LBFGS{Iterations: 50, L1: l1}).Minimize(context.Background(), x,
			func(_ context.Context, x, g []float64) (float64, error) {
				g[0] = 1
				return 1e20, nil
			}, nil)
		if err != nil || r.Status != Stalled || x[0] != 3 {
			t.Errorf("L1 of %g: %s after %d iterations at %v, %v", l1, r.Status, r.Iterations, x, err)
		}
	}
}

// TestResume interrupts at every iteration, by report and by a cancelled evaluation, and
// wants the bits of the uninterrupted run.
func TestResume(t *testing.T) {
	for _, o := range []*LBFGS{
		{Memory: 4, Iterations: 25, Past: 3, Delta: 1e-9, Epsilon: 1e-8},
		{Memory: 3, Iterations: 25, L1: 0.5, Past: 2, Delta: 1e-9},
	} {
		whole := rosenbrockStart(20)
		want, err := o.Minimize(context.Background(), whole, rosenbrock, nil)
		if err != nil {
			t.Fatal(err)
		}
		for stop := 1; stop < want.Iterations; stop++ {
			var saved bytes.Buffer
			_, err := o.Minimize(context.Background(), rosenbrockStart(20), rosenbrock, func(it Iteration) bool {
				if it.Step == stop {
					if err := it.State.Encode(&saved); err != nil {
						t.Fatal(err)
					}
				}
				return it.Step == stop
			})
			if err != nil {
				t.Fatal(err)
			}
			st, err := DecodeState(&saved)
			if err != nil {
				t.Fatal(err)
			}
			got, err := o.Resume(context.Background(), st, rosenbrock, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, want, st.X, whole)
		}
	}
}

func same(t *testing.T, got, want Result, x, y []float64) {
	t.Helper()
	if got.Status != want.Status || got.Iterations != want.Iterations || got.Evaluations != want.Evaluations {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) {
			t.Fatalf("x[%d] = %v, want %v", i, x[i], y[i])
		}
	}
}

func TestCancel(t *testing.T) {
	o := &LBFGS{Iterations: 25, Past: 3, Delta: 1e-9}
	whole := rosenbrockStart(20)
	want, err := o.Minimize(context.Background(), whole, rosenbrock, nil)
	if err != nil {
		t.Fatal(err)
	}
	for at := 2; at < want.Evaluations; at++ {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		x := rosenbrockStart(20)
		r, err := o.Minimize(ctx, x, func(ctx context.Context, x, g []float64) (float64, error) {
			if calls++; calls == at {
				cancel()
				return 0, ctx.Err()
			}
			return rosenbrock(ctx, x, g)
		}, nil)
		cancel()
		if !errors.Is(err, context.Canceled) || r.State == nil {
			t.Fatalf("cancelled in evaluation %d: %v", at, err)
		}
		got, err := o.Resume(context.Background(), r.State, rosenbrock, nil)
		if err != nil {
			t.Fatal(err)
		}
		got.Evaluations = want.Evaluations // the interrupted line search counts twice
		same(t, got, want, x, whole)
	}
}

// TestWorkers compares one and two workers bit for bit on long vectors.
func TestWorkers(t *testing.T) {
	const n = parallelFrom + 17
	curve, at := make([]float64, n), make([]float64, n)
	for i := range n {
		curve[i], at[i] = 1+float64(i%97), math.Sin(float64(i))
	}
	var xs [2][]float64
	for w := range 2 {
		xs[w] = make([]float64, n)
		if _, err := (&LBFGS{Iterations: 8, Workers: w + 1}).Minimize(context.Background(), xs[w], bowl(curve, at),
			nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		if math.Float64bits(xs[0][i]) != math.Float64bits(xs[1][i]) {
			t.Fatalf("x[%d] = %v with two workers, want %v", i, xs[1][i], xs[0][i])
		}
	}
}

func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at := 1; at <= 3; at++ {
			calls := 0
			_, err := (&LBFGS{}).Minimize(context.Background(), rosenbrockStart(4),
				func(ctx context.Context, x, g []float64) (float64, error) {
					if calls++; calls == at {
						return bad, nil
					}
					return rosenbrock(ctx, x, g)
				}, nil)
			var nf *NotFiniteError
			if !errors.As(err, &nf) {
				t.Fatalf("objective %g in evaluation %d: %v", bad, at, err)
			}
		}
	}
	_, err := (&LBFGS{}).Minimize(context.Background(), []float64{1},
		func(_ context.Context, x, g []float64) (float64, error) {
			g[0] = math.NaN()
			return 1, nil
		}, nil)
	var nf *NotFiniteError
	if !errors.As(err, &nf) || !nf.Gradient {
		t.Fatal(err)
	}
}

func TestSettingsRefused(t *testing.T) {
	for _, o := range []LBFGS{{Memory: -1}, {Iterations: -1}, {Epsilon: -1}, {Delta: math.NaN()}, {Past: -1},
		{Searches: -1}, {L1: -1}, {L1: math.Inf(1)}, {L1: 1, L1End: 3}, {L1: 1, L1Start: 2, L1End: 1}, {L1: 1, L1Start: 3}} {
		if _, err := o.Minimize(context.Background(), make([]float64, 2), rosenbrock, nil); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestNoAllocations checks that iterations after the first few allocate nothing.
func TestNoAllocations(t *testing.T) {
	run := func(iterations int) float64 {
		return testing.AllocsPerRun(3, func() {
			(&LBFGS{Iterations: iterations}).Minimize(context.Background(), rosenbrockStart(10), rosenbrock, nil)
		})
	}
	if short, long := run(3), run(20); long > short {
		t.Errorf("%g allocations for 20 iterations, %g for 3", long, short)
	}
}

func FuzzDecodeState(f *testing.F) {
	var b bytes.Buffer
	(&LBFGS{Memory: 2, Iterations: 3, Past: 2}).Minimize(context.Background(), rosenbrockStart(4), rosenbrock,
		func(it Iteration) bool {
			b.Reset()
			it.State.Encode(&b)
			return false
		})
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:20])
	f.Fuzz(func(t *testing.T, p []byte) {
		st, err := DecodeState(bytes.NewReader(p))
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		var out bytes.Buffer
		if err := st.Encode(&out); err != nil || !bytes.Equal(out.Bytes(), p[:out.Len()]) {
			t.Fatalf("decoded state encodes differently (%v)", err)
		}
	})
}

func TestDamagedState(t *testing.T) {
	var b bytes.Buffer
	(&LBFGS{Memory: 2, Iterations: 3}).Minimize(context.Background(), rosenbrockStart(4), rosenbrock,
		func(it Iteration) bool {
			b.Reset()
			it.State.Encode(&b)
			return false
		})
	for i := range b.Len() {
		p := bytes.Clone(b.Bytes())
		p[i] ^= 1
		if _, err := DecodeState(bytes.NewReader(p)); !errors.Is(err, ErrInvalid) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := DecodeState(bytes.NewReader(p[:i])); !errors.Is(err, ErrInvalid) {
			t.Fatalf("cut after %d bytes: %v", i, err)
		}
	}
}
