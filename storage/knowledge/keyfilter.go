package knowledge

import (
	"math/bits"

	"parlance/storage/value"

	"github.com/cespare/xxhash/v2"
)

// keyFilter tells of most keys that were not added that they were not, in two to four bytes a key: a Bloom filter
// (Bloom 1970) for each group of keys that was added together. It knows every key that was added.
type keyFilter struct {
	groups [][]uint64 // bits, a power of two of them
	buf    []byte
}

// filterProbes is the number of bits of a key. With 16 bits a key or more, at most 1 of 1,000 others has all of its
// bits set: (1 - e^(-6/16))^6 = .0009.
const filterProbes = 6

// fewKeys is for how many keys a group has room at least: among few bits, the bits of two keys are easily the same.
const fewKeys = 64

// begin begins a group of n keys.
func (f *keyFilter) begin(n int) {
	f.groups = append(f.groups, make([]uint64, 1<<bits.Len(uint(max(n, fewKeys)*16/64-1))))
}

// hash hashes the values of a key.
func (f *keyFilter) hash(key []value.Value) uint64 {
	f.buf = f.buf[:0]
	for _, v := range key {
		f.buf = value.AppendKey(f.buf, v)
	}
	return xxhash.Sum64(f.buf)
}

// add adds a key to the last group.
func (f *keyFilter) add(key []value.Value) {
	group := f.groups[len(f.groups)-1]
	probes(f.hash(key), len(group), func(word int, bit uint64) bool {
		group[word] |= bit
		return true
	})
}

// has reports whether a key may have been added.
func (f *keyFilter) has(key []value.Value) bool {
	if len(f.groups) == 0 {
		return false
	}
	h := f.hash(key)
	for _, group := range f.groups {
		if probes(h, len(group), func(word int, bit uint64) bool { return group[word]&bit != 0 }) {
			return true
		}
	}
	return false
}

// probes visits the bits of a hash among those of words, until visit returns false. Bit i is, of 64·words,
//
//	low + i·(high | 1)
//
// with the halves of the hash.
func probes(hash uint64, words int, visit func(word int, bit uint64) bool) bool {
	at, step := hash, hash>>32|1
	for range filterProbes {
		if i := at & (uint64(words)*64 - 1); !visit(int(i/64), 1<<(i%64)) {
			return false
		}
		at += step
	}
	return true
}
