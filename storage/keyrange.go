package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"parlance/storage/value"
)

// KeyRange is a range of an index: its first columns have the values Equal, and the next one
// lies between Low and High, as far as they are given. With neither, every value of the next
// column is in the range. Low and High leave out NULL.
type KeyRange struct {
	Equal             []value.Value
	Low, High         *value.Value // nil for no bound
	LowOpen, HighOpen bool         // the bound itself is not in the range
}

// indexKeyBytes bounds the key of the values; a longer one ends in its hash instead.
const indexKeyBytes = 1024

// wholeKeyBytes of a key are never a hash.
const wholeKeyBytes = indexKeyBytes - sha256.Size

// bounded shortens a key that is too long for an entry.
func bounded(k []byte) []byte {
	if len(k) <= indexKeyBytes {
		return k
	}
	h := sha256.Sum256(k)
	return append(k[:wholeKeyBytes], h[:]...)
}

// bounds returns where the entries of a range begin and end, behind a prefix; no end is nil.
// Where values are as long as an entry may be, entries beside the range lie between the bounds.
func (r *KeyRange) bounds(prefix []byte) (from, to []byte) {
	p := slices.Clone(prefix)
	for _, v := range r.Equal {
		p = value.AppendKey(p, v)
	}
	cut := func(k []byte) []byte { return k[:min(len(k), wholeKeyBytes)] }
	from, to = cut(p), successor(cut(p))
	if r.Low != nil {
		low := value.AppendKey(slices.Clone(p), *r.Low)
		if from = cut(low); r.LowOpen && len(low) <= wholeKeyBytes {
			from = successor(low)
		}
		if len(p) < wholeKeyBytes {
			to = value.AppendKey(slices.Clone(p), value.Value{}) // NULL comes last
		}
	}
	if r.High != nil {
		high := value.AppendKey(slices.Clone(p), *r.High)
		if to = successor(cut(high)); r.HighOpen && len(high) <= wholeKeyBytes {
			to = high
		}
	}
	return from, to
}

// before reports whether a key lies before an end.
func before(k, to []byte) bool { return to == nil || bytes.Compare(k, to) < 0 }

// appendOrdinals encodes ascending numbers as gaps.
func appendOrdinals(b []byte, ordinals []int) []byte {
	last := 0
	for _, o := range ordinals {
		b = binary.AppendUvarint(b, uint64(o-last))
		last = o
	}
	return b
}

// ordinals decodes ascending numbers below n; ok is false where they are damaged.
func ordinals(b []byte, n int) (out []int, ok bool) {
	at := uint64(0)
	for len(b) > 0 {
		gap, k := binary.Uvarint(b)
		if k <= 0 || gap > math.MaxInt32 {
			return nil, false
		}
		if at += gap; at >= uint64(n) {
			return nil, false
		}
		out, b = append(out, int(at)), b[k:]
	}
	return out, true
}
