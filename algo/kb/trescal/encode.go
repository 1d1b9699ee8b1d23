package trescal

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// Encode writes the graph, the sets, 4 bytes a number of the factors, and where not all facts weigh 1 their weights.
func (m *model) Encode(w *kind.Writer) error { return state.Save(w, m) }

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	m.factors = factors{scratch: newScratch(), limits: new(bounds)}
	if err := state.Load(r, m); err != nil {
		return err
	}
	n := m.Graph.Entities.Len()
	if n == 0 || len(m.A)%n != 0 {
		return kind.Corrupt("vectors", "one an entity is wanted")
	}
	m.rank = len(m.A) / n
	if len(m.R) != m.Graph.Relations.Len()*m.rank*m.rank {
		return kind.Corrupt("matrices", "one square matrix a relation is wanted")
	}
	if !m.bounded() {
		return kind.Corrupt("vectors", "scores are beyond the range of numbers")
	}
	m.Scorer = m
	switch len(m.Weights) {
	case 0: // all facts count the same
		m.Weights = nil
	case len(m.Graph.Facts):
	default:
		return kind.Corrupt("weights", "one a fact is wanted")
	}
	return nil
}

// Bytes is what the model takes in memory, with the lengths of entities that bounds need.
func (m *model) Bytes() int64 { return state.Memory(m) }
