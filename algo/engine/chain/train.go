package chain

import (
	"context"
	"fmt"
	"io"
	"math"

	"parlance/algo/numeric/optimize"
)

// Options are the settings of a training; the zero value of a field is what its comment
// says. The objective is Σ −log p(y|x) + ½·L2·|w|² + L1·Σ|w_i| (CRFsuite's c2 is L2/2).
type Options struct {
	L1             float64   // 0: none. Above 0, L-BFGS becomes OWL-QN
	L2             float64   // 0: none
	Iterations     int       // of L-BFGS at most; 0: no limit
	Memory         int       // pairs kept by L-BFGS; 0: 7
	Epsilon        float64   // ends when |gradient| ≤ Epsilon·max(1, |w|); 0: off
	Period         int       // iterations that Delta looks back; 0: off
	Delta          float64   // ends when the objective fell by less, relatively; 0: off
	WarmStart      bool      // averaged SGD first, then preconditioned L-BFGS; not with L1
	AllStates      bool      // weights for all pairs of attribute and label, not the observed ones
	AllTransitions bool      // weights for all transitions, not the observed ones
	Workers        int       // goroutines; 0: 1. The result does not depend on it
	Seed           uint64    // of the order of sequences in SGD
	Initial        *Model    // weights to start from, with the same numbers of attributes and labels; nil: 0
	Resume         io.Reader // checkpoint of the same training to go on from; nil: none
}

// Phase is a part of a training.
type Phase uint8

// The phases.
const (
	Averaging Phase = iota // epochs of averaged SGD
	Fitting                // iterations of L-BFGS
)

func (p Phase) String() string { return [...]string{"sgd", "l-bfgs"}[p] }

// Progress is the state of a training after an epoch or iteration. Its methods may be
// called until the report returns.
type Progress struct {
	Phase        Phase
	Step         int     // epoch or iteration, 1-based
	Of           int     // epochs, or the limit of iterations; 0: no limit
	Objective    float64 // while averaging: the sum of losses met during the epoch, with the penalty at its end
	GradientNorm float64 // 0 while averaging; after WarmStart in the scaled variables
	WeightNorm   float64 // Euclidean; after WarmStart in the scaled variables
	StepLength   float64 // 0 while averaging
	Evaluations  int     // of the objective in this iteration
	trainer      *trainer
}

// Model returns the model as it stands; averaged while averaging.
func (p Progress) Model() *Model { return p.trainer.model() }

// Checkpoint writes what Options.Resume needs to go on as if never interrupted.
func (p Progress) Checkpoint(w io.Writer) error { return p.trainer.checkpoint(w) }

// Summary tells how a training ended.
type Summary struct {
	Status       optimize.Status
	Objective    float64
	GradientNorm float64 // after WarmStart in the scaled variables
	Iterations   int     // of L-BFGS
	Evaluations  int
	Features     int // weights, with those of 0
}

// Limited reports whether the limit of iterations ended the training before it converged.
func (s *Summary) Limited() bool { return s.Status == optimize.Limit }

// Train fits a model to the data. report is called after every epoch and iteration and
// may be nil; true ends the training early with the model as it stands.
func Train(ctx context.Context, d *Data, opt Options, report func(Progress) bool) (*Model, Summary, error) {
	if err := opt.check(); err != nil {
		return nil, Summary{}, err
	}
	if err := d.Check(); err != nil {
		return nil, Summary{}, err
	}
	if d.Tokens() == 0 {
		return nil, Summary{}, fmt.Errorf("%w: no tokens to train on", ErrInvalid)
	}
	if report == nil {
		report = func(Progress) bool { return false }
	}
	t, err := newTrainer(d, opt, report)
	if err != nil {
		return nil, Summary{}, err
	}
	sum, err := t.run(ctx)
	if err != nil {
		return nil, sum, fmt.Errorf("train chain: %w", err)
	}
	return t.model(), sum, nil
}

func (o *Options) check() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"L1", o.L1}, {"L2", o.L2}, {"epsilon", o.Epsilon}, {"delta", o.Delta}} {
		if !(v.value >= 0) || math.IsInf(v.value, 1) {
			return fmt.Errorf("%w: %s is %g, want a finite number of at least 0", ErrInvalid, v.name, v.value)
		}
	}
	if o.Iterations < 0 || o.Memory < 0 || o.Period < 0 {
		return fmt.Errorf("%w: iterations %d, memory %d, period %d, want 0 or more", ErrInvalid, o.Iterations,
			o.Memory, o.Period)
	}
	if o.WarmStart && o.L1 > 0 {
		return fmt.Errorf("%w: a warm start is for L2 alone, L1 is %g", ErrInvalid, o.L1)
	}
	return nil
}

