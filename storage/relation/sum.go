package relation

import (
	"encoding/binary"
	"math/bits"

	"parlance/storage/value"

	"github.com/cespare/xxhash/v2"
)

// Sum is the sum of the hashes of rows, two numbers. It does not depend on their order, and changes of rows add to it
// and subtract from it.
type Sum [2]uint64

// Add adds or subtracts a row, whose values are by slot. NULLs count for nothing, so a row keeps its hash when columns
// are added.
func (s *Sum) Add(row []value.Value, add bool) {
	a, b := rowHash(row)
	if add {
		s[0], s[1] = s[0]+a, s[1]+b
	} else {
		s[0], s[1] = s[0]-a, s[1]-b
	}
}

// Plus adds the sum of other rows.
func (s *Sum) Plus(o Sum) { s[0], s[1] = s[0]+o[0], s[1]+o[1] }

// Bytes returns the sum as bytes.
func (s Sum) Bytes() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, s[0]), s[1])
}

// Fractional bits of the square roots of 2, 3, 5 and 7, made odd: numbers without structure.
const (
	root2 = 0x6A09E667F3BCC909
	root3 = 0xBB67AE8584CAA73B
	root5 = 0x3C6EF372FE94F82B
	root7 = 0xA54FF53A5F1D36F1
)

// rowHash hashes a row to two numbers. Each value goes into h by
//
//	h = fold(h + hash of the value and its type, constant of the slot)
//
// where fold multiplies to 128 bits and combines the halves.
func rowHash(row []value.Value) (uint64, uint64) {
	a, b := uint64(root2), uint64(root3)
	for i, v := range row {
		if !v.IsNull() {
			a, b = mix(a, b, i, valueHash(v))
		}
	}
	return a, b
}

func valueHash(v value.Value) uint64 {
	h := v.N
	if v.S != "" {
		h = xxhash.Sum64String(v.S)
	}
	return fold(h^uint64(v.T)<<56, root5)
}

func mix(a, b uint64, slot int, h uint64) (uint64, uint64) {
	k := 2*uint64(slot) + 1
	return fold(a+h, k*root5), fold(b^h, k*root7)
}

func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo ^ x
}

// Replace subtracts n rows and adds n others, of each a column for each slot; nil columns are NULL in all rows. Without
// old, or without fresh columns, it adds or subtracts alone. Columns that both have are hashed once.
func (s *Sum) Replace(n int, old, fresh []*value.Vec) {
	was, is := newRowHashes(n), newRowHashes(n)
	var hashes []uint64
	for slot := range max(len(old), len(fresh)) {
		x, y := columnAt(old, slot), columnAt(fresh, slot)
		if x != nil {
			hashes = columnHashes(hashes[:0], x, n)
			was.mix(slot, x, hashes)
		}
		if y != nil && y != x {
			hashes = columnHashes(hashes[:0], y, n)
		}
		if y != nil {
			is.mix(slot, y, hashes)
		}
	}
	for i := range n {
		if fresh != nil {
			s[0], s[1] = s[0]+is[i][0], s[1]+is[i][1]
		}
		if old != nil {
			s[0], s[1] = s[0]-was[i][0], s[1]-was[i][1]
		}
	}
}

func columnAt(cols []*value.Vec, slot int) *value.Vec {
	if slot < len(cols) {
		return cols[slot]
	}
	return nil
}

// rowHashes are hashes of rows, column by column.
type rowHashes [][2]uint64

func newRowHashes(n int) rowHashes {
	h := make(rowHashes, n)
	for i := range h {
		h[i] = [2]uint64{root2, root3}
	}
	return h
}

// mix adds a column, of whose values hashes are.
func (h rowHashes) mix(slot int, v *value.Vec, hashes []uint64) {
	nulls := v.Null != nil || v.Any != nil
	for i := range h {
		if !nulls || !v.IsNull(i) {
			h[i][0], h[i][1] = mix(h[i][0], h[i][1], slot, hashes[i])
		}
	}
}

// columnHashes appends the hashes of n values, anything for NULLs.
func columnHashes(dst []uint64, v *value.Vec, n int) []uint64 {
	if v.Codes == nil || len(v.Dict.Words) > n {
		for i := range n {
			dst = append(dst, valueHash(v.At(i)))
		}
		return dst
	}
	words := make([]uint64, len(v.Dict.Words))
	for i, w := range v.Dict.Words {
		words[i] = valueHash(value.Value{T: v.Type, S: w})
	}
	for _, c := range v.Codes[:n] {
		dst = append(dst, words[c])
	}
	return dst
}
