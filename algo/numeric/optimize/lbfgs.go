// Package optimize minimises differentiable functions of many variables: L-BFGS with the
// line search of Moré and Thuente, and OWL-QN where an L1 penalty is added.
//
// Sources: Liu and Nocedal, "On the limited memory BFGS method for large scale
// optimization" (1989); Moré and Thuente, "Line search algorithms with guaranteed
// sufficient decrease" (1994); Andrew and Gao, "Scalable training of L1-regularized
// log-linear models" (2007). Constants and order of operations are those of libLBFGS,
// so that traces can be compared.
package optimize

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Objective returns the value of a function at x and writes its gradient to grad, which
// has the length of x. It must not keep or change x. An error ends the minimisation.
type Objective func(ctx context.Context, x, grad []float64) (float64, error)

// LBFGS holds the settings of a minimisation; the zero value of a field is its default.
type LBFGS struct {
	Memory     int     // pairs of differences kept, at least 1; 0 is 6
	Iterations int     // limit of iterations; 0 is no limit
	Epsilon    float64 // converged when |g| ≤ Epsilon·max(1, |x|); 0 is off
	Past       int     // iterations looked back by the test on Delta; 0 is off
	Delta      float64 // flat when (f[k−Past] − f[k]) / |f[k]| < Delta; 0 is off
	Searches   int     // evaluations allowed in one line search; 0 is 20

	L1      float64 // weight of Σ|x_i|, at least 0; above 0 selects OWL-QN
	L1Start int     // first penalised variable
	L1End   int     // variable after the last penalised one; 0 is all

	Workers int // goroutines for vector operations, the result does not depend on it; 0 is 1
}

// Iteration describes a finished iteration. State is valid until the report returns.
type Iteration struct {
	Step         int     // 1-based
	Objective    float64 // with the L1 penalty
	GradientNorm float64 // Euclidean; of the pseudo-gradient for OWL-QN
	XNorm        float64 // Euclidean
	StepLength   float64 // accepted step along the direction
	Evaluations  int     // of the objective in this iteration
	State        *State  // can be encoded and resumed from
}

// Status tells why a minimisation ended.
type Status uint8

// The ways to end.
const (
	Converged Status = iota // the gradient is small (Epsilon)
	Flat                    // the objective hardly decreases (Delta)
	Limit                   // Iterations are done
	Stopped                 // the report asked to stop
	Stalled                 // no step decreases the objective any more
)

func (s Status) String() string {
	return [...]string{"converged", "flat", "iteration limit", "stopped", "stalled"}[s]
}

// Result is the outcome of a minimisation. It is filled in on errors as well: State is
// then the last finished iteration, from which Resume can go on.
type Result struct {
	Status       Status
	Objective    float64
	GradientNorm float64
	Iterations   int
	Evaluations  int
	State        *State
}

// ErrInvalid marks settings or states that make no sense.
var ErrInvalid = errors.New("invalid minimisation")

// NotFiniteError tells that the objective or its gradient was infinite or no number.
type NotFiniteError struct {
	Iteration int     // iteration under way, 1-based; 0 at the start
	Objective float64 // value returned
	Gradient  bool    // the gradient, not the objective, is to blame
}

func (e *NotFiniteError) Error() string {
	if e.Gradient {
		return fmt.Sprintf(
			"gradient is not finite in iteration %d (objective %g); smaller values or more regularisation would help",
			e.Iteration, e.Objective)
	}
	return fmt.Sprintf("objective is %g in iteration %d, want a finite number", e.Objective, e.Iteration)
}

// Minimize starts at x and leaves the best point in it. report is called after every
// iteration and may be nil; true ends the minimisation. Reaching the limit is no error.
func (o *LBFGS) Minimize(ctx context.Context, x []float64, f Objective, report func(Iteration) bool) (Result, error) {
	if err := o.check(len(x)); err != nil {
		return Result{}, err
	}
	st := newState(x, o.memory(), o.Past)
	r := newRun(o, st, f)
	if err := r.start(ctx); err != nil {
		return r.result(Stopped), err
	}
	return r.loop(ctx, report)
}