// trainer is a training under way.
type trainer struct {
	opt    Options
	data   *Data
	layout *layout
	obj    *objective
	report func(Progress) bool
	phase  Phase
	sgd    *averager       // while averaging
	state  *optimize.State // while fitting
	scale  []float64       // w = scale∘v for the variables v of L-BFGS; nil: w = v
	w      []float64       // scratch for scale
	print  *fingerprint    // made by the first checkpoint
}

func newTrainer(d *Data, opt Options, report func(Progress) bool) (*trainer, error) {
	l, err := newLayout(d, opt.AllStates, opt.AllTransitions)
	if err != nil {
		return nil, err
	}
	t := &trainer{opt: opt, data: d, layout: l, report: report, phase: Fitting}
	t.obj = newObjective(d, l, opt.L2, opt.Workers)
	if opt.WarmStart {
		t.phase = Averaging
		t.scale = preconditioner(l, opt.L2)
		t.w = make([]float64, l.size())
	}
	return t, nil
}

// run goes through the phases.
func (t *trainer) run(ctx context.Context) (Summary, error) {
	if t.opt.Resume != nil {
		if err := t.resume(t.opt.Resume); err != nil {
			return Summary{}, err
		}
	}
	var x []float64
	if t.state == nil {
		if t.sgd == nil {
			x = startOf(t.layout, t.opt.Initial)
		}
		if t.phase == Averaging {
			stopped, err := t.average(ctx, x)
			if stopped || err != nil {
				return Summary{Status: optimize.Stopped, Features: t.layout.size()}, err
			}
			x = t.sgd.weights()
			for i, q := range t.scale {
				x[i] /= q
			}
			if !bounded(x) { // the epochs ran away: begin where they began
				clear(x)
			}
			t.sgd, t.phase = nil, Fitting
		}
	}
	return t.fit(ctx, x)
}

// largest bounds weights, so that sums of them are numbers.
const largest = 1e100

// bounded reports whether all weights are numbers within the bound.
func bounded(x []float64) bool {
	for _, v := range x {
		if !(math.Abs(v) <= largest) {
			return false
		}
	}
	return true
}

// fit minimises by L-BFGS or OWL-QN.
func (t *trainer) fit(ctx context.Context, x []float64) (Summary, error) {
	o := &optimize.LBFGS{Memory: t.opt.Memory, Iterations: t.opt.Iterations, Epsilon: t.opt.Epsilon,
		Past: t.opt.Period, Delta: t.opt.Delta, L1: t.opt.L1, Workers: t.opt.Workers}
	report := func(it optimize.Iteration) bool {
		t.state = it.State
		return t.report(Progress{Phase: Fitting, Step: it.Step, Of: t.opt.Iterations, Objective: it.Objective,
			GradientNorm: it.GradientNorm, WeightNorm: it.XNorm, StepLength: it.StepLength,
			Evaluations: it.Evaluations, trainer: t})
	}
	var r optimize.Result
	var err error
	if t.state != nil {
		r, err = o.Resume(ctx, t.state, t.evaluate, report)
	} else {
		r, err = o.Minimize(ctx, x, t.evaluate, report)
	}
	t.state = r.State
	return Summary{r.Status, r.Objective, r.GradientNorm, r.Iterations, r.Evaluations, t.layout.size()}, err
}

// evaluate is the objective in the variables of L-BFGS.
func (t *trainer) evaluate(ctx context.Context, v, grad []float64) (float64, error) {
	if t.scale == nil {
		return t.obj.evaluate(ctx, v, grad)
	}
	for i, q := range t.scale {
		t.w[i] = q * v[i]
	}
	f, err := t.obj.evaluate(ctx, t.w, grad)
	for i, q := range t.scale {
		grad[i] *= q
	}
	return f, err
}

// model returns the current weights as a model.
func (t *trainer) model() *Model {
	var w []float64
	if t.phase == Averaging {
		w = t.sgd.weights()
	} else {
		w = append(w, t.state.X...)
		for i, q := range t.scale {
			w[i] *= q
		}
	}
	return modelOf(t.layout, w)
}

// preconditioner returns 1/√d for an estimate d of the diagonal of the Hessian: the
// penalty and a tenth of the binomial variance of a feature that is observed with
// probability p in the n places where it could be:
//
//	d = L2 + 0.1·n·p·(1−p)
func preconditioner(l *layout, l2 float64) []float64 {
	out := make([]float64, l.size())
	for a := range l.attributes {
		for k := l.attrStart[a]; k < l.attrStart[a+1]; k++ {
			out[k] = precondition(l2, l.observed[k], l.attrTotal[a])
		}
	}
	for q, i := range l.from {
		k := l.states() + q
		out[k] = precondition(l2, l.observed[k], l.labelCount[i])
	}
	return out
}

// precondition is the entry of a feature.
func precondition(l2, observed, n float64) float64 {
	var p float64
	if n > 0 {
		p = min(math.Abs(observed)/n, 1)
	}
	return 1 / math.Sqrt(max(l2+0.1*n*p*(1-p), 0.1))
}
