package feature

// maxShort is how many bytes a text has at most that a number of 64 bits holds, beside its length.
const maxShort = 7

// shorts numbers short texts by open addressing. The text is the key itself, so that one line of the
// cache tells all.
type shorts struct {
	slots []slot
	n     int
}

// shortSeed decides where texts lie, so that nobody can choose texts that lie together.
var shortSeed = hashText("short")

// pack is a text of at most maxShort bytes as a number: its bytes, the first one lowest, and its length.
func pack(s string) uint64 {
	k := uint64(len(s)) << 56
	for i := range len(s) {
		k |= uint64(s[i]) << (8 * i)
	}
	return k
}

// get returns the number of a packed text, 0 if it has none.
func (t *shorts) get(k uint64) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint64(len(t.slots) - 1)
	for i := hash(k^shortSeed) & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.val == 0 || s.key == k {
			return s.val
		}
	}
}

// put adds a packed text that is absent; its number is not 0.
func (t *shorts) put(k uint64, id uint32) {
	if 2*(t.n+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]slot, max(8, 2*len(old)))
		for _, s := range old {
			if s.val != 0 {
				t.insert(s)
			}
		}
	}
	t.insert(slot{k, id})
	t.n++
}

func (t *shorts) insert(s slot) {
	mask := uint64(len(t.slots) - 1)
	i := hash(s.key^shortSeed) & mask
	for t.slots[i].val != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}
