package external

import (
	"fmt"
	"hash/maphash"
	"math"
)

// dictionary numbers texts from 0 in their order. It is open addressing over the bytes of the texts, which are asked
// for without making strings of them. Several are asked for together, so that their lines of memory arrive together.
type dictionary struct {
	names []string
	seed  maphash.Seed
	slots []uint64 // upper half: of the hash; lower half: 1 + number, 0 for a free slot
}

func newDictionary(names []string) (*dictionary, error) {
	if len(names) >= math.MaxInt32 {
		return nil, fmt.Errorf("%d texts, at most %d can be numbered", len(names), math.MaxInt32)
	}
	size := 1
	for size < 2*len(names) {
		size *= 2
	}
	d := &dictionary{names: names, seed: maphash.MakeSeed(), slots: make([]uint64, size)}
	mask := uint64(size - 1)
	for i, s := range names {
		h := maphash.String(d.seed, s)
		at := h & mask
		for ; d.slots[at] != 0; at = (at + 1) & mask {
			if x := d.slots[at]; x>>32 == h>>32 && names[uint32(x)-1] == s {
				return nil, fmt.Errorf("the text %q comes twice", s)
			}
		}
		d.slots[at] = h>>32<<32 | uint64(i+1)
	}
	return d, nil
}

func (d *dictionary) len() int        { return len(d.names) }
func (d *dictionary) all() []string   { return d.names }
func (d *dictionary) at(i int) string { return d.names[i] }
func (d *dictionary) hash(b []byte) uint64 {
	return maphash.Bytes(d.seed, b)
}

// find returns the number of a text whose hash is given, -1 if it is not there.
func (d *dictionary) find(h uint64, b []byte) int {
	mask := uint64(len(d.slots) - 1)
	for at := h & mask; d.slots[at] != 0; at = (at + 1) & mask {
		if x := d.slots[at]; x>>32 == h>>32 && d.names[uint32(x)-1] == string(b) {
			return int(uint32(x)) - 1
		}
	}
	return -1
}

// asked is a text that is looked up: buf[from:to].
type asked struct {
	hash, slot uint64
	from, to   uint32
	base       uint32 // what its number in the dictionary is added to
	in         *dictionary
}

// ask begins to look a text up.
func (d *dictionary) ask(buf []byte, from int, base uint32) asked {
	return asked{hash: maphash.Bytes(d.seed, buf[from:]), from: uint32(from), to: uint32(len(buf)), base: base, in: d}
}

// answer appends the numbers of the texts that are known, in their order. Each step is made for all texts before the
// next one, so that their lines of memory arrive together.
func answer(list []asked, buf []byte, numbers []uint32) []uint32 {
	for i := range list {
		a := &list[i]
		a.slot = a.in.slots[a.hash&uint64(len(a.in.slots)-1)]
	}
	touched := 0
	for i := range list {
		if a := &list[i]; a.slot != 0 && a.slot>>32 == a.hash>>32 {
			if s := a.in.names[uint32(a.slot)-1]; s != "" {
				touched += int(s[0])
			}
		}
	}
	touch(touched)
	for i := range list {
		a := &list[i]
		if a.slot == 0 {
			continue
		}
		if k := a.in.find(a.hash, buf[a.from:a.to]); k >= 0 {
			numbers = append(numbers, a.base+uint32(k))
		}
	}
	return numbers
}

// touch keeps the compiler from leaving out the pass that touches.
//
//go:noinline
func touch(int) {}

func (d *dictionary) bytes() int64 {
	n := int64(8*len(d.slots) + 16*len(d.names))
	for _, s := range d.names {
		n += int64(len(s))
	}
	return n
}
