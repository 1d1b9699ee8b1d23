package tagger

import (
	"fmt"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/kind/state"
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

// secondState is what a chain of second order has besides that of first order.
type secondState struct {
	Pairs   []chain.Pair   `state:"pairs"`
	Triples []chain.Triple `state:"triples"`
}

// EncodeSecond writes what a chain of second order has besides that of first order.
func EncodeSecond(w *kind.Writer, m *chain.Second) error {
	return state.SaveAs(w, "second", &secondState{m.Pairs(), m.Triples()})
}

// DecodeSecond reads what EncodeSecond wrote; damage gives an error that wraps kind.ErrCorrupt.
func DecodeSecond(r *kind.Reader, first *chain.Model) (*chain.Second, error) {
	var s secondState
	if err := state.LoadAs(r, "second", &s); err != nil {
		return nil, err
	}
	m, err := first.Second(s.Pairs, s.Triples)
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
