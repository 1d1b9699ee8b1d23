package tagger

import (
	"context"
	"iter"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/storage/value"
)

// Weights is the relation of the weights of attributes.
var Weights = kind.Relation{Name: "weights", Doc: "weights of attributes for labels", Columns: []kind.Column{
	{Name: "feature", Type: value.Text, Doc: "attribute"}, {Name: "label", Type: value.Text, Doc: "label"},
	{Name: "weight", Type: value.Float, Doc: "weight"}}}

// Transitions is the relation of the weights between neighbouring labels.
var Transitions = kind.Relation{Name: "transitions", Doc: "weights of a label after another", Columns: []kind.Column{
	{Name: "from_label", Type: value.Text, Doc: "label before"}, {Name: "to_label", Type: value.Text, Doc: "label"},
	{Name: "weight", Type: value.Float, Doc: "weight"}}}

type weight struct {
	what, label string
	weight      float64
}

// rows streams weights in batches.
type rows struct {
	next func() (weight, bool)
	stop func()
}

// WeightRows opens the relation Weights; name gives an attribute as text.
func WeightRows(m *chain.Model, name func(attr uint32) string, labels []string) kind.Rows {
	return newRows(func(yield func(weight) bool) {
		last, text := ^uint32(0), ""
		for w := range m.States() {
			if w.Attr != last {
				last, text = w.Attr, name(w.Attr)
			}
			if !yield(weight{text, labels[w.Label], w.Weight}) {
				return
			}
		}
	})
}

// TransitionRows opens the relation Transitions.
func TransitionRows(m *chain.Model, labels []string) kind.Rows {
	return newRows(func(yield func(weight) bool) {
		for w := range m.Transitions() {
			if !yield(weight{labels[w.From], labels[w.To], w.Weight}) {
				return
			}
		}
	})
}

func newRows(seq iter.Seq[weight]) kind.Rows {
	next, stop := iter.Pull(seq)
	return &rows{next, stop}
}

// Next returns the next batch, nil at the end.
func (r *rows) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var names, labels []string
	var weights []float64
	for len(names) < value.BatchSize {
		w, ok := r.next()
		if !ok {
			break
		}
		names, labels, weights = append(names, w.what), append(labels, w.label), append(weights, w.weight)
	}
	if len(names) == 0 {
		return nil, nil
	}
	return &value.Batch{N: len(names), Cols: []value.Vec{{Type: value.Text, Strs: names}, {Type: value.Text, Strs: labels},
		{Type: value.Float, Floats: weights}}}, nil
}

// Close ends the stream.
func (r *rows) Close() error {
	r.stop()
	return nil
}
