package universalschema

import (
	"strings"

	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes the facts and the parameters.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := state.Load(r, m); err != nil {
		return err
	}
	if m.Graph.Relations.Len() > maxNeighbours && strings.Contains(m.opt.parts, "n") {
		return kind.Corrupt("relations", "they are too many")
	}
	read := m.parameters()
	m.theta = newTheta(m.Graph, m.opt.parts, m.opt.dim)
	for i, p := range m.parameters() {
		if len(read[i]) != len(p) {
			return kind.Corrupt("relations", "their parameters are not as many as the names want")
		}
		copy(p, read[i])
	}
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }
