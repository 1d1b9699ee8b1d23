package logistic

import (
	"context"
	"math"

	"parlance/algo/numeric/optimize"
)

// bounded minimises by BLMVM over w = α − β with α, β ≥ 0, for which the L1 penalty is linear
// (Kazama and Tsujii 2003, sec. 4):
//
//	∂/∂α = E − O + L2·w + A     ∂/∂β = O − E − L2·w + A
func (f *fit) bounded(report func(Sweep) bool) ([]float64, Status, error) {
	st, n := f.st, f.p.Features()
	x, e := make([]float64, 2*n), make([]float64, n)
	for k, w := range f.o.Initial {
		x[k], x[n+k] = max(0, w), max(0, -w)
	}
	o := optimize.BLMVM{Iterations: f.o.Sweeps, Epsilon: f.o.Epsilon, Lower: make([]float64, 2*n)}
	evaluate := func(ctx context.Context, x, grad []float64) (float64, error) {
		return f.boundedLoss(ctx, x, grad, e)
	}
	weights := func() {
		for k := range n {
			st.w[k] = x[k] - x[n+k]
		}
	}
	past := []float64{}
	if f.o.From != nil {
		var err error
		if past, o.From, err = f.boxState(); err != nil {
			return nil, "", err
		}
	}
	active := 0
	if f.o.Save != nil {
		o.Save = func(b *optimize.BoxState) error {
			vectors := append([][]float64{past, b.X, b.G}, b.S...)
			return f.o.Save(&State{b.Iteration, b.Objective, active, append(vectors, b.Y...)})
		}
	}
	level := false
	status, _, err := o.Minimize(f.ctx, x, evaluate, func(step int, objective, norm float64) bool {
		weights()
		s := Sweep{Number: step, Objective: objective, GradientNorm: norm, Weights: st.w, Places: f.p.places()}
		f.measure(&s)
		active = s.Active
		past = append(past, objective)
		k := len(past) - 1 - f.o.Period
		level = f.o.Period > 0 && k >= 0 && past[k]-objective < f.o.Delta*math.Abs(objective)
		return report(s) || level
	})
	weights()
	names := map[optimize.Status]Status{optimize.Converged: Converged, optimize.Limit: Limit, optimize.Stopped: Stopped,
		optimize.Stalled: Converged}
	if level {
		return st.w, Flat, err
	}
	return st.w, names[status], err
}

// boundedLoss returns the loss with its penalties, and its gradient, at the positive parts x[:n] and negative parts
// x[n:] of the weights; e is a buffer for the expectations of the features.
func (f *fit) boundedLoss(ctx context.Context, x, grad, e []float64) (float64, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	st, n := f.st, len(e)
	width := func(k int) float64 {
		if f.o.Widths == nil {
			return 0
		}
		return f.o.Widths[k]
	}
	penalty := 0.0
	for k := range n {
		st.w[k] = x[k] - x[n+k]
		penalty += 0.5*f.o.L2*st.w[k]*st.w[k] + width(k)*(x[k]+x[n+k])
	}
	st.refresh()
	st.expectations(e)
	for k := range n {
		g := e[k] - f.p.observed[k] + f.o.L2*st.w[k]
		grad[k], grad[n+k] = g+width(k), width(k)-g
	}
	return st.loss() + penalty, nil
}
