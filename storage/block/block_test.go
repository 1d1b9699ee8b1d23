package block

import (
	"bytes"
	"math"
	"testing"
)

// FuzzBlock reads damaged blocks; none may panic.
func FuzzBlock(f *testing.F) {
	w := NewWriter(4)
	w.Ints([]int32{-1, 0, 70000, 3})
	w.DeltasAs(Gaps, []int32{5, 4, 300, 1})
	w.Words([]string{"a", "", "ab", "a"})
	w.Floats([]float64{1, 2, 3, math.NaN()})
	w.Longs([]uint64{1, 2, 3, 1 << 60})
	w.Bytes(bytes.Repeat([]byte("packed "), 100))
	w.None()
	w.Same()
	f.Add(w.Finish())
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Open(raw)
		if err != nil {
			return
		}
		for i := range b.columns {
			// Each kind of reading refuses what it cannot read.
			if v, err := b.Ints(i, -1); err == nil && v != nil && len(v) != b.Rows {
				t.Errorf("column %d: %d integers of %d", i, len(v), b.Rows)
			}
			if v, _, err := b.Words(i); err == nil && v != nil && len(v) != b.Rows {
				t.Errorf("column %d: %d codes of %d", i, len(v), b.Rows)
			}
			_, _ = b.Floats(i)
			_, _ = b.Longs(i)
			_, _ = b.Bytes(i)
		}
	})
}

// TestEveryByteIsChecked changes each byte of a block in turn.
func TestEveryByteIsChecked(t *testing.T) {
	w := NewWriter(3)
	w.Ints([]int32{1, 2, 3})
	w.Words([]string{"a", "b", "a"})
	raw := w.Finish()
	for i := range raw {
		raw[i] ^= 1
		if b, err := Open(raw); err == nil && b.Check() == nil {
			t.Errorf("a changed byte %d is not found", i)
		}
		raw[i] ^= 1
	}
}
