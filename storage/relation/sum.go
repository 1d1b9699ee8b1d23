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
		if v.IsNull() {
			continue
		}
		h := v.N
		if v.S != "" {
			h = xxhash.Sum64String(v.S)
		}
		h = fold(h^uint64(v.T)<<56, root5)
		slot := 2*uint64(i) + 1
		a = fold(a+h, slot*root5)
		b = fold(b^h, slot*root7)
	}
	return a, b
}

func fold(x, y uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	return hi ^ lo ^ x
}
