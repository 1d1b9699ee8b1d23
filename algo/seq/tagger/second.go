package tagger

import (
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// Triples is the relation of the weights of three labels in a row.
var Triples = kind.Relation{Name: "triples", Doc: "weights of a label after two others", Columns: []kind.Column{
	{Name: "from_labels", Type: value.Text, Doc: "the two labels before, with a blank between them"},
	{Name: "to_label", Type: value.Text, Doc: "label"}, {Name: "weight", Type: value.Float, Doc: "weight"}}}

// SecondRows opens the relation Triples.
func SecondRows(m *chain.Second, labels []string) kind.Rows {
	return newRows(func(yield func(weight) bool) {
		for _, w := range m.Triples() {
			if !yield(weight{labels[w.Before] + " " + labels[w.From], labels[w.To], w.Weight}) {
				return
			}
		}
	})
}

// EncodeSecond writes what a chain of second order has besides that of first order.
func EncodeSecond(w *kind.Writer, m *chain.Second) error {
	var pairs []uint32
	for _, p := range m.Pairs() {
		pairs = append(pairs, uint32(p.From)<<16|uint32(p.To))
	}
	var triples []uint64
	var weights []float64
	for _, t := range m.Triples() {
		triples = append(triples, uint64(t.Before)<<32|uint64(t.From)<<16|uint64(t.To))
		weights = append(weights, t.Weight)
	}
	if err := w.Uint32s("second.pairs", pairs); err != nil {
		return err
	}
	if err := w.Uint64s("second.triples", triples); err != nil {
		return err
	}
	return w.Float64s("second.weights", weights)
}

// DecodeSecond reads what EncodeSecond wrote; damage gives an error that wraps kind.ErrCorrupt.
func DecodeSecond(r *kind.Reader, first *chain.Model) (*chain.Second, error) {
	list, err := r.Uint32s("second.pairs")
	if err != nil {
		return nil, err
	}
	numbers, err := r.Uint64s("second.triples")
	if err != nil {
		return nil, err
	}
	weights, err := r.Float64s("second.weights")
	if err != nil {
		return nil, err
	}
	if len(numbers) != len(weights) {
		return nil, kind.Corrupt("second.weights", "one weight a triple is wanted")
	}
	var pairs []chain.Pair
	for _, p := range list {
		pairs = append(pairs, chain.Pair{From: uint16(p >> 16), To: uint16(p)})
	}
	var triples []chain.Triple
	for i, n := range numbers {
		triples = append(triples, chain.Triple{Before: uint16(n >> 32), From: uint16(n >> 16), To: uint16(n),
			Weight: weights[i]})
	}
	m, err := first.Second(pairs, triples)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	return m, nil
}

// second is the search in a chain of second order.
type second struct {
	*chain.SecondDecoder
	model *chain.Second
}

// NewSecondSearch is for NewLabeler: it searches in a chain of second order, which has constraints of
// its own.
func NewSecondSearch(m *chain.Second) func(*chain.Constraints) (func() Search, error) {
	return func(*chain.Constraints) (func() Search, error) {
		return func() Search { return second{m.NewDecoder(), m} }, nil
	}
}

// Around adds the pairs and triples that hold the token.
func (s second) Around(labels []uint16, t, own, other int, add func(string, []uint16, float64)) {
	first{model: s.model.First()}.Around(labels, t, own, other, add)
	diff := func(weight func(y uint16) float64) float64 { return weight(uint16(own)) - weight(uint16(other)) }
	if t > 1 {
		add("label[-2]|label[-1]=%s|%s", labels[t-2:t], diff(func(y uint16) float64 {
			return s.model.Triple(labels[t-2], labels[t-1], y)
		}))
	}
	if t > 0 && t+1 < len(labels) {
		around := []uint16{labels[t-1], labels[t+1]}
		add("label[-1]|label[1]=%s|%s", around, diff(func(y uint16) float64 {
			return s.model.Triple(around[0], y, around[1])
		}))
	}
	if t+2 < len(labels) {
		add("label[1]|label[2]=%s|%s", labels[t+1:t+3], diff(func(y uint16) float64 {
			return s.model.Triple(y, labels[t+1], labels[t+2])
		}))
	}
}
