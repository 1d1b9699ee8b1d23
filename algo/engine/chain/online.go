package chain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"parlance/algo/numeric/optimize"
)

// Rule is how training sequence by sequence moves the weights.
type Rule uint8

// The rules. Φ is the features of a labelling, y* the gold one, y₁ and y₂ the two best ones.
const (
	// Perceptron adds Φ(y*) − Φ(y₁) where y₁ ≠ y* (Collins 2002).
	Perceptron Rule = iota
	// Margin does so too, and adds Φ(y*) − Φ(y₂) where y₁ = y* but s(y*) − s(y₂) ≤ C (Krauth and
	// Mézard 1987; Kazama and Torisawa 2007, algorithm 3.1).
	Margin
	// PassiveAggressive adds τ·(Φ(y*) − Φ(y₁)) with τ = min(C, (s(y₁) − s(y*) + √errors)/|Φ(y*) − Φ(y₁)|²)
	// (Crammer et al. 2006, PA-I).
	PassiveAggressive
	// Gradient is stochastic gradient descent on the objective with L2 (Bottou 2010).
	Gradient
	// GradientL1 is the same with L1, by cumulative penalties (Tsuruoka, Tsujii and Ananiadou 2009).
	GradientL1
)

// Online is the settings of training sequence by sequence.
type Online struct {
	Rule           Rule
	Averaged       bool         // of Perceptron, Margin and PassiveAggressive: the mean of the weights after each sequence
	C              float64      // margin of Margin, an absolute score; largest step of PassiveAggressive
	L1, L2         float64      // of the gradient rules, as in Options
	Rate           float64      // first step of the gradient rules; 0: calibrated on a sample
	Decay          float64      // of GradientL1: the step of epoch k is Rate·Decay^k
	Epochs         int          // at most; at least 1
	InOrder        bool         // sequences in their order in place of a shuffled one
	Rules          *Constraints // what Perceptron, Margin and PassiveAggressive search in; nil: all labellings
	AllStates      bool         // as in Options
	AllTransitions bool
	Seed           uint64
	Initial        *Model                   // as in Options
	Restore        func(LearnerState) error // sets the state to that of an earlier training to go on from; nil: none
}

// LearnerState is what a training goes on from after an epoch. It is live: what is written into it is the
// state.
type LearnerState struct {
	Epoch   *int // done
	Numbers []*float64
	Vectors [][]float64
}

// Pass is the state of a training after an epoch. Model may be called until the report returns.
type Pass struct {
	Epoch, Of int
	Updates   int     // sequences that moved the weights
	Errors    int     // tokens labelled wrongly when their sequence was met; 0 for the gradient rules
	Objective float64 // of the gradient rules: the losses met, with the penalty at the end of the epoch
	learner   learner
}

// State returns the state, to be copied before the report returns.
func (p Pass) State() LearnerState {
	s := p.learner.state()
	s.Epoch = &p.Epoch
	return s
}

// Model returns the model as it stands, averaged where that is wanted.
func (p Pass) Model() *Model { return p.learner.model() }

// learner goes over the data once at a time.
type learner interface {
	pass(ctx context.Context, epoch int) (Pass, error)
	model() *Model
	state() LearnerState
	restored() // is told that the state was set
}

