package feature

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
	for i := h & mask; ; i = (i + 1) & mask {
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
