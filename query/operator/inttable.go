package operator

import (
	"math/bits"

	"parlance/storage/value"
)

// intTable is a hash table from integers to codes: open addressing, linear probing, at most half full.
type intTable struct {
	places []slot
	used   int
	n      int32 // codes given, for the caller to count
	shift  uint  // 64 less the number of bits of a place
	// near hashes the high half of a key only, so that keys with equal high halves stand side by side: rows of a
	// document come one after the other, and find their keys in the processor's cache.
	near bool
}

// slot is a place of the table.
type slot struct {
	key uint64
	id  int32 // plus one; 0 for an empty place
}

func newIntTable() *intTable {
	t := &intTable{}
	t.grow(64)
	return t
}

// newPairTable returns a table whose keys are pairs of codes.
func newPairTable() *intTable {
	t := &intTable{near: true}
	t.grow(64)
	return t
}

func (t *intTable) grow(size int) {
	old := t.places
	t.places = make([]slot, size)
	t.shift = uint(64 - bits.TrailingZeros(uint(size)))
	for _, p := range old {
		if p.id > 0 {
			t.places[t.place(p.key)] = p
		}
	}
}

// place returns where x stands, or would.
func (t *intTable) place(x uint64) int {
	mask := len(t.places) - 1
	h := x ^ x>>29
	if t.near {
		h = x >> 32
	}
	p := int(h * 0x9E3779B97F4A7C15 >> t.shift)
	if t.near {
		p = (p + int(uint32(x))) & mask
	}
	for t.places[p].id > 0 && t.places[p].key != x {
		p = (p + 1) & mask
	}
	return p
}

// slotBytes is what a place takes.
const slotBytes = 16

// bytes is what the table takes, with the tables from which it grew: together they are as large again, and stay until
// they are collected. A table that the next batch may fill counts as grown already: it is noticed before its memory is
// there.
func (t *intTable) bytes() int {
	if t == nil {
		return 0
	}
	size := len(t.places)
	if 2*(t.used+value.BatchSize) >= size && size > value.BatchSize*8 {
		size *= 2
	}
	return slotBytes * 2 * size
}

// number returns the code of x; a new x gets next.
func (t *intTable) number(x uint64, next int32) (id int32, fresh bool) {
	if 2*t.used >= len(t.places) {
		t.grow(2 * len(t.places))
	}
	p := &t.places[t.place(x)]
	if p.id > 0 {
		return p.id - 1, false
	}
	p.key, p.id = x, next+1
	t.used++
	return next, true
}

// get returns the code of x, -1 if it has none.
func (t *intTable) get(x uint64) int32 { return t.places[t.place(x)].id - 1 }
