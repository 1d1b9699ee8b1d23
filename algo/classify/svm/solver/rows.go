// Package solver is the numerics of support vector machines: linear ones by coordinate descent
// on the dual, kernel ones by sequential minimal optimisation, their votes and probabilities. It
// works on rows of numbers and knows nothing of documents.
package solver

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalid marks samples and options that make no sense.
var ErrInvalid = errors.New("invalid samples")

// Rows are samples in rows of compressed indices: sample i has the columns
// Columns[Offsets[i]:Offsets[i+1]], each at most once, 0-based and below Width.
type Rows struct {
	Width   int
	Offsets []uint32
	Columns []uint32
	Values  []float32 // of Columns; nil: all are 1
}

// Len returns the number of samples.
func (r *Rows) Len() int { return max(0, len(r.Offsets)-1) }

// Row returns the columns of a sample and their values, nil where all are 1.
func (r *Rows) Row(i int) ([]uint32, []float32) {
	from, to := r.Offsets[i], r.Offsets[i+1]
	if r.Values == nil {
		return r.Columns[from:to], nil
	}
	return r.Columns[from:to], r.Values[from:to]
}

// square is x·x.
func (r *Rows) square(i int) float64 {
	cols, vals := r.Row(i)
	if vals == nil {
		return float64(len(cols))
	}
	sum := 0.0
	for _, v := range vals {
		sum += float64(v) * float64(v)
	}
	return sum
}

// dot is w·x.
func (r *Rows) dot(w []float64, i int) float64 {
	cols, vals := r.Row(i)
	if vals == nil {
		return pick(w, cols)
	}
	var a, b, c, d float64 // four chains of additions at once
	for len(cols) >= 4 && len(vals) >= 4 {
		a += w[cols[0]] * float64(vals[0])
		b += w[cols[1]] * float64(vals[1])
		c += w[cols[2]] * float64(vals[2])
		d += w[cols[3]] * float64(vals[3])
		cols, vals = cols[4:], vals[4:]
	}
	for k, c := range cols {
		a += w[c] * float64(vals[k])
	}
	return (a + b) + (c + d)
}

// pick sums the weights of columns, four chains of additions at once.
func pick(w []float64, cols []uint32) float64 {
	var a, b, c, d float64
	for len(cols) >= 4 {
		a += w[cols[0]]
		b += w[cols[1]]
		c += w[cols[2]]
		d += w[cols[3]]
		cols = cols[4:]
	}
	for _, i := range cols {
		a += w[i]
	}
	return (a + b) + (c + d)
}

// add adds d·x to w.
func (r *Rows) add(w []float64, i int, d float64) {
	cols, vals := r.Row(i)
	if vals == nil {
		for _, c := range cols {
			w[c] += d
		}
		return
	}
	for k, c := range cols {
		w[c] += d * float64(vals[k])
	}
}

// Check tells what is wrong with the samples, nil if nothing is.
func (r *Rows) Check() error {
	if len(r.Offsets) > 0 && int(r.Offsets[len(r.Offsets)-1]) != len(r.Columns) ||
		r.Values != nil && len(r.Values) != len(r.Columns) {
		return fmt.Errorf("%w: offsets, columns and values differ in length", ErrInvalid)
	}
	for _, c := range r.Columns {
		if int(c) >= r.Width {
			return fmt.Errorf("%w: column %d of %d", ErrInvalid, c, r.Width)
		}
	}
	for _, v := range r.Values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("%w: value %g", ErrInvalid, v)
		}
	}
	return nil
}

// Subset returns the samples ids with the columns that at least n of them have, numbered in the
// order in which they are met, and what these were; m is overwritten.
func (r *Rows) Subset(ids []uint32, least uint32, m *ColumnMap) (sub *Rows, columns []uint32) {
	size := 0
	for k, n := range m.count(r, ids) {
		c := m.touched[k]
		if m.number[c] = unknown; n >= least {
			m.number[c] = uint32(len(columns))
			columns = append(columns, c)
			size += int(n)
		}
	}
	sub = &Rows{Width: len(columns), Offsets: make([]uint32, 1, len(ids)+1), Columns: make([]uint32, 0, size)}
	if r.Values != nil {
		sub.Values = make([]float32, 0, size)
	}
	for _, id := range ids {
		cols, vals := r.Row(int(id))
		for k, c := range cols {
			n := m.number[c]
			if n == unknown {
				continue
			}
			if sub.Columns = append(sub.Columns, n); vals != nil {
				sub.Values = append(sub.Values, vals[k])
			}
		}
		sub.Offsets = append(sub.Offsets, uint32(len(sub.Columns)))
	}
	return sub, columns
}

// Select returns the samples ids.
func (r *Rows) Select(ids []uint32) *Rows {
	sub := &Rows{Width: r.Width, Offsets: make([]uint32, 1, len(ids)+1)}
	if r.Values != nil {
		sub.Values = []float32{}
	}
	for _, id := range ids {
		cols, vals := r.Row(int(id))
		sub.Columns, sub.Values = append(sub.Columns, cols...), append(sub.Values, vals...)
		sub.Offsets = append(sub.Offsets, uint32(len(sub.Columns)))
	}
	return sub
}

// Decide is w·x + b of a sample with weights by column, the bias last.
func (r *Rows) Decide(w []float64, bias float64, i int) float64 { return r.dot(w, i) + bias*w[r.Width] }
