package feature

import "strings"

// pairs maps two 32-bit numbers to one by open addressing. Keys are kept whole, so the map
// is exact. 0 stands for absent.
type pairs struct {
	slots []slot
	n     int
}

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
	mask := uint64(len(p.slots) - 1)
	for i := hash(k) & mask; ; i = (i + 1) & mask {
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
	mask := uint64(len(p.slots) - 1)
	i := hash(k) & mask
	for p.slots[i].val != 0 {
		i = (i + 1) & mask
	}
	p.slots[i] = slot{k, v}
}

func (p *pairs) grow() {
	old := *p
	p.slots = make([]slot, max(16, 2*len(old.slots)))
	for _, s := range old.slots {
		if s.val != 0 {
			p.insert(s.key, s.val)
		}
	}
}

// interner numbers texts from 1.
type interner struct {
	ids   map[string]uint32
	texts []string
}

func newInterner() *interner { return &interner{ids: map[string]uint32{}} }

func (t *interner) add(s string) uint32 {
	if id, ok := t.ids[s]; ok {
		return id
	}
	// The text may be a slice of a long document.
	s = strings.Clone(s)
	t.texts = append(t.texts, s)
	id := uint32(len(t.texts))
	t.ids[s] = id
	return id
}