// TrainOnline goes over the data until an epoch moves no weight, the report says stop, or the epochs
// are done. The result depends on the data, the options and the seed alone; it runs in one goroutine.
func TrainOnline(ctx context.Context, d *Data, o Online, report func(Pass) bool) (*Model, Summary, error) {
	if err := d.Check(); err != nil {
		return nil, Summary{}, err
	}
	if d.Tokens() == 0 {
		return nil, Summary{}, fmt.Errorf("%w: no tokens to train on", ErrInvalid)
	}
	if err := o.check(d); err != nil {
		return nil, Summary{}, err
	}
	l, err := newLayout(d, o.AllStates, o.AllTransitions)
	if err != nil {
		return nil, Summary{}, err
	}
	var by learner
	switch o.Rule {
	case Gradient:
		by, err = newGradient(ctx, d, l, o)
	case GradientL1:
		by, err = newGradientL1(ctx, d, l, o)
	default:
		by = newPerceptron(d, l, o)
	}
	if err != nil {
		return nil, Summary{}, fmt.Errorf("train chain: %w", err)
	}
	sum := Summary{Status: optimize.Limit, Features: l.size()}
	first, err := o.restore(by)
	if err != nil {
		return nil, sum, err
	}
	for epoch := first; epoch < o.Epochs; epoch++ {
		p, err := by.pass(ctx, epoch)
		if err != nil {
			return nil, sum, fmt.Errorf("train chain: %w", err)
		}
		if math.IsNaN(p.Objective) || math.IsInf(p.Objective, 0) {
			return nil, sum, errRanAway
		}
		sum.Iterations, sum.Objective = epoch+1, p.Objective
		p.Epoch, p.Of, p.learner = epoch+1, o.Epochs, by
		stop := report != nil && report(p)
		if p.Updates == 0 {
			sum.Status = optimize.Converged
			break
		}
		if stop {
			sum.Status = optimize.Stopped
			break
		}
	}
	m := by.model()
	if !bounded(m.parts.Weights) || !bounded(m.parts.TransWeights) {
		return nil, sum, errRanAway
	}
	return m, sum, nil
}

// restore sets the state to the one to go on from and returns the epochs that it has done.
func (o *Online) restore(by learner) (epoch int, err error) {
	if o.Restore == nil {
		return 0, nil
	}
	s := by.state()
	s.Epoch = &epoch
	if err := o.Restore(s); err != nil {
		return 0, err
	}
	by.restored()
	return epoch, nil
}

var errRanAway = fmt.Errorf("train chain: %w: the weights ran away; use a smaller first step", ErrInvalid)

func (o *Online) check(d *Data) error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"L1", o.L1}, {"L2", o.L2}, {"C", o.C}, {"rate", o.Rate}, {"decay", o.Decay}} {
		if !(v.value >= 0) || math.IsInf(v.value, 1) {
			return fmt.Errorf("%w: %s is %g, want a finite number of at least 0", ErrInvalid, v.name, v.value)
		}
	}
	if o.Epochs < 1 {
		return fmt.Errorf("%w: %d epochs, want at least 1", ErrInvalid, o.Epochs)
	}
	if o.Rules != nil && o.Rules.labels != d.Labels {
		return fmt.Errorf("%w: constraints for %d labels, want %d", ErrInvalid, o.Rules.labels, d.Labels)
	}
	return nil
}

// order is the sequences with tokens in the order of an epoch.
func (o *Online) order(d *Data, epoch int) []uint32 {
	order := make([]uint32, 0, d.Sequences())
	for i := range d.Sequences() {
		if d.Offsets[i+1] > d.Offsets[i] {
			order = append(order, uint32(i))
		}
	}
	if !o.InOrder {
		rng := rand.New(rand.NewPCG(o.Seed, uint64(epoch)))
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}

// modelOf makes a model of a layout's weights, which it keeps.
func modelOf(l *layout, w []float64) *Model {
	n := l.states()
	m := &Model{parts: Parts{Labels: l.labels, Attributes: l.attributes, AttrStart: l.attrStart, PairLabel: l.pairLabel,
		Weights: w[:n:n], TransFrom: l.from, TransTo: l.to, TransWeights: w[n:]}}
	m.free = newGrammar(m, nil)
	return m
}

// startOf lists the weights of a model by the numbers of a layout; nil gives 0.
func startOf(l *layout, m *Model) []float64 {
	x := make([]float64, l.size())
	if m == nil {
		return x
	}
	for a := range uint32(l.attributes) {
		labels, weights := m.Row(a)
		for k := l.attrStart[a]; k < l.attrStart[a+1]; k++ {
			for len(labels) > 0 && labels[0] < l.pairLabel[k] {
				labels, weights = labels[1:], weights[1:]
			}
			if len(labels) > 0 && labels[0] == l.pairLabel[k] {
				x[k] = weights[0]
			}
		}
	}
	for k := range l.from {
		if i, j := int(l.from[k]), int(l.to[k]); i < m.Labels() && j < m.Labels() {
			x[l.states()+k] = m.Transition(i, j)
		}
	}
	return x
}
