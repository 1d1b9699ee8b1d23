package value

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawVec draws a column of n rows in one of the forms that a type has.
func drawVec(t *rapid.T, typ Type, n int) Vec {
	values := make([]Value, n)
	for i := range values {
		if rapid.IntRange(0, 3).Draw(t, "null") == 0 {
			continue
		}
		switch typ {
		case Text:
			values[i] = Str(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "text"))
		case Integer:
			values[i] = Int(rapid.Int64Range(-2, 2).Draw(t, "integer"))
		case Float:
			values[i] = Real(rapid.SampledFrom([]float64{0, 1.5, math.Inf(1)}).Draw(t, "float"))
		}
	}
	v := FromValues(typ, values)
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 0:
		return Vec{Type: typ, Any: values}
	case 1:
		if v.Strs != nil { // a dictionary whose words may come twice
			v.Codes, v.Dict = make([]uint32, n), &Dict{Words: v.Strs}
			for i := range v.Codes {
				v.Codes[i] = uint32(i)
			}
			v.Strs = nil
		}
	}
	return v
}

// TestInterleave compares values one by one.
func TestInterleave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]Type{Text, Integer, Float}).Draw(t, "type")
		vecs := make([]Vec, rapid.IntRange(1, 4).Draw(t, "vectors"))
		sizes := make([]int, len(vecs))
		for i := range vecs {
			sizes[i] = rapid.IntRange(1, 6).Draw(t, "rows")
			vecs[i] = drawVec(t, typ, sizes[i])
		}
		var rows []Rows
		var want []Value
		for range rapid.IntRange(0, 8).Draw(t, "runs") {
			k := rapid.IntRange(0, len(vecs)-1).Draw(t, "vector")
			from := rapid.IntRange(0, sizes[k]).Draw(t, "from")
			r := Rows{k, from, rapid.IntRange(from, sizes[k]).Draw(t, "to")}
			rows = append(rows, r)
			for i := r.From; i < r.To; i++ {
				want = append(want, vecs[k].At(i))
			}
		}
		v := Interleave(vecs, rows)
		var got []Value
		for i := range want {
			got = append(got, v.At(i))
			if v.IsNull(i) != want[i].IsNull() {
				t.Fatalf("row %d: NULL is %v", i, v.IsNull(i))
			}
		}
		if !slices.Equal(got, want) || v.Type != typ {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
