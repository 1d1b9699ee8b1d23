package segmenter

// table numbers keys of 64 bits, from 0 on. Key 0 is none.
type table struct {
	slots []slot
	n     int
	shift uint
}

type slot struct {
	key   uint64
	value uint32
}

const firstBits = 10

func newTable(n int) *table {
	bits := uint(firstBits)
	for 1<<bits < 2*n {
		bits++
	}
	return &table{slots: make([]slot, 1<<bits), shift: 64 - bits}
}

// place is where a key is looked for first: the upper bits of a product with 2⁶⁴ over the golden ratio.
func (t *table) place(key uint64) int { return int((key ^ key>>29) * 0x9e3779b97f4a7c15 >> t.shift) }

// find returns the number of a key.
func (t *table) find(key uint64) (uint32, bool) {
	mask := len(t.slots) - 1
	for i := t.place(key); ; i = (i + 1) & mask {
		switch s := &t.slots[i&mask]; s.key {
		case key:
			return s.value, true
		case 0:
			return 0, false
		}
	}
}

// add returns the number of a key, the next one if it is new.
func (t *table) add(key uint64) (value uint32, added bool) {
	if v, ok := t.find(key); ok {
		return v, false
	}
	if 2*(t.n+1) > len(t.slots) {
		t.grow()
	}
	v := uint32(t.n)
	t.n++
	t.put(key, v)
	return v, true
}

func (t *table) put(key uint64, v uint32) {
	mask := len(t.slots) - 1
	i := t.place(key) & mask
	for t.slots[i].key != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = slot{key, v}
}

func (t *table) grow() {
	old := t.slots
	t.slots, t.shift = make([]slot, 2*len(old)), t.shift-1
	for _, s := range old {
		if s.key != 0 {
			t.put(s.key, s.value)
		}
	}
}

// keys returns the keys by number.
func (t *table) keys() []uint64 {
	out := make([]uint64, t.n)
	for _, s := range t.slots {
		if s.key != 0 {
			out[s.value] = s.key
		}
	}
	return out
}
