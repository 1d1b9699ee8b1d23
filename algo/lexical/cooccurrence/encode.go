package cooccurrence

import (
	"math"

	"parlance/algo/kind"
)

// Encode writes the matrix as sections. Whole counts below 2^32 take 4 bytes, others 8.
func (m *Matrix) Encode(w *kind.Writer) error {
	if err := w.Strings("words", m.Words); err != nil {
		return err
	}
	if err := w.Strings("contexts", m.Contexts); err != nil {
		return err
	}
	widths := make([]uint32, m.Rows.Len())
	for i := range widths {
		widths[i] = uint32(m.Rows.Width(i))
	}
	if err := w.Uint32s("widths", widths); err != nil {
		return err
	}
	if err := w.Uint32s("cells", m.Rows.IDs); err != nil {
		return err
	}
	small := make([]uint32, len(m.Rows.Counts))
	for i, c := range m.Rows.Counts {
		if c < 1<<32 {
			small[i] = uint32(c)
		}
		if float64(small[i]) != c {
			if err := w.Uint32s("whole", nil); err != nil {
				return err
			}
			return w.Float64s("counts", m.Rows.Counts)
		}
	}
	if err := w.Uint32s("whole", small); err != nil {
		return err
	}
	return w.Float64s("counts", nil)
}

// Decode reads what Encode wrote and makes it ready.
func Decode(r *kind.Reader) (*Matrix, error) {
	m := &Matrix{Rows: &Index{}}
	var err error
	if m.Words, err = r.Strings("words"); err != nil {
		return nil, err
	}
	if m.Contexts, err = r.Strings("contexts"); err != nil {
		return nil, err
	}
	if err := m.Rows.decode(r, len(m.Words), len(m.Contexts)); err != nil {
		return nil, err
	}
	m.Ready()
	return m, nil
}

func (x *Index) decode(r *kind.Reader, rows, columns int) error {
	widths, err := r.Uint32s("widths")
	if err != nil {
		return err
	}
	if x.IDs, err = r.Uint32s("cells"); err != nil {
		return err
	}
	if err := x.rows(widths, rows, columns); err != nil {
		return err
	}
	whole, err := r.Uint32s("whole")
	if err != nil {
		return err
	}
	if x.Counts, err = r.Float64s("counts"); err != nil {
		return err
	}
	if len(x.Counts) == 0 {
		x.Counts = make([]float64, len(whole))
		for i, c := range whole {
			x.Counts[i] = float64(c)
		}
	} else if len(whole) > 0 {
		return kind.Corrupt("whole", "stands beside other counts")
	}
	if len(x.Counts) != len(x.IDs) {
		return kind.Corrupt("counts", "has not one count a cell")
	}
	for _, c := range x.Counts {
		if !(c > 0) || math.IsInf(c, 0) {
			return kind.Corrupt("counts", "has a count that is not positive")
		}
	}
	return nil
}

// rows makes Start of the widths and checks that columns rise within their range.
func (x *Index) rows(widths []uint32, rows, columns int) error {
	if len(widths) != rows {
		return kind.Corrupt("widths", "has not one number a word")
	}
	x.Start = make([]int, rows+1)
	for i, n := range widths {
		x.Start[i+1] = x.Start[i] + int(n)
	}
	if x.Start[rows] != len(x.IDs) {
		return kind.Corrupt("widths", "does not add up to the cells")
	}
	for i := range rows {
		for k := x.Start[i]; k < x.Start[i+1]; k++ {
			if int(x.IDs[k]) >= columns || k > x.Start[i] && x.IDs[k] <= x.IDs[k-1] {
				return kind.Corrupt("cells", "has a context out of order or range")
			}
		}
	}
	return nil
}
