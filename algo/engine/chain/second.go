package chain

import (
	"fmt"
	"math"
	"slices"
)

// Second is a chain of second order: to the scores of a chain of first order it adds weights of
// three labels in a row,
//
//	s(x, y) = Σ_t Σ_{a at t} value_a · w[a, y_t] + Σ_{t>0} w[y_{t−1}, y_t] + Σ_{t>1} w[y_{t−2}, y_{t−1}, y_t]
//
// and only the listed pairs of neighbouring labels, and first labels, are possible. It is a chain of
// first order whose states are pairs of labels. It never changes and is safe for concurrent use.
type Second struct {
	model   *Model
	pairs   *pairs
	triples []Triple
	grammar *grammar
}

// Triple is the weight of three labels in a row.
type Triple struct {
	Before uint16  `state:"before"`
	From   uint16  `state:"from"`
	To     uint16  `state:"to"`
	Weight float64 `state:"weights"`
}

// Pair is two neighbouring labels; Start stands for what is before the first token.
type Pair struct {
	From uint16 `state:"from"`
	To   uint16 `state:"to"`
}

// Start is the label before the first token in a Pair.
const Start = math.MaxUint16

// maxPairs bounds the states of a chain of second order.
const maxPairs = 1 << 13

// pairs are the states: possible pairs by (from, to), those of the start last.
type pairs struct {
	labels int
	list   []Pair
	of     map[Pair]uint16
	// Transitions between states, by (from, to), as far as the label in the middle is the same.
	from, to []uint16
}

// Second returns a chain of second order with the attributes and transitions of the model. pairs are
// what is possible, triples the weights of the others; in both, labels must be below Labels.
func (m *Model) Second(possible []Pair, triples []Triple) (*Second, error) {
	p, err := newPairs(m.parts.Labels, possible)
	if err != nil {
		return nil, err
	}
	weights := make(map[[3]uint16]float64, len(triples))
	for _, t := range triples {
		_, known := p.of[Pair{t.Before, t.From}]
		_, next := p.of[Pair{t.From, t.To}]
		if !known || !next || math.IsNaN(t.Weight) || math.IsInf(t.Weight, 0) {
			return nil, fmt.Errorf("%w: weight %g of labels %d, %d, %d, want a finite number and possible pairs", ErrInvalid,
				t.Weight, t.Before, t.From, t.To)
		}
		weights[[3]uint16{t.Before, t.From, t.To}] = t.Weight
	}
	w := make([]float64, len(p.from))
	for q := range w {
		a, b := p.list[p.from[q]], p.list[p.to[q]]
		w[q] = m.Transition(int(b.From), int(b.To)) + weights[[3]uint16{a.From, a.To, b.To}]
	}
	tr := newTransitions(len(p.list), p.from, p.to)
	tr.closed = true
	tr.set(w)
	return &Second{m, p, triples, &grammar{trans: tr}}, nil
}

func newPairs(labels int, possible []Pair) (*pairs, error) {
	if len(possible) == 0 {
		return nil, fmt.Errorf("%w: no pair of labels is possible", ErrInvalid)
	}
	if len(possible) > maxPairs {
		return nil, fmt.Errorf("%w: %d pairs of labels are possible, at most %d can be; use order 1", ErrInvalid,
			len(possible), maxPairs)
	}
	p := &pairs{labels: labels, list: slices.Clone(possible), of: map[Pair]uint16{}}
	slices.SortFunc(p.list, func(a, b Pair) int { return (int(a.From)<<16 | int(a.To)) - (int(b.From)<<16 | int(b.To)) })
	p.list = slices.Compact(p.list)
	for i, x := range p.list {
		if int(x.To) >= labels || int(x.From) >= labels && x.From != Start {
			return nil, fmt.Errorf("%w: labels %d, %d are a pair, want labels below %d", ErrInvalid, x.From, x.To, labels)
		}
		p.of[x] = uint16(i)
	}
	for i, a := range p.list {
		k, _ := slices.BinarySearchFunc(p.list, a.To, func(b Pair, l uint16) int { return int(b.From) - int(l) })
		for ; k < len(p.list) && p.list[k].From == a.To; k++ {
			p.from, p.to = append(p.from, uint16(i)), append(p.to, uint16(k))
		}
	}
	return p, nil
}

// ScaleTransitions returns a chain whose transitions, triples among them, are multiplied by a factor.
func (s *Second) ScaleTransitions(by float64) (*Second, error) {
	first, err := s.model.ScaleTransitions(by)
	if err != nil {
		return nil, err
	}
	triples := make([]Triple, len(s.triples))
	for i, t := range s.triples {
		t.Weight *= by
		triples[i] = t
	}
	return first.Second(s.pairs.list, triples)
}

// Pairs returns what is possible, by from and to.
func (s *Second) Pairs() []Pair { return s.pairs.list }

// Triples returns the weights of three labels in a row; they must not be changed.
func (s *Second) Triples() []Triple { return s.triples }

// First returns the part of first order.
func (s *Second) First() *Model { return s.model }

// Triple returns the weight of three labels in a row.
func (s *Second) Triple(before, from, to uint16) float64 {
	i, ok := s.pairs.of[Pair{before, from}]
	k, next := s.pairs.of[Pair{from, to}]
	if !ok || !next {
		return 0
	}
	return s.grammar.trans.at(int(i), int(k)) - s.model.Transition(int(from), int(to))
}

// expand writes the scores of states: those of their labels, with −Inf where a state cannot be.
func (p *pairs) expand(labels, states []float64, n int) {
	k := len(p.list)
	for t := range n {
		from, to := labels[t*p.labels:][:p.labels], states[t*k:][:k]
		for i, x := range p.list {
			if (x.From == Start) == (t == 0) {
				to[i] = from[x.To]
			} else {
				to[i] = math.Inf(-1)
			}
		}
	}
}

// Bytes is what weights and tables take in memory.
func (s *Second) Bytes() int64 {
	return s.model.Bytes() + int64(16*cap(s.triples)+60*len(s.pairs.from)+40*len(s.pairs.list))
}
