package fusion

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes weights and scales.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := state.Load(r, m); err != nil {
		return err
	}
	if len(m.Weights) != len(m.opt.models) {
		return kind.Corrupt("weights", "one a model is wanted")
	}
	return nil
}
