package attributes

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes the classes and their candidates.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error { return state.Load(r, m) }