// Resume goes on from a state as if the minimisation had never been interrupted. The
// settings must be those of the interrupted run, apart from Iterations and Workers.
func (o *LBFGS) Resume(ctx context.Context, st *State, f Objective, report func(Iteration) bool) (Result, error) {
	if err := o.check(len(st.X)); err != nil {
		return Result{}, err
	}
	if len(st.ys) != o.memory() || len(st.past) != o.Past {
		return Result{}, fmt.Errorf("%w: state has memory %d and past %d, want %d and %d", ErrInvalid, len(st.ys),
			len(st.past), o.memory(), o.Past)
	}
	r := newRun(o, st, f)
	r.measure()
	return r.loop(ctx, report)
}

func (o *LBFGS) memory() int {
	if o.Memory == 0 {
		return 6
	}
	return o.Memory
}

func (o *LBFGS) check(n int) error {
	bad := func(name string, v any, want string) error {
		return fmt.Errorf("%w: %s is %v, want %s", ErrInvalid, name, v, want)
	}
	switch {
	case o.Memory < 0:
		return bad("memory", o.Memory, "0 or more")
	case o.Iterations < 0:
		return bad("iterations", o.Iterations, "0 or more")
	case !(o.Epsilon >= 0):
		return bad("epsilon", o.Epsilon, "0 or more")
	case !(o.Delta >= 0):
		return bad("delta", o.Delta, "0 or more")
	case o.Past < 0:
		return bad("past", o.Past, "0 or more")
	case o.Searches < 0:
		return bad("searches", o.Searches, "0 or more")
	case !(o.L1 >= 0) || math.IsInf(o.L1, 1):
		return bad("L1", o.L1, "a finite number of at least 0")
	case o.L1Start < 0 || o.L1Start > n || o.L1End < 0 || o.L1End > n || (o.L1End > 0 && o.L1Start > o.L1End):
		return bad("range of L1", [2]int{o.L1Start, o.L1End}, fmt.Sprintf("a range within 0 to %d", n))
	}
	return nil
}

// run is a minimisation under way.
type run struct {
	*LBFGS
	st       *State
	f        Objective
	vec      *vectors
	xp, gp   []float64 // point and gradient before the line search
	d        []float64 // search direction
	pg       []float64 // pseudo-gradient, OWL-QN only
	orthant  []float64 // signs allowed to the next point, OWL-QN only
	xnorm    float64
	gnorm    float64
	searches int
}

func newRun(o *LBFGS, st *State, f Objective) *run {
	n := len(st.X)
	r := &run{LBFGS: o, st: st, f: f, vec: newVectors(n, o.Workers), searches: o.Searches}
	if r.searches == 0 {
		r.searches = 20
	}
	r.xp, r.gp, r.d = make([]float64, n), make([]float64, n), make([]float64, n)
	if o.L1 > 0 {
		r.pg, r.orthant = make([]float64, n), make([]float64, n)
	}
	return r
}

// steepest returns the gradient that the direction starts from.
func (r *run) steepest() []float64 {
	if r.L1 > 0 {
		return r.pg
	}
	return r.st.G
}

// measure computes what follows from the point and its gradient.
func (r *run) measure() {
	if r.L1 > 0 {
		r.pseudoGradient()
	}
	g := r.steepest()
	r.xnorm = math.Sqrt(r.vec.dot(r.st.X, r.st.X))
	r.gnorm = math.Sqrt(r.vec.dot(g, g))
}

// evaluate sets objective and gradient at the current point.
func (r *run) evaluate(ctx context.Context, iteration int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	v, err := r.f(ctx, r.st.X, r.st.G)
	if err != nil {
		return err
	}
	r.st.Evaluations++
	if r.L1 > 0 {
		v += r.L1 * r.l1norm()
	}
	r.st.Objective = v
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return &NotFiniteError{Iteration: iteration, Objective: v}
	}
	return nil
}

func (r *run) start(ctx context.Context) error {
	if err := r.evaluate(ctx, 0); err != nil {
		return err
	}
	r.measure()
	if math.IsNaN(r.gnorm) || math.IsInf(r.gnorm, 0) {
		return &NotFiniteError{Objective: r.st.Objective, Gradient: true}
	}
	return nil
}

func (r *run) result(s Status) Result {
	return Result{Status: s, Objective: r.st.Objective, GradientNorm: r.gnorm,
		Iterations: r.st.Iteration, Evaluations: r.st.Evaluations, State: r.st}
}

