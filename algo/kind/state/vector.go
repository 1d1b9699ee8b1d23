package state

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
)

// words makes vectors of the type that has a kind of number.
type words struct {
	make func(n int) vector
	of   func(list any) (vector, bool) // of a []T or *[]T
	size int                           // bytes in memory
	head bool                          // the width of its words stands before them
}

var wordsOf = map[reflect.Kind]words{
	reflect.Bool: wordsFor[uint8](1, false), reflect.Uint8: wordsFor[uint8](1, false),
	reflect.Int8: wordsFor[int8](1, false), reflect.Int16: wordsFor[int16](2, true),
	reflect.Uint16: wordsFor[uint16](2, true), reflect.Int32: wordsFor[int32](4, true),
	reflect.Uint32: wordsFor[uint32](4, true), reflect.Int64: wordsFor[int64](8, true),
	reflect.Uint64: wordsFor[uint64](8, true), reflect.Int: wordsFor[int](8, true), reflect.Uint: wordsFor[uint](8, true),
	reflect.Float32: wordsFor[float32](4, false), reflect.Float64: wordsFor[float64](8, false),
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

type numeric interface{ integer | ~float32 | ~float64 }

// vector is the numbers of a column.
type vector interface {
	len() int
	bounds() (lo int64, hi uint64) // of integers
	int(i int) int64               // the largest one where it is larger
	show(i int) any
	compare(i, j int) int
	// the place of the first value from a and before b that is not between two numbers, or −1
	outside(a, b int, lo, hi float64) int
	// the same for integers that are not from 0 and below a limit
	beyond(a, b int, limit int) int
	put(dst []byte, from, n, width int)
	get(src []byte, width int, signed bool)
	fits(below bool) bool
	gather(p places, k reflect.Kind)
	scatter(p places, k reflect.Kind)
	list() reflect.Value            // []T
	cut(starts []int) reflect.Value // [][]T
	fill(at int, list any) bool     // from a place on, of a *[]T
}

type vec[T numeric] []T

func wordsFor[T numeric](size int, head bool) words {
	return words{size: size, head: head,
		make: func(n int) vector { return make(vec[T], n) },
		of: func(list any) (vector, bool) {
			switch x := list.(type) {
			case []T:
				return vec[T](x), true
			case *[]T:
				return vec[T](*x), true
			}
			return nil, false
		}}
}

func (v vec[T]) len() int             { return len(v) }
func (v vec[T]) show(i int) any       { return v[i] }
func (v vec[T]) compare(i, j int) int { return cmp.Compare(v[i], v[j]) }
func (v vec[T]) list() reflect.Value  { return reflect.ValueOf([]T(v)) }

func (v vec[T]) int(i int) int64 {
	if x := v[i]; x < 0 || uint64(x) <= math.MaxInt64 {
		return int64(x)
	}
	return math.MaxInt64
}

func (v vec[T]) bounds() (lo int64, hi uint64) {
	if len(v) == 0 {
		return 0, 0
	}
	least, most := v[0], v[0]
	for _, x := range v {
		least, most = min(least, x), max(most, x)
	}
	if least < 0 {
		lo = int64(least)
	}
	if most > 0 {
		hi = uint64(most)
	}
	return lo, hi
}

// fits reports whether no word was too large for the type: numbers that were written without those below 0 have none.
func (v vec[T]) fits(below bool) bool {
	if below {
		return T(0)-1 < 0 // unsigned types have no such words
	}
	for _, x := range v {
		if x < 0 {
			return false
		}
	}
	return true
}

func (v vec[T]) outside(a, b int, lo, hi float64) int {
	for i, x := range v[a:b] {
		if f := float64(x); !(f >= lo && f <= hi) {
			return a + i
		}
	}
	return -1
}

func (v vec[T]) beyond(a, b int, limit int) int {
	most := uint64(max(0, limit))
	for i, x := range v[a:b] {
		if x < 0 || uint64(x) >= most {
			return a + i
		}
	}
	return -1
}

func (v vec[T]) cut(starts []int) reflect.Value {
	rows := make([][]T, len(starts)-1)
	for i := range rows {
		rows[i] = v[starts[i]:starts[i+1]:starts[i+1]]
	}
	return reflect.ValueOf(rows)
}

func (v vec[T]) fill(at int, list any) bool {
	x, ok := list.(*[]T)
	if ok {
		copy(v[at:], *x)
	}
	return ok
}

// put writes n numbers from a place on as words.
func (v vec[T]) put(dst []byte, from, n, width int) {
	v = v[from : from+n]
	switch x := any([]T(v)).(type) {
	case []float32:
		for i, f := range x {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(f))
		}
		return
	case []float64:
		for i, f := range x {
			binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(f))
		}
		return
	}
	switch width {
	case 1:
		for i, x := range v {
			dst[i] = byte(int64(x))
		}
	case 2:
		for i, x := range v {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(int64(x)))
		}
	case 4:
		for i, x := range v {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(int64(x)))
		}
	default:
		for i, x := range v {
			binary.LittleEndian.PutUint64(dst[8*i:], uint64(x))
		}
	}
}

