package lowrank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// Matrix is a sparse matrix in compressed rows: those of row i are Columns and Values from
// Offsets[i] to Offsets[i+1], by rising column.
type Matrix struct {
	Rows    int       `state:"rows,from=0"`
	Cols    int       `state:"cols,from=0"`
	Offsets []int     `state:"offsets,rows=Rows,into=Columns"`
	Columns []uint32  `state:"columns,below=Cols"`
	Values  []float64 `state:"values,len=Columns"`
}

// Entry is one value of a matrix.
type Entry struct {
	Row, Col uint32
	Value    float64
}

// NewMatrix builds a matrix of entries in any order; entries of one place are added up in their
// order. It sorts the entries. A place outside the shape and a value that is not finite are errors.
func NewMatrix(rows, cols int, entries []Entry) (*Matrix, error) {
	for _, e := range entries {
		if int64(e.Row) >= int64(rows) || int64(e.Col) >= int64(cols) {
			return nil, fmt.Errorf("entry (%d, %d) is outside a matrix of %d rows and %d columns", e.Row, e.Col, rows, cols)
		}
		if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
			return nil, fmt.Errorf("entry (%d, %d) is %v", e.Row, e.Col, e.Value)
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
	})
	m := &Matrix{Rows: rows, Cols: cols, Offsets: make([]int, rows+1)}
	for i, e := range entries {
		if i > 0 && entries[i-1].Row == e.Row && entries[i-1].Col == e.Col {
			m.Values[len(m.Values)-1] += e.Value
			continue
		}
		m.Columns, m.Values = append(m.Columns, e.Col), append(m.Values, e.Value)
		m.Offsets[e.Row+1] = len(m.Columns)
	}
	for i := 1; i <= rows; i++ {
		m.Offsets[i] = max(m.Offsets[i], m.Offsets[i-1])
	}
	return m, nil
}

// Row returns the columns and values of row i.
func (m *Matrix) Row(i int) ([]uint32, []float64) {
	from, to := m.Offsets[i], m.Offsets[i+1]
	return m.Columns[from:to], m.Values[from:to]
}

// Count returns the number of stored values.
func (m *Matrix) Count() int { return len(m.Columns) }

// Transposed returns the transpose.
func (m *Matrix) Transposed() *Matrix {
	t := &Matrix{Rows: m.Cols, Cols: m.Rows, Offsets: make([]int, m.Cols+1), Columns: make([]uint32, len(m.Columns)),
		Values: make([]float64, len(m.Values))}
	for _, c := range m.Columns {
		t.Offsets[c+1]++
	}
	for i := range m.Cols {
		t.Offsets[i+1] += t.Offsets[i]
	}
	at := slices.Clone(t.Offsets)
	for r := range m.Rows {
		columns, values := m.Row(r)
		for i, c := range columns {
			t.Columns[at[c]], t.Values[at[c]] = uint32(r), values[i]
			at[c]++
		}
	}
	return t
}

// SquaredNorm is the sum of the squared values.
func (m *Matrix) SquaredNorm() float64 {
	sum := 0.0
	for _, v := range m.Values {
		sum += v * v
	}
	return sum
}

// rowsPerTask are multiplied at once.
const rowsPerTask = 256

// Mul sets dst to m·x; dst has m.Rows rows, x m.Cols, and both the same columns.
func (m *Matrix) Mul(ctx context.Context, workers int, dst, x *Panel) error {
	clear(dst.Data)
	return m.AddMul(ctx, workers, dst, x)
}

// AddMul adds m·x to dst in 2·Count()·x.Cols operations.
func (m *Matrix) AddMul(ctx context.Context, workers int, dst, x *Panel) error {
	return each(ctx, workers, (m.Rows+rowsPerTask-1)/rowsPerTask, func(t int) {
		for i := t * rowsPerTask; i < min(m.Rows, (t+1)*rowsPerTask); i++ {
			m.addRow(dst.Row(i), i, x)
		}
	})
}

// addRow adds row i of m·x to dst.
func (m *Matrix) addRow(dst []float64, i int, x *Panel) {
	columns, values := m.Row(i)
	to := blas64.Vector{N: len(dst), Inc: 1, Data: dst}
	for k, c := range columns {
		blas64.Axpy(values[k], blas64.Vector{N: len(dst), Inc: 1, Data: x.Row(int(c))}, to)
	}
}
