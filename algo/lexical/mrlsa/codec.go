package mrlsa

import (
	"parlance/algo/kind"
	"parlance/algo/kind/state"
	"parlance/algo/numeric/lowrank"
)

// stored is what is written: besides the words, what the method needs.
type stored struct {
	*model  `state:",always"`
	Cells   []*lowrank.Matrix `state:"cells"`   // of raw and listed
	Factors *factored         `state:"factors"` // of the others
}

// Encode writes words, slices and what the method needs.
func (m *model) Encode(w *kind.Writer) error {
	s := stored{model: m}
	switch d := m.degree.(type) {
	case *raw:
		s.Cells = d.columns
	case *listed:
		s.Cells = d.words
	case *factored:
		s.Factors = d
	}
	return state.Save(w, &s)
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	s := stored{model: m}
	if err := state.Load(r, &s); err != nil {
		return err
	}
	n, f := len(m.Words), s.Factors
	switch cols := int(m.Rows); {
	case m.opt.method == byRaw && f == nil && len(s.Cells) == len(m.Slices) && fit(s.Cells, n, cols):
		m.degree = newRaw(s.Cells, m.Pivot)
	case m.opt.method == byLookup && f == nil && len(s.Cells) == len(m.Slices) && fit(s.Cells, n, n):
		m.degree = newListed(s.Cells)
	case m.opt.method != byRaw && m.opt.method != byLookup && f != nil && len(f.Cross) <= len(m.Slices) &&
		(f.Folding == nil || fit(f.Folding.Cells, len(f.Folding.Names), n)):
		if f.Folding != nil {
			f.Folding.ready()
		}
		m.degree = f
	default:
		return kind.Corrupt("cells", "are of another method, or of other words")
	}
	m.ready()
	return nil
}

// fit reports whether matrices have so many rows and columns.
func fit(list []*lowrank.Matrix, rows, cols int) bool {
	for _, x := range list {
		if x.Rows != rows || x.Cols != cols {
			return false
		}
	}
	return true
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 { return state.Memory(m) }
