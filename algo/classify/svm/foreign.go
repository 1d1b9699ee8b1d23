package svm

import (
	"errors"

	"parlance/algo/classify/sparse"
	"parlance/algo/classify/svm/reduction"
	"parlance/algo/kind"
)

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

// Foreign is the model that was trained elsewhere, nil for one that was trained here.
func (m *model) Foreign() *sparse.Model { return m.foreign }

// Named is the classifier that was trained here, by the names of its features, or an error that says why there is none.
func (m *model) Named() (*sparse.Named, error) {
	x := m.Machines
	switch {
	case m.foreign != nil:
		return nil, errors.New("it was trained elsewhere")
	case !m.opt.Classifies():
		return nil, errors.New("it labels tokens")
	case !x.Linear():
		return nil, errors.New("it is made of support vectors, and LIBLINEAR has weights of features")
	case x.Scheme == reduction.Pairwise && x.Classes > 2:
		return nil, errors.New("its machines vote on pairs of labels (multiclass = pairwise)")
	case len(m.Labels) != x.Classes || x.Classes < 2:
		return nil, errors.New("it has a single label")
	}
	return &sparse.Named{Labels: m.Labels, Weights: x.Weights, Name: m.name, Bias: m.Alphabet.Len()}, nil
}
