package online

// Rows are weights of pairs of a row and a column, with what their mean needs. Only pairs that were ever moved take
// memory: 16 bytes each, where Weights take as much for every pair. A row is what features share, say an attribute or a
// context of a character, a column a label.
//
// With c steps before a move by δ,
//
//	w += δ,  u += c·δ,  mean after T steps = w − u/T
type Rows struct {
	Columns int
	Spans   []RowSpan
	Cells   []Cell
	Sums    []float64 // u, parallel to Cells; nil to keep no mean
}

// RowSpan is where the pairs of a row lie among the cells: N of them from At on, with room for n.
type RowSpan struct {
	At      uint32
	N, Room uint16
}

// Cell is one pair. Where moves are whole numbers, sums of weights are exact.
type Cell struct {
	W      float32
	Column uint16
}

// NewRows returns n rows without pairs, for columns from 0 to columns−1, at most 65,535.
func NewRows(rows, columns int) *Rows { return &Rows{Columns: columns, Spans: make([]RowSpan, rows)} }

// AddRow adds the weights of a row to out, by column.
func (r *Rows) AddRow(row uint32, out []float64) {
	for _, c := range r.Row(row) {
		out[c.Column] += float64(c.W)
	}
}

// Row returns the pairs of a row, in the order in which they were first moved.
func (r *Rows) Row(row uint32) []Cell {
	s := r.Spans[row]
	return r.Cells[s.At : s.At+uint32(s.N)]
}

// At returns the weight of a pair, 0 if it was never moved.
func (r *Rows) At(row uint32, column uint16) float64 {
	for _, c := range r.Row(row) {
		if c.Column == column {
			return float64(c.W)
		}
	}
	return 0
}

// Move adds delta to a pair after n steps.
func (r *Rows) Move(row uint32, column uint16, delta, steps float64) {
	k := r.cell(row, column)
	r.Cells[k].W += float32(delta)
	r.Sums[k] += steps * delta
}

// Mean returns the mean of cell k after n steps.
func (r *Rows) Mean(k uint32, steps float64) float64 { return float64(r.Cells[k].W) - r.Sums[k]/steps }

// cell finds or makes the cell of a pair.
func (r *Rows) cell(row uint32, column uint16) uint32 {
	s := &r.Spans[row]
	for k := s.At; k < s.At+uint32(s.N); k++ {
		if r.Cells[k].Column == column {
			return k
		}
	}
	if s.N == s.Room {
		r.grow(s)
	}
	k := s.At + uint32(s.N)
	s.N++
	r.Cells[k].Column = column
	return k
}

// grow doubles the room of a row, at the end of the cells unless it lies there already.
func (r *Rows) grow(s *RowSpan) {
	room := min(max(2, 2*int(s.Room)), r.Columns)
	if int(s.At)+int(s.Room) == len(r.Cells) {
		r.extend(room - int(s.Room))
		s.Room = uint16(room)
		return
	}
	at := uint32(len(r.Cells))
	r.extend(room)
	copy(r.Cells[at:], r.Cells[s.At:s.At+uint32(s.N)])
	copy(r.Sums[at:], r.Sums[s.At:s.At+uint32(s.N)])
	s.At, s.Room = at, uint16(room)
}

func (r *Rows) extend(n int) {
	r.Cells, r.Sums = append(r.Cells, make([]Cell, n)...), append(r.Sums, make([]float64, n)...)
}
