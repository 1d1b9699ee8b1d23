package operator

import (
	"testing"

	"parlance/storage/value"

	"pgregory.net/rapid"
)

// vecOf draws a vector of n rows of one type, in one of the forms that a scan or an expression gives: with or without
// NULL, texts as codes of a dictionary too, or NULL in all rows without a type.
func vecOf(t *rapid.T, n int) value.Vec {
	kind := rapid.SampledFrom([]value.Type{value.Integer, value.Float, value.Text, value.Null}).Draw(t, "type")
	v := value.Vec{Type: kind}
	if kind != value.Null && rapid.Bool().Draw(t, "nulls") {
		v.Null = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "null")
	}
	word := rapid.SampledFrom([]string{"", "a", "b", "ab"})
	switch kind {
	case value.Integer:
		v.Ints = rapid.SliceOfN(rapid.Int64Range(-2, 2), n, n).Draw(t, "ints")
	case value.Float:
		v.Floats = rapid.SliceOfN(rapid.SampledFrom([]float64{-1.5, 0, 1, 2.5}), n, n).Draw(t, "floats")
	case value.Text:
		if rapid.Bool().Draw(t, "coded") {
			v.Dict = &value.Dict{Words: []string{"b", "a", ""}}
			v.Codes = rapid.SliceOfN(rapid.Uint32Range(0, 2), n, n).Draw(t, "codes")
		} else {
			v.Strs = rapid.SliceOfN(word, n, n).Draw(t, "texts")
		}
	}
	return v
}

// TestColumn: a column of many batches has their rows, whatever forms and types the batches have and wherever they are
// NULL, and orders them as the values compare.
func TestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := column{desc: rapid.Bool().Draw(t, "desc"), nullsFirst: rapid.Bool().Draw(t, "nulls first")}
		var want []value.Value
		for range rapid.IntRange(1, 5).Draw(t, "batches") {
			n := rapid.IntRange(1, 4).Draw(t, "rows")
			v := vecOf(t, n)
			for i := range n {
				want = append(want, v.At(i))
			}
			c.append(&v, n)
		}
		if c.n != len(want) {
			t.Fatalf("%d rows, want %d", c.n, len(want))
		}
		for i, w := range want {
			if got := c.at(i); got != w {
				t.Fatalf("row %d is %v, want %v of %v", i, got, w, want)
			}
		}
		for i, x := range want {
			for j, y := range want {
				if got, w := c.compare(int32(i), int32(j)), ordered(x, y, c.desc, c.nullsFirst); got != w {
					t.Fatalf("%v and %v compare as %d, want %d", x, y, got, w)
				}
			}
		}
	})
}

// ordered is the order of two rows by the rule of ORDER BY: NULL first or last whatever the direction.
func ordered(x, y value.Value, desc, nullsFirst bool) int {
	switch {
	case x.IsNull() && y.IsNull():
		return 0
	case x.IsNull() && nullsFirst, y.IsNull() && !nullsFirst:
		return -1
	case x.IsNull() || y.IsNull():
		return 1
	case desc:
		return -value.Compare(x, y)
	}
	return value.Compare(x, y)
}
