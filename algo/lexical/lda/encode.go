package lda

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }

// Encode writes words, topics and documents.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := state.Load(r, m); err != nil {
		return err
	}
	m.ready()
	return nil
}
