package value

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func draw(t *rapid.T, name string) Value {
	return rapid.OneOf(
		rapid.Just(Value{}),
		rapid.Map(rapid.String(), Str),
		rapid.Map(rapid.OneOf(rapid.Int64(),
			rapid.SampledFrom([]int64{math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 1 << 53, 1<<53 + 1,
				0, -1})), Int),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) }), Real),
		rapid.Map(rapid.Bool(), Bool),
		rapid.Map(rapid.Int64Range(-1<<40, 1<<50), func(n int64) Value { return Time(time.UnixMicro(n)) }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), Blob),
		rapid.Just(Vec32([]float32{1, -2.5})),
	).Draw(t, name)
}

func TestRowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var row []Value
		for range rapid.IntRange(0, 5).Draw(t, "width") {
			row = append(row, draw(t, "value"))
		}
		raw := AppendRow([]byte("x"), row)[1:]
		got, rest, err := DecodeRow(append(raw, "rest"...))
		if err != nil || string(rest) != "rest" || !slices.Equal(got, row) {
			t.Fatalf("%v comes back as %v, rest %q, %v", row, got, rest, err)
		}
		for cut := range len(raw) {
			if _, _, err := DecodeRow(raw[:cut]); err == nil && cut < len(raw) && len(row) > 0 {
				t.Fatalf("%d of %d bytes decode", cut, len(raw))
			}
		}
	})
}

// TestKeysOrder checks that different values of one type have different keys and that
// keys order as values do.
func TestKeysOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if a.T != b.T || a.IsNull() {
			return
		}
		if c, k := Compare(a, b), bytes.Compare(AppendKey(nil, a), AppendKey(nil, b)); c != k {
			t.Fatalf("%v and %v compare %d, their keys %d", a, b, c, k)
		}
	})
}

// TestNumbersCompareExactly compares integers with floats as rational numbers, which big.Float holds in 128 bits.
func TestNumbersCompareExactly(t *testing.T) {
	exact := func(v Value) *big.Float {
		f := new(big.Float).SetPrec(128)
		if v.T == Integer {
			return f.SetInt64(v.Int())
		}
		return f.SetFloat64(v.Float())
	}
	ints := []int64{0, 1, -1, 1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, 1 << 62}
	floats := []float64{0, 0.5, -0.5, 1, -1.5, 1 << 53, 1<<53 + 2, -1 << 53, 1 << 62, 1 << 63, -1 << 63, -1<<63 - 2048,
		1e300, -1e300, math.Inf(1), math.Inf(-1)}
	for _, i := range ints {
		for _, f := range floats {
			a, b := Int(i), Real(f)
			want := exact(a).Cmp(exact(b))
			if got, back := Compare(a, b), Compare(b, a); got != want || back != -want {
				t.Errorf("%v against %v is %d and %d, want %d", a, b, got, back, want)
			}
			if (Unique(a) == Unique(b)) != (want == 0) {
				t.Errorf("Unique of %v and %v", a, b)
			}
			if !math.IsInf(f, 0) && bytes.Compare(AppendKey(nil, a), AppendKey(nil, b)) != want {
				t.Errorf("keys of %v and %v", a, b)
			}
			if h := func(v Value) uint64 {
				return Hash(nil, []Vec{FromValues(v.T, []Value{v})}, 1, 0)[0]
			}; want == 0 && h(a) != h(b) {
				t.Errorf("hashes of %v and %v differ", a, b)
			}
		}
		if nan := Real(math.NaN()); Compare(Int(i), nan) != -1 || Compare(nan, Int(i)) != 1 {
			t.Errorf("%d and NaN", i)
		}
	}
}

func TestCast(t *testing.T) {
	for _, c := range []struct {
		in   Value
		to   Type
		want Value
		bad  bool
	}{
		{Str("42"), Integer, Int(42), false},
		{Str("4.5"), Float, Real(4.5), false},
		{Real(2.5), Integer, Int(2), false}, // to even, as PostgreSQL does
		{Real(2.7), Integer, Int(3), false},
		{Int(7), Text, Str("7"), false},
		{Str("true"), Boolean, Bool(true), false},
		{Value{}, Integer, Value{}, false},
		{Str("x"), Integer, Value{}, true},
		{Str("2026-01-02 +02"), Timestamp, Time(time.Date(2026, 1, 1, 22, 0, 0, 0, time.UTC)), false},
		{Str("2026-01-02 03:04-01:30"), Timestamp, Time(time.Date(2026, 1, 2, 4, 34, 0, 0, time.UTC)), false},
		{Str("2026-01-02 03:04:05.5 +00"), Timestamp, Time(time.Date(2026, 1, 2, 3, 4, 5, 5e8, time.UTC)), false},
		{Real(1e300), Integer, Value{}, true},
	} {
		got, err := Cast(c.in, c.to)
		if (err != nil) != c.bad || err == nil && got != c.want {
			t.Errorf("%v as %v gives %v, %v", c.in, c.to, got, err)
		}
	}
}

func TestBatchViews(t *testing.T) {
	rows := [][]Value{{Int(1), Str("a")}, {Value{}, Str("b")}, {Int(3), Value{}}, {Int(4), Str("d")}}
	b := FromRows([]Type{Integer, Text}, rows)
	for i, r := range rows {
		if got := b.Row(nil, i); !slices.Equal(got, r) {
			t.Errorf("row %d is %v", i, got)
		}
	}
	s := b.Slice(1, 3)
	if s.N != 2 || !slices.Equal(s.Row(nil, 1), rows[2]) {
		t.Errorf("slice %v", s.Row(nil, 1))
	}
	p := b.Select([]int{3, 0})
	if p.N != 2 || !slices.Equal(p.Row(nil, 0), rows[3]) || !slices.Equal(p.Row(nil, 1), rows[0]) {
		t.Errorf("selection %v %v", p.Row(nil, 0), p.Row(nil, 1))
	}
}

func FuzzDecodeRow(f *testing.F) {
	f.Add(AppendRow(nil, []Value{Int(1), Str("x"), Real(2), {}, Bool(true)}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if row, _, err := DecodeRow(raw); err == nil {
			again, _, err := DecodeRow(AppendRow(nil, row))
			if err != nil || len(again) != len(row) {
				t.Fatalf("%v comes back as %v, %v", row, again, err)
			}
		}
	})
}
