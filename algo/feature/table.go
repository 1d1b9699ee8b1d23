package feature

import "slices"

// pairs maps two 32-bit numbers to one by open addressing. Keys are kept whole, so the map
// is exact. 0 stands for absent. Most pairs of words are absent, which a Bloom filter tells in a
// sixteenth of the memory: two bits a key, in one word.
type pairs struct {
	slots  []slot
	filter []uint64
	n      int
}

// slotsPerWord is how many slots share a word of the filter, at most half of them with a key.
const slotsPerWord = 8

// filterBits are the two bits of a key in its word of the filter.
func filterBits(h uint64) uint64 { return 1<<(h>>58) | 1<<(h>>52&63) }

// slot is a key with its value, 0 in an empty one: one line of the cache holds both.
type slot struct {
	key uint64
	val uint32
}

func hash(k uint64) uint64 {
	k ^= k >> 32
	k *= 0x9e3779b97f4a7c15
	return k ^ k>>29
}

// get returns the value of a key, 0 if absent.
func (p *pairs) get(k uint64) uint32 {
	if p.n == 0 {
		return 0
	}
	h, mask := hash(k), uint64(len(p.slots)-1)
	if b := filterBits(h); p.filter[h&mask/slotsPerWord]&b != b {
		return 0
	}
	return p.from(k, h&mask)
}

// probe is a key that may be there, and where it is asked for.
type probe struct {
	key, slot uint64
	at        int
}

// getAll replaces every first number with the value of its pair with the second one, 0 if absent or one of
// them is 0. It asks for all keys step by step, so that their lines of memory arrive together; probes
// is memory to use, returned.
func (p *pairs) getAll(first, second []uint32, probes []probe) []probe {
	if p.n == 0 {
		clear(first)
		return probes
	}
	probes, second = slices.Grow(probes[:0], len(first))[:len(first)], second[:len(first)]
	mask, n := uint64(len(p.slots)-1), 0
	for i, v := range first {
		w := second[i]
		first[i] = 0
		k := uint64(v)<<32 | uint64(w)
		h := hash(k)
		probes[n] = probe{k, h & mask, i}
		if b := filterBits(h); v != 0 && w != 0 && p.filter[h&mask/slotsPerWord]&b == b {
			n++
		}
	}
	for _, x := range probes[:n] {
		first[x.at] = p.from(x.key, x.slot)
	}
	return probes
}

// from returns the value of a key, 0 if absent, that lies from slot i on.
func (p *pairs) from(k, i uint64) uint32 {
	for mask := uint64(len(p.slots) - 1); ; i = (i + 1) & mask {
		if s := &p.slots[i]; s.val == 0 || s.key == k {
			return s.val
		}
	}
}

// put adds a key that is absent; the value is not 0.
func (p *pairs) put(k uint64, v uint32) {
	if 2*(p.n+1) > len(p.slots) {
		p.grow()
	}
	p.insert(k, v)
	p.n++
}

func (p *pairs) insert(k uint64, v uint32) {
	h, mask := hash(k), uint64(len(p.slots)-1)
	i := h & mask
	p.filter[i/slotsPerWord] |= filterBits(h)
	for p.slots[i].val != 0 {
		i = (i + 1) & mask
	}
	p.slots[i] = slot{k, v}
}

func (p *pairs) grow() {
	old := *p
	p.slots = make([]slot, max(16, 2*len(old.slots)))
	p.filter = make([]uint64, len(p.slots)/slotsPerWord)
	for _, s := range old.slots {
		if s.val != 0 {
			p.insert(s.key, s.val)
		}
	}
}
