package value

import (
	"math"
	"slices"
)

// BatchSize is the usual number of rows in a batch.
const BatchSize = 1024

// Vec is a column of a batch: N values of one type. Text comes either as Strs or as
// Codes into Dict; integers, booleans and timestamps as Ints; floats as Floats;
// anything else, and columns of mixed type, as Any.
// Null, if not nil, marks NULL rows.
type Vec struct {
	Type   Type
	Ints   []int64
	Floats []float64
	Strs   []string
	Codes  []uint32
	Dict   *Dict
	Any    []Value
	Null   []bool
}

// Dict is a dictionary that many batches share; its address identifies it.
type Dict struct {
	Words []string
	Ranks []uint32 // places of the words in the order of texts, from 0; nil if they are not known
}

// Batch is N rows in columns.
type Batch struct {
	N    int
	Cols []Vec
}

// At returns row i of the vector.
func (v *Vec) At(i int) Value {
	if v.Null != nil && v.Null[i] {
		return Value{}
	}
	switch {
	case v.Codes != nil:
		return Value{T: v.Type, S: v.Dict.Words[v.Codes[i]]}
	case v.Strs != nil:
		return Value{T: v.Type, S: v.Strs[i]}
	case v.Ints != nil:
		return Value{T: v.Type, N: uint64(v.Ints[i])}
	case v.Floats != nil:
		return Real(v.Floats[i])
	case v.Any != nil:
		return v.Any[i]
	}
	return Value{}
}

// NullNaN makes the rows NULL whose float is NaN.
func (v *Vec) NullNaN() {
	for i, x := range v.Floats {
		if !math.IsNaN(x) {
			continue
		}
		if v.Null == nil {
			v.Null = make([]bool, len(v.Floats))
		}
		v.Null[i] = true
	}
}

// IsNull reports whether row i is NULL.
func (v *Vec) IsNull(i int) bool {
	switch {
	case v.Null != nil && v.Null[i]:
		return true
	case v.Any != nil:
		return v.Any[i].IsNull()
	}
	return v.Codes == nil && v.Strs == nil && v.Ints == nil && v.Floats == nil
}

// Bytes is about what the vector takes, a shared dictionary left out.
func (v *Vec) Bytes() int {
	n := 8*len(v.Ints) + 8*len(v.Floats) + 16*len(v.Strs) + 4*len(v.Codes) + 32*len(v.Any) + len(v.Null)
	for _, s := range v.Strs {
		n += len(s)
	}
	for i := range v.Any {
		n += len(v.Any[i].S)
	}
	return n
}

// TextBytes is the length of the texts of the first n rows together.
func (v *Vec) TextBytes(n int) int {
	bytes := 0
	switch {
	case v.Codes != nil:
		for _, c := range v.Codes[:n] {
			bytes += len(v.Dict.Words[c])
		}
	case v.Strs != nil:
		for _, s := range v.Strs[:n] {
			bytes += len(s)
		}
	case v.Any != nil:
		for i := range v.Any[:n] {
			bytes += len(v.Any[i].S)
		}
	}
	return bytes
}

// Bytes is about what the batch takes, shared dictionaries left out.
func (b *Batch) Bytes() int {
	n := 0
	for i := range b.Cols {
		n += b.Cols[i].Bytes()
	}
	return n
}

// Columns returns the columns of the batch, which stay its own.
func (b *Batch) Columns() []*Vec {
	out := make([]*Vec, len(b.Cols))
	for i := range out {
		out[i] = &b.Cols[i]
	}
	return out
}

// Row appends row i of the batch to dst.
func (b *Batch) Row(dst []Value, i int) []Value {
	for c := range b.Cols {
		dst = append(dst, b.Cols[c].At(i))
	}
	return dst
}

// Slice returns rows [from, to) of the vector as a view.
func (v *Vec) Slice(from, to int) Vec {
	out := Vec{Type: v.Type, Dict: v.Dict}
	if v.Ints != nil {
		out.Ints = v.Ints[from:to]
	}
	if v.Floats != nil {
		out.Floats = v.Floats[from:to]
	}
	if v.Strs != nil {
		out.Strs = v.Strs[from:to]
	}
	if v.Codes != nil {
		out.Codes = v.Codes[from:to]
	}
	if v.Any != nil {
		out.Any = v.Any[from:to]
	}
	if v.Null != nil {
		out.Null = v.Null[from:to]
	}
	return out
}

// Slice returns rows [from, to) of the batch as a view.
func (b *Batch) Slice(from, to int) *Batch {
	out := &Batch{N: to - from, Cols: make([]Vec, len(b.Cols))}
	for c := range b.Cols {
		out.Cols[c] = b.Cols[c].Slice(from, to)
	}
	return out
}

// Select returns the rows named by idx as a new vector; dictionaries are shared.
func (v *Vec) Select(idx []int) Vec {
	out := Vec{Type: v.Type, Dict: v.Dict}
	out.Ints = pick(v.Ints, idx)
	out.Floats = pick(v.Floats, idx)
	out.Strs = pick(v.Strs, idx)
	out.Codes = pick(v.Codes, idx)
	out.Any = pick(v.Any, idx)
	out.Null = pick(v.Null, idx)
	return out
}

func pick[T any](s []T, idx []int) []T {
	if s == nil {
		return nil
	}
	out := make([]T, len(idx))
	for i, j := range idx {
		out[i] = s[j]
	}
	return out
}

// Select returns the rows named by idx as a new batch.
func (b *Batch) Select(idx []int) *Batch {
	out := &Batch{N: len(idx), Cols: make([]Vec, len(b.Cols))}
	for c := range b.Cols {
		out.Cols[c] = b.Cols[c].Select(idx)
	}
	return out
}

// FromRows builds a batch from rows of width len(types).
func FromRows(types []Type, rows [][]Value) *Batch {
	b := &Batch{N: len(rows), Cols: make([]Vec, len(types))}
	for c, t := range types {
		col := make([]Value, len(rows))
		for r, row := range rows {
			col[r] = row[c]
		}
		b.Cols[c] = FromValues(t, col)
	}
	return b
}

// Repeat is a column of n rows with the same value, of type t or NULL.
func Repeat(t Type, v Value, n int) Vec {
	out := Vec{Type: t}
	if v.T != t {
		return FromValues(t, slices.Repeat([]Value{v}, n))
	}
	switch t {
	case Text, JSON, Bytes, Vector, Interval:
		out.Strs = filled(v.S, n)
	case Integer, Boolean, Timestamp:
		out.Ints = filled(int64(v.N), n)
	case Float:
		out.Floats = filled(v.Float(), n)
	default:
		out.Any = filled(v, n)
	}
	return out
}

func filled[T any](x T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = x
	}
	return out
}

// FromValues builds a vector of the type from values; values of another type make it Any.
func FromValues(t Type, col []Value) Vec {
	v := Vec{Type: t}
	for i, x := range col {
		if x.T == Null {
			if v.Null == nil {
				v.Null = make([]bool, len(col))
			}
			v.Null[i] = true
		} else if x.T != t {
			return Vec{Type: t, Any: col}
		}
	}
	switch t {
	case Text, JSON, Bytes, Vector, Interval:
		v.Strs = make([]string, len(col))
		for i, x := range col {
			v.Strs[i] = x.S
		}
	case Integer, Boolean, Timestamp:
		v.Ints = make([]int64, len(col))
		for i, x := range col {
			v.Ints[i] = int64(x.N)
		}
	case Float:
		v.Floats = make([]float64, len(col))
		for i, x := range col {
			v.Floats[i] = x.Float()
		}
	default:
		v.Any, v.Null = col, nil
	}
	return v
}