// get reads as many words as there are numbers.
func (v vec[T]) get(src []byte, width int, signed bool) {
	switch x := any([]T(v)).(type) {
	case []float32:
		for i := range x {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
		return
	case []float64:
		for i := range x {
			x[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
		}
		return
	}
	switch {
	case width == 1 && signed:
		for i := range v {
			v[i] = T(int8(src[i]))
		}
	case width == 1:
		for i := range v {
			v[i] = T(src[i])
		}
	case width == 2 && signed:
		for i := range v {
			v[i] = T(int16(binary.LittleEndian.Uint16(src[2*i:])))
		}
	case width == 2:
		for i := range v {
			v[i] = T(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case width == 4 && signed:
		for i := range v {
			v[i] = T(int32(binary.LittleEndian.Uint32(src[4*i:])))
		}
	case width == 4:
		for i := range v {
			v[i] = T(binary.LittleEndian.Uint32(src[4*i:]))
		}
	default:
		for i := range v {
			v[i] = T(binary.LittleEndian.Uint64(src[8*i:]))
		}
	}
}

// gather reads the numbers at the places.
func (v vec[T]) gather(p places, k reflect.Kind) {
	i := 0
	switch {
	case k == reflect.Bool:
		p.visit(func(x reflect.Value) {
			if x.Bool() {
				v[i] = 1
			}
			i++
		})
	case k == reflect.Float32 || k == reflect.Float64:
		p.visit(func(x reflect.Value) { v[i] = T(x.Float()); i++ })
	case k >= reflect.Int && k <= reflect.Int64:
		p.visit(func(x reflect.Value) { v[i] = T(x.Int()); i++ })
	default:
		p.visit(func(x reflect.Value) { v[i] = T(x.Uint()); i++ })
	}
}

// scatter writes the numbers to the places.
func (v vec[T]) scatter(p places, k reflect.Kind) {
	i := 0
	switch {
	case k == reflect.Bool:
		p.visit(func(x reflect.Value) { x.SetBool(v[i] != 0); i++ })
	case k == reflect.Float32 || k == reflect.Float64:
		p.visit(func(x reflect.Value) { x.SetFloat(float64(v[i])); i++ })
	case k >= reflect.Int && k <= reflect.Int64:
		p.visit(func(x reflect.Value) { x.SetInt(int64(v[i])); i++ })
	default:
		p.visit(func(x reflect.Value) { x.SetUint(uint64(v[i])); i++ })
	}
}

// widthOf is the least width of words for numbers between two.
func widthOf(lo int64, hi uint64) int {
	for _, w := range []uint{1, 2, 4} {
		if lo >= 0 && hi < 1<<(8*w) || lo < 0 && lo >= -1<<(8*w-1) && hi < 1<<(8*w-1) {
			return int(w)
		}
	}
	return 8
}
