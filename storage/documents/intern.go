package documents

import (
	"hash/maphash"
	"math/bits"

	"parlance/storage/value"
)

// interner gives texts codes into a dictionary of the different ones, in the order of their
// first occurrence.
type interner struct {
	codes  []uint32
	dict   value.Dict
	places []uint32 // codes plus one, by hash
	mask   uint64
}

// internSeed changes from process to process; codes do not depend on it.
var internSeed = maphash.MakeSeed()

func newInterner(n int) *interner {
	size := 1 << bits.Len(uint(n/2+8))
	return &interner{codes: make([]uint32, n), places: make([]uint32, size), mask: uint64(size - 1)}
}

// add gives text i its code.
func (t *interner) add(i int, s string) {
	p := t.find(s)
	if t.places[p] == 0 {
		t.dict.Words = append(t.dict.Words, s)
		t.places[p] = uint32(len(t.dict.Words))
		t.codes[i] = uint32(len(t.dict.Words) - 1)
		if 2*len(t.dict.Words) > len(t.places) {
			t.grow()
		}
		return
	}
	t.codes[i] = t.places[p] - 1
}

func (t *interner) find(s string) uint64 {
	p := maphash.String(internSeed, s) & t.mask
	for t.places[p] != 0 && t.dict.Words[t.places[p]-1] != s {
		p = (p + 1) & t.mask
	}
	return p
}

func (t *interner) grow() {
	size := 2 * len(t.places)
	t.places, t.mask = make([]uint32, size), uint64(size-1)
	for k, s := range t.dict.Words {
		t.places[t.find(s)] = uint32(k + 1)
	}
}

// intern returns the codes of texts, and their dictionary.
func intern(texts []string) ([]uint32, *value.Dict) {
	t := newInterner(len(texts))
	for i, s := range texts {
		t.add(i, s)
	}
	return t.codes, &t.dict
}
