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

// Add adds a row, whose values are by slot. NULLs count for nothing, so a row keeps its hash when columns are added.
func (s *Sum) Add(row []value.Value) {
	a, b := rowHash(row)
	s[0], s[1] = s[0]+a, s[1]+b
}

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
	var was, is [rowsAtOnce][2]uint64
	var hashes [rowsAtOnce]uint64
	for from := 0; from < n; from += rowsAtOnce {
		k := min(n-from, rowsAtOnce)
		for i := range k {
			was[i], is[i] = [2]uint64{root2, root3}, [2]uint64{root2, root3}
		}
		for slot := range max(len(old), len(fresh)) {
			x, y := columnAt(old, slot), columnAt(fresh, slot)
			if x != nil {
				hashColumn(x, from, hashes[:k])
				mixColumn(was[:k], slot, x, from, hashes[:k])
			}
			if y != nil && y != x {
				hashColumn(y, from, hashes[:k])
			}
			if y != nil {
				mixColumn(is[:k], slot, y, from, hashes[:k])
			}
		}
		for i := range k {
			if fresh != nil {
				s[0], s[1] = s[0]+is[i][0], s[1]+is[i][1]
			}
			if old != nil {
				s[0], s[1] = s[0]-was[i][0], s[1]-was[i][1]
			}
		}
	}
}

// rowsAtOnce is of how many rows the hashes are in memory.
const rowsAtOnce = 256

func columnAt(cols []*value.Vec, slot int) *value.Vec {
	if slot < len(cols) {
		return cols[slot]
	}
	return nil
}

// hashColumn hashes the values of a column from one on.
func hashColumn(v *value.Vec, from int, hashes []uint64) {
	t := uint64(v.Type) << 56
	switch {
	case v.Ints != nil:
		for i, x := range v.Ints[from : from+len(hashes)] {
			hashes[i] = fold(uint64(x)^t, root5)
		}
	case v.Strs != nil:
		for i, s := range v.Strs[from : from+len(hashes)] {
			h := uint64(0)
			if s != "" {
				h = xxhash.Sum64String(s)
			}
			hashes[i] = fold(h^t, root5)
		}
	default:
		for i := range hashes {
			hashes[i] = valueHash(v.At(from + i))
		}
	}
}

// mixColumn adds the values of a column, whose hashes are given, to the hashes of rows.
func mixColumn(rows [][2]uint64, slot int, v *value.Vec, from int, hashes []uint64) {
	nulls := v.Null != nil || v.Any != nil
	for i := range rows {
		if !nulls || !v.IsNull(from+i) {
			rows[i][0], rows[i][1] = mix(rows[i][0], rows[i][1], slot, hashes[i])
		}
	}
}
