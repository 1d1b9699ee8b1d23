package value

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBatchRoundTrip writes batches of any vectors and reads the same values back.
func TestBatchRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "rows")
		draw := rapid.Custom(func(t *rapid.T) Value {
			switch rapid.IntRange(0, 4).Draw(t, "type") {
			case 0:
				return Value{}
			case 1:
				return Int(rapid.Int64().Draw(t, "integer"))
			case 2:
				return Real(rapid.Float64().Draw(t, "float"))
			case 3:
				return Bool(rapid.Bool().Draw(t, "boolean"))
			}
			return Str(rapid.String().Draw(t, "text"))
		})
		b := &Batch{N: n}
		for range rapid.IntRange(0, 4).Draw(t, "columns") {
			typ := rapid.SampledFrom([]Type{Text, Integer, Float, Boolean, Null}).Draw(t, "declared")
			col := rapid.SliceOfN(draw.Filter(func(v Value) bool {
				return v.T == Null || v.T == typ || typ == Null
			}), n, n).Draw(t, "values")
			b.Cols = append(b.Cols, FromValues(typ, col))
		}
		raw := AppendBatch(nil, b)
		got, err := DecodeBatch(raw)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, have := b.Row(nil, i), got.Row(nil, i)
			for k := range want {
				if want[k] != have[k] {
					t.Fatalf("row %d: %v, want %v", i, have, want)
				}
			}
		}
		for cut := range raw { // must not panic
			if _, err := DecodeBatch(raw[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are taken for a batch", cut, len(raw))
			}
		}
	})
}

// TestHashFollowsCompare gives equal rows equal hashes.
func TestHashFollowsCompare(t *testing.T) {
	a := []Vec{FromValues(Integer, []Value{Int(1), {}, Int(-7)}),
		{Type: Text, Codes: []uint32{1, 0, 1}, Dict: &Dict{Words: []string{"x", "y"}}}}
	b := []Vec{FromValues(Float, []Value{Real(1), {}, Real(-7)}), FromValues(Text, []Value{Str("y"), Str("x"), Str("y")})}
	x, y := Hash(nil, a, 3, 2), Hash(nil, b, 3, 2)
	for i := range x {
		if x[i] != y[i] {
			t.Errorf("row %d: hashes %x and %x", i, x[i], y[i])
		}
	}
	if z := Hash(nil, a, 3, 3); z[0] == x[0] {
		t.Error("levels share their hash")
	}
}