// finished tests for the end. It changes nothing, so a resumed run decides as the first did.
func (r *run) finished() (Status, bool) {
	st := r.st
	if r.gnorm == 0 || r.gnorm <= r.Epsilon*math.Max(1, r.xnorm) {
		return Converged, true
	}
	if k := st.Iteration; k > 0 && r.Past > 0 && r.Delta > 0 && k >= r.Past {
		if (st.past[k%r.Past]-st.Objective)/math.Abs(st.Objective) < r.Delta {
			return Flat, true
		}
	}
	if r.Iterations > 0 && st.Iteration >= r.Iterations {
		return Limit, true
	}
	return 0, false
}

func (r *run) loop(ctx context.Context, report func(Iteration) bool) (Result, error) {
	for {
		if s, ok := r.finished(); ok {
			return r.result(s), nil
		}
		it, ok, err := r.iterate(ctx)
		if err != nil {
			r.measure()
			return r.result(Stopped), fmt.Errorf("minimise, iteration %d: %w", r.st.Iteration+1, err)
		}
		if !ok && r.st.pairs == 0 {
			r.measure()
			return r.result(Stalled), nil
		}
		if !ok {
			r.st.forget() // a bad curvature model: once more along the gradient
			continue
		}
		if report != nil && report(it) {
			return r.result(Stopped), nil
		}
	}
}

// iterate makes one step. It reports false, with the state unchanged, if none was found.
func (r *run) iterate(ctx context.Context) (Iteration, bool, error) {
	st := r.st
	r.direction()
	step := 1.0
	if st.pairs == 0 {
		step = 1 / r.gnorm
	}
	copy(r.xp, st.X)
	copy(r.gp, st.G)
	before, evals := st.Objective, st.Evaluations
	search := r.moreThuente
	if r.L1 > 0 {
		search = r.backtrack
	}
	step, ok, err := search(ctx, step)
	if err == nil && ok {
		if r.measure(); math.IsNaN(r.gnorm) || math.IsInf(r.gnorm, 0) {
			err = &NotFiniteError{Iteration: st.Iteration + 1, Objective: st.Objective, Gradient: true}
		}
	}
	if err != nil || !ok {
		copy(st.X, r.xp)
		copy(st.G, r.gp)
		st.Objective = before
		return Iteration{}, false, err
	}
	if r.Past > 0 {
		st.past[st.Iteration%r.Past] = before
	}
	st.Iteration++
	st.push(r.vec, r.xp, r.gp)
	return Iteration{Step: st.Iteration, Objective: st.Objective, GradientNorm: r.gnorm, XNorm: r.xnorm,
		StepLength: step, Evaluations: st.Evaluations - evals, State: st}, true, nil
}

// direction computes d = −H·g by the two-loop recursion (Nocedal 1980), each update of d
// fused with the next inner product:
//
//	for newest to oldest pair: α = s·d / ys, d ← d − α·y
//	d ← d · ys/yy of the newest pair
//	for oldest to newest pair: β = y·d / ys, d ← d + (α − β)·s
func (r *run) direction() {
	st, g, d := r.st, r.steepest(), r.d
	m, n := len(st.ys), st.pairs
	if n == 0 {
		r.vec.negate(d, g, nil)
		return
	}
	at := func(back int) int { return ((st.next-1-back)%m + m) % m }
	dot := r.vec.negate(d, g, st.s[at(0)])
	for b := range n {
		j := at(b)
		st.alpha[j] = dot / st.ys[j]
		if b+1 < n {
			dot = r.vec.axpyScaleDot(d, -st.alpha[j], st.y[j], 1, st.s[at(b+1)])
		} else {
			dot = r.vec.axpyScaleDot(d, -st.alpha[j], st.y[j], st.gamma, st.y[j])
		}
	}
	for b := n - 1; b >= 0; b-- {
		j := at(b)
		var next []float64
		if b > 0 {
			next = st.y[at(b-1)]
		}
		dot = r.vec.axpyScaleDot(d, st.alpha[j]-dot/st.ys[j], st.s[j], 1, next)
	}
	if r.L1 > 0 {
		r.alignDirection()
	}
}
