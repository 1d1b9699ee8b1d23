package maxent

import (
	"context"
	"errors"

	"parlance/algo/classify/averaged"
	"parlance/algo/classify/sparse"
	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// served is a classifier of documents that was trained elsewhere.
type served interface {
	Schema() kind.Schema
	Annotate(context.Context, []*text.Document, *kind.Run) error
	Open(context.Context, string, []value.Value, *kind.Run) (kind.Rows, error)
	Explain(context.Context, []*text.Document) (kind.Explanation, error)
	Encode(*kind.Writer) error
	Bytes() int64
}

// decodeForeign reads a classifier that was trained elsewhere; nil where the weights were trained here.
func decodeForeign(r *kind.Reader) (served, error) {
	if has, err := r.Has(sparse.Section); err != nil {
		return nil, err
	} else if has {
		return reserved(sparse.Decode(r))
	}
	if has, err := r.Has(averaged.Section); err != nil {
		return nil, err
	} else if has {
		return reserved(averaged.Decode(r))
	}
	return nil, nil
}

// reserved keeps a nil pointer from becoming an interface that is not nil.
func reserved[M served](m M, err error) (served, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Encode writes what was learned, here or elsewhere.
func (m *model) Encode(w *kind.Writer) error {
	if m.foreign != nil {
		return m.foreign.Encode(w)
	}
	return m.Trained.Encode(w)
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	if m.foreign != nil {
		return m.foreign.Bytes()
	}
	return m.Trained.Bytes()
}

// Foreign is the classifier of numbered features that was trained elsewhere, nil for others.
func (m *model) Foreign() *sparse.Model {
	s, _ := m.foreign.(*sparse.Model)
	return s
}

// Named is the classifier that was trained here, by the names of its features, or an error that says why there is none.
func (m *model) Named() (*sparse.Named, error) {
	switch {
	case m.foreign != nil:
		return nil, errors.New("it was trained elsewhere, on vectors of words")
	case !m.opt.Classifies():
		return nil, errors.New("it labels tokens after one another")
	case m.opt.multilabel:
		return nil, errors.New("it gives a document any number of labels (multilabel = true)")
	case len(m.Labels) < 2:
		return nil, errors.New("it has a single label")
	}
	return &sparse.Named{Labels: m.Labels, Weights: m.Chain, Name: m.Name, Bias: -1, Logistic: true}, nil
}
