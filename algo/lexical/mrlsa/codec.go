package mrlsa

import (
	"fmt"

	"parlance/algo/kind"
	"parlance/algo/numeric/lowrank"
)

// shape is what is not a long list.
type shape struct {
	Rows   uint32
	Pivot  int
	Slices []slice
	Forms  int `json:",omitempty"`

	Rank  int       // of factors
	Slots []int     // of each relation
	Signs []float32 // of each relation
	Base  int       // slot of the pivot
	Count int       // slots
	Folds bool      `json:",omitempty"`
}

// Encode writes words, slices and what the method needs.
func (m *model) Encode(w *kind.Writer) error {
	s := shape{Rows: m.rows, Pivot: m.pivot, Slices: m.slices, Forms: len(m.forms)}
	f, factors := m.degree.(*factored)
	if factors {
		s.Rank, s.Slots, s.Signs, s.Base, s.Count = f.rank, f.slot, f.sign, f.pivot, len(f.cross)
		s.Folds = f.folding != nil
	}
	if err := w.JSON("shape", s); err != nil {
		return err
	}
	if err := w.Strings("words", m.words); err != nil {
		return err
	}
	if len(m.forms) > 0 {
		if err := w.Strings("forms", m.forms); err != nil {
			return err
		}
		if err := w.Uint32s("forms.words", m.formOf); err != nil {
			return err
		}
	}
	if err := w.Uint32s("rows", m.df); err != nil {
		return err
	}
	if err := w.Float64s("idf", m.idf); err != nil {
		return err
	}
	switch d := m.degree.(type) {
	case *raw:
		return encodeMatrices(w, d.columns)
	case *listed:
		return encodeMatrices(w, d.words)
	}
	if err := w.Float32s("vectors", f.vectors); err != nil {
		return err
	}
	for k := range f.cross {
		if err := w.Float32s(fmt.Sprintf("cross.%d", k), f.cross[k]); err != nil {
			return err
		}
		if err := w.Float32s(fmt.Sprintf("lengths.%d", k), f.lengths[k]); err != nil {
			return err
		}
	}
	if f.folding != nil {
		return f.folding.encode(w)
	}
	return nil
}

func encodeMatrices(w *kind.Writer, list []*lowrank.Matrix) error {
	for k, m := range list {
		counts := make([]uint32, m.Rows)
		for i := range counts {
			counts[i] = uint32(m.Offsets[i+1] - m.Offsets[i])
		}
		if err := w.Uint32s(fmt.Sprintf("counts.%d", k), counts); err != nil {
			return err
		}
		if err := w.Uint32s(fmt.Sprintf("columns.%d", k), m.Columns); err != nil {
			return err
		}
		if err := w.Float64s(fmt.Sprintf("values.%d", k), m.Values); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	var s shape
	if err = r.JSON("shape", &s); err != nil {
		return err
	}
	m.rows, m.pivot, m.slices = s.Rows, s.Pivot, s.Slices
	if s.Pivot < 0 || s.Pivot >= len(s.Slices) {
		return kind.Corrupt("shape", "has no pivot among its slices")
	}
	if m.words, err = r.Strings("words"); err != nil {
		return err
	}
	if err = m.decodeForms(r, s.Forms); err != nil {
		return err
	}
	if m.df, err = r.Uint32s("rows"); err != nil {
		return err
	}
	if m.idf, err = r.Float64s("idf"); err != nil {
		return err
	}
	if len(m.df) != len(m.words) || len(m.idf) != len(m.words) {
		return kind.Corrupt("rows", "or idf has not one value a word")
	}
	switch m.opt.method {
	case byRaw:
		columns, err := decodeMatrices(r, len(m.slices), len(m.words), int(m.rows))
		if err != nil {
			return err
		}
		m.degree = newRaw(columns, m.pivot)
	case byLookup:
		words, err := decodeMatrices(r, len(m.slices), len(m.words), len(m.words))
		if err != nil {
			return err
		}
		m.degree = newListed(words)
	default:
		f, err := decodeFactored(r, &s, len(m.words))
		if err != nil {
			return err
		}
		if s.Folds {
			if f.folding, err = decodeFolding(r, &s, len(m.words)); err != nil {
				return err
			}
		}
		m.degree = f
	}
	m.ready()
	return nil
}

func (m *model) decodeForms(r *kind.Reader, n int) (err error) {
	if n == 0 {
		return nil
	}
	if m.forms, err = r.Strings("forms"); err != nil {
		return err
	}
	if m.formOf, err = r.Uint32s("forms.words"); err != nil {
		return err
	}
	if len(m.forms) != n || len(m.formOf) != n {
		return kind.Corrupt("forms", "has not one word a form")
	}
	for _, i := range m.formOf {
		if int(i) >= len(m.words) {
			return kind.Corrupt("forms.words", "names a word that there is not")
		}
	}
	return nil
}

func decodeMatrices(r *kind.Reader, n, rows, cols int) ([]*lowrank.Matrix, error) {
	var out []*lowrank.Matrix
	for k := range n {
		section := fmt.Sprintf("columns.%d", k)
		counts, err := r.Uint32s(fmt.Sprintf("counts.%d", k))
		if err != nil {
			return nil, err
		}
		x := &lowrank.Matrix{Rows: rows, Cols: cols, Offsets: make([]int, rows+1)}
		if x.Columns, err = r.Uint32s(section); err != nil {
			return nil, err
		}
		if x.Values, err = r.Float64s(fmt.Sprintf("values.%d", k)); err != nil {
			return nil, err
		}
		if len(counts) != rows || len(x.Columns) != len(x.Values) {
			return nil, kind.Corrupt(section, "does not fit counts and values")
		}
		for i, c := range counts {
			x.Offsets[i+1] = x.Offsets[i] + int(c)
		}
		if x.Offsets[rows] != len(x.Columns) {
			return nil, kind.Corrupt(section, "does not fit the counts")
		}
		for _, c := range x.Columns {
			if int(c) >= cols {
				return nil, kind.Corrupt(section, "has a number that is too large")
			}
		}
		out = append(out, x)
	}
	return out, nil
}

func decodeFactored(r *kind.Reader, s *shape, words int) (*factored, error) {
	f := &factored{rank: s.Rank, slot: s.Slots, sign: s.Signs, pivot: s.Base}
	if s.Rank < 1 || s.Count < 1 || s.Base < 0 || s.Base >= s.Count || len(s.Slots) != len(s.Slices) ||
		len(s.Signs) != len(s.Slices) || s.Count > len(s.Slices) {
		return nil, kind.Corrupt("shape", "does not fit its slices")
	}
	for _, k := range s.Slots {
		if k < 0 || k >= s.Count {
			return nil, kind.Corrupt("shape", "names a slot that there is not")
		}
	}
	var err error
	if f.vectors, err = r.Float32s("vectors"); err != nil {
		return nil, err
	}
	if len(f.vectors)/s.Rank != words || len(f.vectors)%s.Rank != 0 {
		return nil, kind.Corrupt("vectors", "has not one vector a word")
	}
	for k := range s.Count {
		section := fmt.Sprintf("cross.%d", k)
		h, err := r.Float32s(section)
		if err != nil {
			return nil, err
		}
		lengths, err := r.Float32s(fmt.Sprintf("lengths.%d", k))
		if err != nil {
			return nil, err
		}
		if len(lengths) != words || len(h)/s.Rank != s.Rank || len(h)%s.Rank != 0 {
			return nil, kind.Corrupt(section, "or the lengths do not fit the vectors")
		}
		f.cross, f.lengths = append(f.cross, h), append(f.lengths, lengths)
	}
	return f, nil
}
