package catalog

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/value"
)

// KeyRange is a range of an index: its first columns equal the values Equal, and the next column is between Low and
// High, if they are given. Without both, every value of the next column is in the range. NULL is not between Low and
// High.
type KeyRange struct {
	Equal             []value.Value
	Low, High         *value.Value // nil for no bound
	LowOpen, HighOpen bool         // the bound itself is not in the range
}

// IndexKeyBytes is the longest key of the values; a longer key is truncated and ends in its hash.
const IndexKeyBytes = 1024

// wholeKeyBytes of a truncated key precede the hash.
const wholeKeyBytes = IndexKeyBytes - sha256.Size

// Bounded shortens a key that is too long for an entry.
func Bounded(k []byte) []byte { return boundedFrom(k, 0) }

// boundedFrom is bounded for the key that begins at a place.
func boundedFrom(k []byte, from int) []byte {
	if len(k)-from <= IndexKeyBytes {
		return k
	}
	h := sha256.Sum256(k[from:])
	return append(k[:from+wholeKeyBytes], h[:]...)
}

// Bounds returns where the entries of a range begin and end, behind a prefix; nil is no end. If values are so long that
// their keys are truncated, there may be entries outside the range between the bounds.
func (r *KeyRange) Bounds(prefix []byte) (from, to []byte) {
	p := slices.Clone(prefix)
	for _, v := range r.Equal {
		p = value.AppendKey(p, v)
	}
	cut := func(k []byte) []byte { return k[:min(len(k), wholeKeyBytes)] }
	from, to = cut(p), dbfile.Successor(cut(p))
	if r.Low != nil {
		low := value.AppendKey(slices.Clone(p), *r.Low)
		if from = cut(low); r.LowOpen && len(low) <= wholeKeyBytes {
			from = dbfile.Successor(low)
		}
		if len(p) < wholeKeyBytes {
			to = value.AppendKey(slices.Clone(p), value.Value{}) // NULL comes last
		}
	}
	if r.High != nil {
		high := value.AppendKey(slices.Clone(p), *r.High)
		if to = dbfile.Successor(cut(high)); r.HighOpen && len(high) <= wholeKeyBytes {
			to = high
		}
	}
	return from, to
}

// Before reports whether a key is before an end.
func Before(k, to []byte) bool { return to == nil || bytes.Compare(k, to) < 0 }
