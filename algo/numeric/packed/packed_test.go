package packed

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRoundTrip writes numbers with runs of zeros and reads them back; any flipped bit and any cut is noticed.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SampledFrom([]int64{0, 0, 0, 1, -1, math.MaxInt64, math.MinInt64, 300})
		ints := rapid.SliceOfN(some, 0, 20).Draw(t, "integers")
		floats := make([]float64, len(ints))
		for i, n := range ints {
			floats[i] = float64(n) / 3
		}
		p := Bytes(func(w *Writer) {
			w.Number(uint64(len(ints)))
			w.Integers(ints)
			w.Floats(floats)
			w.Text("ä")
			w.Float(0.1)
		})
		read := func(r *Reader) {
			n := r.Count(20)
			if a, b := r.Integers(n), r.Floats(n); r.Err() == nil && (!slices.Equal(a, ints) || !slices.Equal(b, floats)) {
				t.Fatalf("%v %v, want %v", a, b, ints)
			}
			if s, x := r.Text(2), r.Float(); r.Err() == nil && (s != "ä" || x != 0.1) {
				t.Fatalf("%q %v", s, x)
			}
		}
		if err := Load(p, read); err != nil {
			t.Fatal(err)
		}
		at := rapid.IntRange(0, 8*len(p)-1).Draw(t, "bit")
		broken := slices.Clone(p)
		broken[at/8] ^= 1 << (at % 8)
		for _, bad := range [][]byte{broken, p[:at/8]} {
			if err := Load(bad, read); !errors.Is(err, ErrDamaged) {
				t.Fatalf("%d of %d bytes: %v", len(bad), len(p), err)
			}
		}
	})
}

// TestLimits: numbers beyond their limit, and ends that come too early, are faults.
func TestLimits(t *testing.T) {
	p := Bytes(func(w *Writer) { w.Number(7) })
	for limit, want := range map[int]error{6: ErrDamaged, 7: nil, 8: nil} {
		err := Load(p, func(r *Reader) { r.Count(limit) })
		if !errors.Is(err, want) {
			t.Errorf("7, where %d is the limit: %v", limit, err)
		}
	}
	for _, read := range []func(*Reader){func(r *Reader) { r.Float() }, func(r *Reader) { r.Text(2) },
		func(r *Reader) { r.Integers(9) }, func(r *Reader) { r.Floats(9) }} {
		err := Load(p, read)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("too early an end: %v", err)
		}
	}
}
