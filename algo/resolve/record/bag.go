package record

// Bag is a sparse vector as a table with open addresses. What falls to 0 leaves it.
type Bag struct {
	slots []slot
	n     int
}

type slot struct {
	key   int32 // plus one, 0 for a free slot
	value int64
}

// home is where a key is looked for first.
func (s *Bag) home(key int32) int {
	return int(uint32(key)*2654435761>>7) & (len(s.slots) - 1)
}

// Of is the component of a key.
func (s *Bag) Of(key int32) int64 {
	if s.n == 0 {
		return 0
	}
	mask := len(s.slots) - 1
	for i := s.home(key); ; i = (i + 1) & mask {
		switch s.slots[i].key {
		case key + 1:
			return s.slots[i].value
		case 0:
			return 0
		}
	}
}

// Add adds to the component of a key.
func (s *Bag) Add(key int32, value int64) {
	if 4*(s.n+1) > 3*len(s.slots) {
		s.grow()
	}
	mask := len(s.slots) - 1
	i := s.home(key)
	for s.slots[i].key != 0 && s.slots[i].key != key+1 {
		i = (i + 1) & mask
	}
	if s.slots[i].key == 0 {
		s.slots[i] = slot{key: key + 1}
		s.n++
	}
	if s.slots[i].value += value; s.slots[i].value == 0 {
		s.free(i)
	}
}

// Len is how many components are not 0.
func (s *Bag) Len() int { return s.n }

// Each calls use with each component that is not 0, in no order that means anything.
func (s *Bag) Each(use func(key int32, value int64)) {
	for _, x := range s.slots {
		if x.key != 0 {
			use(x.key-1, x.value)
		}
	}
}

// free empties a slot and moves those behind it that were pushed past it.
func (s *Bag) free(i int) {
	mask := len(s.slots) - 1
	s.n--
	for j := i; ; {
		j = (j + 1) & mask
		if s.slots[j].key == 0 {
			break
		}
		if h := s.home(s.slots[j].key - 1); (j-h)&mask >= (j-i)&mask {
			s.slots[i] = s.slots[j]
			i = j
		}
	}
	s.slots[i] = slot{}
}

func (s *Bag) grow() {
	old := s.slots
	s.slots = make([]slot, max(16, 2*len(old)))
	mask := len(s.slots) - 1
	for _, x := range old {
		if x.key == 0 {
			continue
		}
		i := s.home(x.key - 1)
		for s.slots[i].key != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = x
	}
}
