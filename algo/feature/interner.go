package feature

import (
	"hash/maphash"
	"strings"
)

// interner numbers texts from 1 by open addressing. Most texts that a tagger asks for are short or
// absent, which one line of the cache tells.
type interner struct {
	short shorts
	slots []textSlot // of longer texts
	long  int        // such texts
	texts []string
}

// textSlot is the number of a text, 0 in an empty slot, with a part of its hash.
type textSlot struct{ hash, id uint32 }

// hashSeed decides where texts lie in tables; nothing else depends on it.
var hashSeed = maphash.MakeSeed()

func hashText(s string) uint64 { return maphash.String(hashSeed, s) }

// find returns the number of a text, 0 if it has none.
func (t *interner) find(s string) uint32 {
	if len(s) <= maxShort {
		return t.short.get(pack(s))
	}
	return t.lookUp(s, hashText(s))
}

// lookUp finds a long text whose hash is known.
func (t *interner) lookUp(s string, h uint64) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		x := t.slots[i]
		if x.id == 0 || x.hash == uint32(h>>32) && t.texts[x.id-1] == s {
			return x.id
		}
	}
}

// add returns the number of a text, a new one if it has none.
func (t *interner) add(s string) uint32 {
	if id := t.find(s); id != 0 {
		return id
	}
	// The text may be a slice of a long document.
	t.texts = append(t.texts, strings.Clone(s))
	id := uint32(len(t.texts))
	if len(s) <= maxShort {
		t.short.put(pack(s), id)
		return id
	}
	if t.long++; 2*t.long > len(t.slots) {
		t.grow()
	} else {
		t.insert(hashText(s), id)
	}
	return id
}

func (t *interner) insert(h uint64, id uint32) {
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = textSlot{uint32(h >> 32), id}
}

// grow makes room for all long texts and as many again.
func (t *interner) grow() {
	t.slots = make([]textSlot, max(8, 2*len(t.slots)))
	for i, s := range t.texts {
		if len(s) > maxShort {
			t.insert(hashText(s), uint32(i+1))
		}
	}
}
