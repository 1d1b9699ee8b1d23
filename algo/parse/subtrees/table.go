package subtrees

import (
	"math/bits"

	"parlance/algo/lexical"
)

// wordBits is the width of a word in a key: three words and a side are 64 bits.
const wordBits = 21

// maxWords is the most words that are numbered; 0 is none.
const maxWords = 1<<wordBits - 1

func side(right bool) uint64 {
	if right {
		return 1
	}
	return 0
}

// pairKey is the key of two words, a head with a dependent or two siblings.
func pairKey(a, b uint32, right bool) uint64 {
	return uint64(a)<<(wordBits+1) | uint64(b)<<1 | side(right)
}

func tripleKey(head, first, second uint32, right bool) uint64 {
	return uint64(head)<<(2*wordBits+1) | pairKey(first, second, right)
}

// chainBits is the width of a word in the key of a chain, which has an order of three bits as well: 63 bits.
const chainBits = 20

// maxChained is the greatest number of a word of chains; words are numbered by frequency.
const maxChained = 1<<chainBits - 1

func chainKey(head, middle, last uint32, o lexical.Order) uint64 {
	return (uint64(head)<<(2*chainBits)|uint64(middle)<<chainBits|uint64(last))<<3 | uint64(o)
}

// chainParts are the words of the key of a chain.
func chainParts(key uint64) (head, middle, last uint32, o lexical.Order) {
	return uint32(key >> (2*chainBits + 3)), uint32(key>>(chainBits+3)) & maxChained, uint32(key>>3) & maxChained,
		lexical.Order(key & 7)
}

// parts are the words of a key, the last ones of three.
func parts(key uint64) (head, first, second uint32, right bool) {
	return uint32(key >> (2*wordBits + 1)), uint32(key>>(wordBits+1)) & maxWords, uint32(key>>1) & maxWords, key&1 == 1
}

// table finds the sets of keys by open addressing, at most half full; no key is 0.
type table struct {
	keys  []uint64
	sets  []lexical.Set
	shift uint
}

func newTable(l list, high, middle int) table {
	size := 1 << bits.Len(uint(2*len(l.keys)+1))
	t := table{keys: make([]uint64, size), sets: make([]lexical.Set, size), shift: uint(64 - bits.Len(uint(size-1)))}
	for i, k := range l.keys {
		at := t.at(k)
		for t.keys[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		t.keys[at] = k
		switch {
		case i < high:
			t.sets[at] = lexical.High
		case i < middle:
			t.sets[at] = lexical.Middle
		default:
			t.sets[at] = lexical.Low
		}
	}
	return t
}

// at is where a key is looked up first: Fibonacci hashing (Knuth 1998, sec. 6.4).
func (t *table) at(key uint64) int { return int(key * 0x9E3779B97F4A7C15 >> t.shift) }

func (t *table) find(key uint64) lexical.Set {
	if len(t.keys) == 0 {
		return lexical.Zero
	}
	for at := t.at(key); ; at = (at + 1) & (len(t.keys) - 1) {
		switch t.keys[at] {
		case key:
			return t.sets[at]
		case 0:
			return lexical.Zero
		}
	}
}
