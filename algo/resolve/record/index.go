package record

// Index finds the numbers of texts that lie elsewhere, in a table with open addresses: 8 to 16 bytes a text, and one
// for the collector to look at where a map has many.
type Index[T string | []byte] struct {
	slots []int32 // number plus one, 0 for a free slot
	n     int
	at    func(i int32) T
}

// NewIndex returns an empty index of the texts that at gives by number.
func NewIndex[T string | []byte](at func(i int32) T) *Index[T] {
	return &Index[T]{slots: make([]int32, 64), at: at}
}

// place is the slot of a text, or the free one where it would be.
func (x *Index[T]) place(text T) int {
	h := uint64(14695981039346656037) // FNV-1a, with the high bits mixed in
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	mask := len(x.slots) - 1
	i := int(h^h>>29) & mask
	for x.slots[i] != 0 && string(x.at(x.slots[i]-1)) != string(text) {
		i = (i + 1) & mask
	}
	return i
}

// Find returns the number of a text.
func (x *Index[T]) Find(text T) (int32, bool) {
	k := x.slots[x.place(text)]
	return k - 1, k != 0
}

// Add adds the text of number i, which is not there yet and which at gives from now on.
func (x *Index[T]) Add(i int32) {
	if 2*(x.n+1) > len(x.slots) {
		old := x.slots
		x.slots = make([]int32, 2*len(old))
		for _, k := range old {
			if k != 0 {
				x.slots[x.place(x.at(k-1))] = k
			}
		}
	}
	x.slots[x.place(x.at(i))] = i + 1
	x.n++
}

// texts numbers texts from 0 in the order in which they come. They lie in one piece of memory, of at most 4 GB.
type texts struct {
	index *Index[[]byte]
	bytes []byte
	ends  []uint32
}

func newTexts() *texts {
	t := &texts{}
	t.index = NewIndex(t.at)
	return t
}

// at is the text of a number; it holds until the next text comes.
func (t *texts) at(i int32) []byte {
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.bytes[from:t.ends[i]]
}

// of is the number of a text.
func (t *texts) of(text []byte) int32 {
	if k, ok := t.index.Find(text); ok {
		return k
	}
	k := int32(len(t.ends))
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.index.Add(k)
	return k
}
