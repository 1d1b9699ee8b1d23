package svm

import (
	"parlance/algo/classify/sparse"
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
