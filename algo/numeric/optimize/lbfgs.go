// Package optimize minimises differentiable functions of many variables: L-BFGS with steps that
// satisfy the strong Wolfe conditions, OWL-QN where an L1 penalty is added, and BLMVM within bounds.
//
// Sources: Liu and Nocedal, "On the limited memory BFGS method for large scale optimization"
// (1989); Nocedal and Wright, "Numerical optimization", second edition (2006), algorithms 3.5, 3.6,
// 7.4 and 7.5; Andrew and Gao, "Scalable training of L1-regularized log-linear models" (2007).
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
	Memory     int     // pairs of differences kept, at least 1; 0 is 7, the most that Liu and Nocedal recommend
	Iterations int     // limit of iterations; 0 is no limit
	Epsilon    float64 // converged when |g| ≤ Epsilon·max(1, |x|); 0 is off
	Past       int     // iterations looked back by the test on Delta; 0 is off
	Delta      float64 // flat when f fell by at most this share in the last Past iterations; 0 is off
	Searches   int     // evaluations allowed in one line search; 0 is 30

	L1      float64 // weight of Σ|x_i|, at least 0; above 0 selects OWL-QN
	L1Start int     // first penalised variable
	L1End   int     // variable after the last penalised one; 0 is all

	Workers int // goroutines for vector operations, the result does not depend on it; 0 is 1
}

// The defaults.
const (
	defaultMemory   = 7
	defaultSearches = 30
)

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
	d := newDescent(o, newState(x, o.memory(), o.Past), f)
	if err := d.evaluate(ctx); err != nil {
		return d.result(Stopped), err
	}
	if err := d.measure(); err != nil {
		return d.result(Stopped), err
	}
	return d.run(ctx, report)
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
	d := newDescent(o, st, f)
	if err := d.measure(); err != nil {
		return d.result(Stopped), err
	}
	return d.run(ctx, report)
}

func (o *LBFGS) memory() int {
	if o.Memory == 0 {
		return defaultMemory
	}
	return o.Memory
}

// check refuses settings out of range for n variables.
func (o *LBFGS) check(n int) error {
	for _, v := range []struct {
		name  string
		value int
	}{{"memory", o.Memory}, {"iterations", o.Iterations}, {"past", o.Past}, {"searches", o.Searches}} {
		if v.value < 0 {
			return fmt.Errorf("%w: %s is %d, want 0 or more", ErrInvalid, v.name, v.value)
		}
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"epsilon", o.Epsilon}, {"delta", o.Delta}, {"L1", o.L1}} {
		if !(v.value >= 0) || math.IsInf(v.value, 1) {
			return fmt.Errorf("%w: %s is %g, want a finite number of at least 0", ErrInvalid, v.name, v.value)
		}
	}
	if from, to := o.penalised(n); from < 0 || from > to || to > n {
		return fmt.Errorf("%w: range of L1 is %d to %d, want a range within 0 to %d", ErrInvalid, from, to, n)
	}
	return nil
}

// penalised is the range of the variables, of n, that the L1 penalty is on.
func (o *LBFGS) penalised(n int) (from, to int) {
	if o.L1End == 0 {
		return o.L1Start, n
	}
	return o.L1Start, o.L1End
}
