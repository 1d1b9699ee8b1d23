package transe

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes the facts and the vectors.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	m.vectors = vectors{dim: m.opt.dim, absolute: m.opt.norm == "l1"}
	if err := state.Load(r, m); err != nil {
		return err
	}
	if len(m.EntityVectors) != m.Graph.Entities.Len()*m.dim ||
		len(m.RelationVectors) != m.Graph.Relations.Len()*m.dim {
		return kind.Corrupt("entity_vectors", "or relation_vectors: one vector a name is wanted")
	}
	m.measure()
	return nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }
