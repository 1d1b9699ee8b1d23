package hypernym

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes words with their distributions, the hierarchy, and the answers.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := state.Load(r, m); err != nil {
		return err
	}
	cells := 0
	for _, p := range m.Profiles {
		cells += len(p.IDs)
	}
	if m.Columns > cells { // indexes take memory by it
		return kind.Corrupt("columns", "has more contexts than the words have")
	}
	return m.ready(context.Background())
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }
