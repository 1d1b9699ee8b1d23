package checkpoint

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"parlance/algo/kind"
)

// Part is a part of the state of a learner. Read restores in place what Write wrote.
type Part interface {
	Write(w *kind.Writer, section string) error
	Read(r *kind.Reader, section string) error
}

// State is the parts of a learner under the names of their sections.
type State []Field

// Field is a part with its name.
type Field struct {
	Section string
	Part    Part
}

// With adds a part under the name of its section.
func (s State) With(section string, p Part) State { return append(s, Field{section, p}) }

// Write writes all parts.
func (s State) Write(w *kind.Writer) error {
	for _, f := range s {
		if err := f.Part.Write(w, f.Section); err != nil {
			return err
		}
	}
	return nil
}

// Read restores all parts.
func (s State) Read(r *kind.Reader) error {
	for _, f := range s {
		if err := f.Part.Read(r, f.Section); err != nil {
			return err
		}
	}
	return nil
}

// Value is what a pointer points to, as JSON: numbers that are finite, texts, structs of such.
func Value(p any) Part { return jsonValue{p} }

type jsonValue struct{ p any }

func (v jsonValue) Write(w *kind.Writer, section string) error { return w.JSON(section, v.p) }
func (v jsonValue) Read(r *kind.Reader, section string) error  { return r.JSON(section, v.p) }

// Random is a source of random numbers.
func Random(source Source) Part { return random{source} }

// Source is the state of random numbers, such as rand.PCG.
type Source interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

type random struct{ Source }

func (s random) Write(w *kind.Writer, section string) error {
	p, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	return w.Bytes(section, p)
}

func (s random) Read(r *kind.Reader, section string) error {
	p, err := r.Bytes(section)
	if err != nil {
		return err
	}
	if s.UnmarshalBinary(p) != nil {
		return kind.Corrupt(section, "is no state of random numbers")
	}
	return nil
}

// Float32s is weights of a length that does not change. Most of them are 0 in hashed tables, so they are
// written as a set of places and the values there.
func Float32s(v []float32) Part { return vector[float32]{v, 32} }

// Float64s is the same for float64.
func Float64s(v []float64) Part { return vector[float64]{v, 64} }

type vector[T float32 | float64] struct {
	v    []T
	size int
}

// there tells whether a number is written: all but +0 are.
func there[T float32 | float64](x T) bool { return x != 0 || math.Signbit(float64(x)) }

func (v vector[T]) Write(w *kind.Writer, section string) error {
	set := make([]uint64, (len(v.v)+63)/64)
	var values []T
	for i, x := range v.v {
		if there(x) {
			set[i/64] |= 1 << (i % 64)
			values = append(values, x)
		}
	}
	if err := w.Uint64s(section+".places", append(set, uint64(len(v.v)))); err != nil {
		return err
	}
	switch values := any(values).(type) {
	case []float32:
		return w.Float32s(section, values)
	case []float64:
		return w.Float64s(section, values)
	}
	return nil
}

func (v vector[T]) Read(r *kind.Reader, section string) error {
	set, err := r.Uint64s(section + ".places")
	if err != nil {
		return err
	}
	if len(set) != (len(v.v)+63)/64+1 || set[len(set)-1] != uint64(len(v.v)) {
		return kind.Corrupt(section, fmt.Sprintf("is of another training: %d numbers are wanted", len(v.v)))
	}
	set = set[:len(set)-1]
	values, err := v.values(r, section)
	if err != nil {
		return err
	}
	n := 0
	for _, word := range set {
		n += bits.OnesCount64(word)
	}
	if n != len(values) {
		return kind.Corrupt(section, "places and values differ in number")
	}
	clear(v.v)
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			at := 64*i + bits.TrailingZeros64(word)
			if at >= len(v.v) {
				return kind.Corrupt(section, "a place is beyond the end")
			}
			v.v[at], values = values[0], values[1:]
		}
	}
	return nil
}

func (v vector[T]) values(r *kind.Reader, section string) ([]T, error) {
	if v.size == 32 {
		x, err := r.Float32s(section)
		out, _ := any(x).([]T)
		return out, err
	}
	x, err := r.Float64s(section)
	out, _ := any(x).([]T)
	return out, err
}

// Rows is lists of numbers, as many as there are, of lengths that may change.
func Rows(v [][]float64) Part { return rows(v) }

type rows [][]float64

func (v rows) Write(w *kind.Writer, section string) error {
	ends, all := make([]uint64, len(v)), []float64(nil)
	for i, x := range v {
		all = append(all, x...)
		ends[i] = uint64(len(all))
	}
	if err := w.Uint64s(section+".ends", ends); err != nil {
		return err
	}
	return Float64s(all).Write(w, section)
}

func (v rows) Read(r *kind.Reader, section string) error {
	all, err := readRows(r, section)
	if err != nil {
		return err
	}
	if len(all) != len(v) {
		return kind.Corrupt(section, fmt.Sprintf("is of another training: %d lists are wanted", len(v)))
	}
	copy(v, all)
	return nil
}

// Lists is any number of lists of numbers.
func Lists(v *[][]float64) Part { return lists{v} }

type lists struct{ v *[][]float64 }

func (l lists) Write(w *kind.Writer, section string) error { return rows(*l.v).Write(w, section) }

func (l lists) Read(r *kind.Reader, section string) (err error) {
	*l.v, err = readRows(r, section)
	return err
}

// readRows reads what rows wrote; lists without numbers are nil.
func readRows(r *kind.Reader, section string) ([][]float64, error) {
	ends, err := r.Uint64s(section + ".ends")
	if err != nil {
		return nil, err
	}
	size := uint64(0)
	for _, end := range ends {
		if end < size || end > 1<<40 {
			return nil, kind.Corrupt(section, "lists end before they begin")
		}
		size = end
	}
	set, err := r.Bytes(section + ".places")
	if err != nil {
		return nil, err
	}
	if uint64(len(set)) != 8*((size+63)/64+1) { // before memory is taken
		return nil, kind.Corrupt(section, "lists and numbers differ in length")
	}
	all := make([]float64, size)
	if err := Float64s(all).Read(r, section); err != nil {
		return nil, err
	}
	out, from := make([][]float64, len(ends)), uint64(0)
	for i, end := range ends {
		if end > from {
			out[i] = all[from:end:end]
		}
		from = end
	}
	return out, nil
}

// Integers is any number of integers of a fixed size. What they may be is for the learner to check.
func Integers[T uint16 | int32 | uint32 | int64](v *[]T) Part { return integers[T]{v} }

type integers[T uint16 | int32 | uint32 | int64] struct{ v *[]T }

func (v integers[T]) Write(w *kind.Writer, section string) error {
	p, err := binary.Append(nil, binary.LittleEndian, *v.v)
	if err != nil {
		return err
	}
	return w.Bytes(section, p)
}

func (v integers[T]) Read(r *kind.Reader, section string) error {
	p, err := r.Bytes(section)
	if err != nil {
		return err
	}
	var one T
	size := binary.Size(one)
	if len(p)%size != 0 {
		return kind.Corrupt(section, "ends within a number")
	}
	*v.v = make([]T, len(p)/size)
	_, err = binary.Decode(p, binary.LittleEndian, *v.v)
	return err
}
