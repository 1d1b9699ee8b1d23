package optimize

import (
	"context"
	"fmt"
	"math"
)

// descent is a minimisation under way.
type descent struct {
	*LBFGS
	st      *State
	f       Objective
	vec     *vectors
	x0, g0  []float64 // where the line begins, and the gradient there
	d       []float64 // direction of the line
	pseudo  []float64 // pseudo-gradient, of OWL-QN only
	along   func(ctx context.Context, t float64) (mark, error)
	xnorm   float64
	gnorm   float64
	budget  int // evaluations of one line search
	penalty struct{ from, to int }
}

func newDescent(o *LBFGS, st *State, f Objective) *descent {
	n := len(st.X)
	d := &descent{LBFGS: o, st: st, f: f, vec: newVectors(n, o.Workers), budget: o.Searches,
		x0: make([]float64, n), g0: make([]float64, n), d: make([]float64, n)}
	if d.budget == 0 {
		d.budget = defaultSearches
	}
	if o.L1 > 0 {
		d.pseudo = make([]float64, n)
		d.penalty.from, d.penalty.to = o.penalised(n)
	}
	d.along = d.at
	return d
}

// run takes steps until one of the tests for the end holds. A step that cannot be taken with the
// curvature of earlier ones is tried once more without, straight down the gradient.
func (d *descent) run(ctx context.Context, report func(Iteration) bool) (Result, error) {
	for {
		if why, end := d.ended(); end {
			return d.result(why), nil
		}
		before := d.st.Evaluations
		t, moved, err := d.step(ctx)
		switch {
		case err != nil:
			return d.result(Stopped), fmt.Errorf("minimise, iteration %d: %w", d.st.Iteration+1, err)
		case !moved && d.st.pairs > 0:
			d.st.forget()
			continue
		case !moved:
			return d.result(Stalled), nil
		}
		if report != nil && report(Iteration{Step: d.st.Iteration, Objective: d.st.Objective, GradientNorm: d.gnorm,
			XNorm: d.xnorm, StepLength: t, Evaluations: d.st.Evaluations - before, State: d.st}) {
			return d.result(Stopped), nil
		}
	}
}

// ended tests for the end. It looks at nothing but the state, so that a resumed run ends where an
// uninterrupted one does. The test on the gradient is that of Liu and Nocedal (1989); the one on
// the objective compares its fall over a window of iterations, as Andrew and Gao (2007) do:
//
//	|g| ≤ ε·max(1, |x|),   f(k−p) − f(k) ≤ δ·max(|f(k−p)|, |f(k)|)
func (d *descent) ended() (Status, bool) {
	st := d.st
	if d.gnorm <= d.Epsilon*max(1, d.xnorm) {
		return Converged, true
	}
	if d.Delta > 0 && d.Past > 0 && st.Iteration >= d.Past {
		earlier := st.past[st.Iteration%d.Past]
		if earlier-st.Objective <= d.Delta*max(math.Abs(earlier), math.Abs(st.Objective)) {
			return Flat, true
		}
	}
	return Limit, d.Iterations > 0 && st.Iteration >= d.Iterations
}

// step moves to a better point along a direction and returns the length of the step. Without one,
// and on errors, everything is as before. The first step, of which no curvature is known, tries a
// move by 1.
func (d *descent) step(ctx context.Context) (t float64, moved bool, err error) {
	st := d.st
	copy(d.x0, st.X)
	copy(d.g0, st.G)
	value, norm := st.Objective, d.gnorm
	t = 1
	if st.pairs == 0 {
		t = 1 / norm
	}
	d.turn()
	if t, moved, err = d.search(ctx, t); moved {
		err = d.measure()
		// Rounding hides a fall of f near the minimum: where f is the same, |g| must fall, or steps would never end.
		moved = st.Objective < value || d.gnorm < norm
	}
	if err != nil || !moved {
		copy(st.X, d.x0)
		copy(st.G, d.g0)
		st.Objective = value
		if again := d.measure(); err == nil {
			err = again
		}
		return 0, false, err
	}
	if d.Past > 0 {
		st.past[st.Iteration%d.Past] = value
	}
	st.Iteration++
	st.push(d.vec, d.x0, d.g0)
	return t, true, nil
}

// search goes along the direction, beginning with the step t.
func (d *descent) search(ctx context.Context, t float64) (float64, bool, error) {
	slope := d.vec.dot(d.steepest(), d.d)
	if !(slope < 0) {
		return 0, false, nil
	}
	if d.L1 > 0 {
		return d.backtrack(ctx, t)
	}
	s := search{start: mark{0, d.st.Objective, slope}, left: d.budget, at: d.along}
	m, found, err := s.widen(ctx, t)
	return m.step, found, err
}

// at moves to the step t along the line and returns what the function is there.
func (d *descent) at(ctx context.Context, t float64) (mark, error) {
	d.vec.step(d.st.X, d.x0, t, d.d)
	if err := d.evaluate(ctx); err != nil {
		return mark{}, err
	}
	m := mark{t, d.st.Objective, d.vec.dot(d.st.G, d.d)}
	if !finite(m.slope) {
		return m, d.notFinite(true)
	}
	return m, nil
}

// evaluate sets objective and gradient of the current point.
func (d *descent) evaluate(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	v, err := d.f(ctx, d.st.X, d.st.G)
	if err != nil {
		return err
	}
	d.st.Evaluations++
	d.st.Objective = v
	if d.L1 > 0 {
		d.st.Objective += d.L1 * d.absolute()
	}
	if !finite(d.st.Objective) {
		return d.notFinite(false)
	}
	return nil
}

// measure computes the norms of the current point and its gradient.
func (d *descent) measure() error {
	if d.L1 > 0 {
		d.differentiate()
	}
	d.xnorm, d.gnorm = d.vec.norm(d.st.X), d.vec.norm(d.steepest())
	if !finite(d.gnorm) {
		return d.notFinite(true)
	}
	return nil
}

// steepest is the gradient of the objective with its penalty.
func (d *descent) steepest() []float64 {
	if d.L1 > 0 {
		return d.pseudo
	}
	return d.st.G
}

func (d *descent) result(s Status) Result {
	return Result{Status: s, Objective: d.st.Objective, GradientNorm: d.gnorm,
		Iterations: d.st.Iteration, Evaluations: d.st.Evaluations, State: d.st}
}

// notFinite blames the objective or the gradient; at the start it is that of iteration 0.
func (d *descent) notFinite(gradient bool) error {
	e := &NotFiniteError{Iteration: d.st.Iteration + 1, Objective: d.st.Objective, Gradient: gradient}
	if d.st.Evaluations <= 1 {
		e.Iteration = 0
	}
	return e
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
