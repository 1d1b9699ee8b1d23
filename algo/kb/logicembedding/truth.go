package logicembedding

import (
	"context"
	"math"

	"parlance/algo/kb/logic"
)

// domain is the pairs whose facts have a truth.
func (m *model) domain() *logic.Domain {
	if m.hold != nil {
		return &m.hold.domain
	}
	return &m.know.domain
}

// atom is the value of a fact about a known pair.
func (m *model) atom(relation, pair int32) logic.Vec {
	switch {
	case m.emb != nil:
		return m.emb.atom(relation, pair)
	case m.hold.truth[cell{relation, pair}]:
		return logic.True
	}
	return logic.False
}

// truth maps a value (t, f) to 0 … 1.
func (m *model) truth(v logic.Vec) float64 {
	switch m.opt.truthMap {
	case "cosine": // of the angle to (1, 0)
		if n := math.Hypot(v[0], v[1]); n > 0 {
			return within(v[0] / n)
		}
		return 0
	case "first":
		return within(v[0])
	}
	return within((v[0] - v[1] + 1) / 2) // (⟨v, (1, −1)⟩ + 1)/2
}

// within is x, or the end of 0 … 1 that it is beyond; 0 for what is no number.
func within(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

// evaluator computes the values of one bound formula.
type evaluator struct {
	m      *model
	b      *logic.Bound
	values []logic.Vec // of atoms
	nodes  []logic.Vec
}

func (m *model) evaluator(b *logic.Bound) *evaluator {
	return &evaluator{m, b, make([]logic.Vec, len(b.Atoms)), make([]logic.Vec, len(b.Tree.Nodes))}
}

// value is that of an instance.
func (e *evaluator) value(pairs []int32) logic.Vec {
	for i, a := range e.b.Atoms {
		e.values[i] = e.m.atom(a.Relation, pairs[i])
	}
	return e.b.Tree.Eval(e.values, e.nodes)
}

// summary is the truth of the instances of a formula.
type summary struct {
	count, below int // below the threshold
	sum, least   float64
	worst        []int32 // pairs of the instance of least truth
}

func (s *summary) mean() float64 { return s.sum / float64(s.count) }

// summarise goes over the instances of a formula, no more than limit of them.
func (m *model) summarise(ctx context.Context, b *logic.Bound, limit int) (*summary, error) {
	e, s := m.evaluator(b), &summary{least: 2}
	for pairs := range m.domain().Instances(ctx, b) {
		if s.count == limit {
			break
		}
		t := m.truth(e.value(pairs))
		s.count++
		s.sum += t
		if t < m.opt.threshold {
			s.below++
		}
		if t < s.least {
			s.least = t
			s.worst = append(s.worst[:0], pairs...)
		}
	}
	return s, ctx.Err()
}

// formula reads a formula and resolves its names.
func (m *model) formula(text string) (*logic.Bound, error) {
	r, err := logic.Parse(text)
	if err != nil {
		return nil, err
	}
	return m.know.signature().Bind(r)
}

// of is the truth of a formula, by the option forall if it has variables; false if a pair is unknown.
func (m *model) of(s *summary) (float64, bool) {
	switch {
	case s.count == 0:
		return 0, false
	case m.opt.forall == "mean":
		return s.mean(), true
	}
	return s.least, true
}
