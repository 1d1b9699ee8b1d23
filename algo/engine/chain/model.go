package chain

import (
	"fmt"
	"iter"
	"math"
)

// Parts are the arrays of a model. Weights of state features are grouped by attribute,
// labels rising; transitions are ordered by (from, to). Pairs left out weigh 0.
type Parts struct {
	Labels       int       `state:"labels"`
	Attributes   int       `state:"attributes"`
	AttrStart    []uint32  `state:"start"`   // weights of attribute a are AttrStart[a] to AttrStart[a+1]
	PairLabel    []uint16  `state:"pairs"`   // label of each state weight
	Weights      []float64 `state:"weights"` // state weights
	TransFrom    []uint16  `state:"from"`
	TransTo      []uint16  `state:"to"`
	TransWeights []float64 `state:"transitions"`
}

// Used leaves the attributes without weights out and tells which are kept.
func (p Parts) Used() (used Parts, kept []bool) {
	kept = make([]bool, p.Attributes)
	start := []uint32{0}
	for i := range kept {
		if kept[i] = p.AttrStart[i+1] > p.AttrStart[i]; kept[i] {
			start = append(start, p.AttrStart[i+1])
		}
	}
	p.Attributes, p.AttrStart = len(start)-1, start
	return p, kept
}

// Model is the weights of a chain. It never changes and is safe for concurrent use.
type Model struct {
	parts  Parts
	layout layout
	free   *grammar // without constraints
}

// NewModel checks the parts and keeps them; they must not be changed afterwards.
func NewModel(p Parts) (*Model, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	m := &Model{parts: p}
	m.layout = layout{labels: p.Labels, attributes: p.Attributes, attrStart: p.AttrStart,
		pairLabel: p.PairLabel, from: p.TransFrom, to: p.TransTo}
	m.free = newGrammar(m, nil)
	return m, nil
}

func (p *Parts) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
	}
	if p.Labels < 1 || p.Labels > MaxLabels {
		return bad("%d labels, want 1 to %d", p.Labels, MaxLabels)
	}
	if p.Attributes < 0 || len(p.AttrStart) != p.Attributes+1 {
		return bad("%d starts for %d attributes, want one more", len(p.AttrStart), p.Attributes)
	}
	if len(p.Weights) != len(p.PairLabel) {
		return bad("%d weights for %d pairs", len(p.Weights), len(p.PairLabel))
	}
	if err := checkOffsets("attribute", p.AttrStart, len(p.PairLabel)); err != nil {
		return err
	}
	if len(p.TransFrom) != len(p.TransTo) || len(p.TransFrom) != len(p.TransWeights) {
		return bad("transitions have %d sources, %d targets and %d weights", len(p.TransFrom), len(p.TransTo),
			len(p.TransWeights))
	}
	for a := range p.Attributes {
		row := p.PairLabel[p.AttrStart[a]:p.AttrStart[a+1]]
		for i, y := range row {
			if int(y) >= p.Labels || i > 0 && y <= row[i-1] {
				return bad("label %d of attribute %d is out of order or not below %d", y, a, p.Labels)
			}
		}
	}
	for k, i := range p.TransFrom {
		j := p.TransTo[k]
		if int(i) >= p.Labels || int(j) >= p.Labels {
			return bad("transition %d to %d, want labels below %d", i, j, p.Labels)
		}
		if k > 0 && (i < p.TransFrom[k-1] || i == p.TransFrom[k-1] && j <= p.TransTo[k-1]) {
			return bad("transition %d to %d is out of order", i, j)
		}
	}
	for _, ws := range [][]float64{p.Weights, p.TransWeights} {
		for _, w := range ws {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return bad("weight %g, want a finite number", w)
			}
		}
	}
	return nil
}

// Parts returns the arrays of the model, which must not be changed.
func (m *Model) Parts() Parts { return m.parts }

// Labels returns the number of labels.
func (m *Model) Labels() int { return m.parts.Labels }

// Attributes returns the number of attributes.
func (m *Model) Attributes() int { return m.parts.Attributes }

// Row returns the labels, rising, and the weights of an attribute; nothing for attributes
// that the model does not know.
func (m *Model) Row(attr uint32) ([]uint16, []float64) {
	if int64(attr) >= int64(m.parts.Attributes) {
		return nil, nil
	}
	lo, hi := m.parts.AttrStart[attr], m.parts.AttrStart[attr+1]
	return m.parts.PairLabel[lo:hi], m.parts.Weights[lo:hi]
}

// Transition returns the weight of a transition between labels.
func (m *Model) Transition(from, to int) float64 { return m.free.trans.at(from, to) }

// ScaleTransitions returns a model whose transitions are multiplied by a factor; it shares the other weights.
func (m *Model) ScaleTransitions(by float64) (*Model, error) {
	p := m.parts
	p.TransWeights = make([]float64, len(p.TransWeights))
	for i, w := range m.parts.TransWeights {
		p.TransWeights[i] = by * w
	}
	return NewModel(p)
}

// StateWeight is the weight of a pair of attribute and label.
type StateWeight struct {
	Attr   uint32
	Label  uint16
	Weight float64
}

// TransitionWeight is the weight of a pair of neighbouring labels.
type TransitionWeight struct {
	From, To uint16
	Weight   float64
}

// States yields the state weights by attribute and label.
func (m *Model) States() iter.Seq[StateWeight] {
	return func(yield func(StateWeight) bool) {
		for a := range uint32(m.parts.Attributes) {
			labels, weights := m.Row(a)
			for i, y := range labels {
				if !yield(StateWeight{a, y, weights[i]}) {
					return
				}
			}
		}
	}
}

// Transitions yields the transition weights by from and to.
func (m *Model) Transitions() iter.Seq[TransitionWeight] {
	return func(yield func(TransitionWeight) bool) {
		for k, w := range m.parts.TransWeights {
			if !yield(TransitionWeight{m.parts.TransFrom[k], m.parts.TransTo[k], w}) {
				return
			}
		}
	}
}

// Prune returns the model without weights of 0, and without weights of attributes whose amount is below least. Its
// answers are the same for 0; else the score of a label at a token differs by less than least for each attribute there.
func (m *Model) Prune(least float64) *Model {
	p := m.parts
	out := Parts{Labels: p.Labels, Attributes: p.Attributes, AttrStart: make([]uint32, 1, p.Attributes+1)}
	for a := range uint32(p.Attributes) {
		labels, weights := m.Row(a)
		for i, w := range weights {
			if w != 0 && math.Abs(w) >= least {
				out.PairLabel = append(out.PairLabel, labels[i])
				out.Weights = append(out.Weights, w)
			}
		}
		out.AttrStart = append(out.AttrStart, uint32(len(out.PairLabel)))
	}
	for k, w := range p.TransWeights {
		if w != 0 {
			out.TransFrom = append(out.TransFrom, p.TransFrom[k])
			out.TransTo = append(out.TransTo, p.TransTo[k])
			out.TransWeights = append(out.TransWeights, w)
		}
	}
	pruned := &Model{parts: out}
	pruned.layout = layout{labels: out.Labels, attributes: out.Attributes, attrStart: out.AttrStart,
		pairLabel: out.PairLabel, from: out.TransFrom, to: out.TransTo}
	pruned.free = newGrammar(pruned, nil)
	return pruned
}
