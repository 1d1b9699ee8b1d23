package checkpoint

import (
	"parlance/algo/engine/online"
	"parlance/algo/kind"
)

// Sparse is weights of pairs, as many rows as there are, with the places of their cells. Reading keeps the columns.
func Sparse(r *online.Rows) Part { return sparse{r} }

type sparse struct{ *online.Rows }

func (s sparse) Write(w *kind.Writer, section string) error {
	at, sizes := make([]uint32, len(s.Spans)), make([]uint32, len(s.Spans))
	for i, r := range s.Spans {
		at[i], sizes[i] = r.At, uint32(r.N)<<16|uint32(r.Room)
	}
	columns, values := make([]uint32, len(s.Cells)), make([]float32, len(s.Cells))
	for i, c := range s.Cells {
		columns[i], values[i] = uint32(c.Column), c.W
	}
	for _, part := range []struct {
		name string
		list []uint32
	}{{".at", at}, {".sizes", sizes}, {".labels", columns}} {
		if err := w.Uint32s(section+part.name, part.list); err != nil {
			return err
		}
	}
	if err := w.Float32s(section+".values", values); err != nil {
		return err
	}
	return w.Float64s(section+".sums", s.Sums)
}

func (s sparse) Read(r *kind.Reader, section string) error {
	var lists [3][]uint32
	var err error
	for i, name := range []string{".at", ".sizes", ".labels"} {
		if lists[i], err = r.Uint32s(section + name); err != nil {
			return err
		}
	}
	values, err := r.Float32s(section + ".values")
	if err != nil {
		return err
	}
	if s.Sums, err = r.Float64s(section + ".sums"); err != nil {
		return err
	}
	at, sizes, columns := lists[0], lists[1], lists[2]
	if len(at) != len(sizes) || len(at) < len(s.Spans) || len(values) != len(columns) || len(values) != len(s.Sums) {
		return kind.Corrupt(section, "is of another training")
	}
	s.Spans, s.Cells = make([]online.RowSpan, len(at)), make([]online.Cell, len(values))
	for i := range at {
		n := online.RowSpan{At: at[i], N: uint16(sizes[i] >> 16), Room: uint16(sizes[i])}
		if n.N > n.Room || uint64(n.At)+uint64(n.Room) > uint64(len(values)) {
			return kind.Corrupt(section, "a row is beyond the cells")
		}
		s.Spans[i] = n
	}
	for i, v := range values {
		if int(columns[i]) >= s.Columns {
			return kind.Corrupt(section, "a column is unknown")
		}
		s.Cells[i] = online.Cell{W: v, Column: uint16(columns[i])}
	}
	return nil
}
