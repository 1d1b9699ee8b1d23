package knowledge

import (
	"hash/maphash"
	"slices"
	"strings"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/value"
)

// What a change remembers of a text. It stays true: a row in memory has the text, or a stored one, and Finish refuses
// to remove what rows name.
const (
	entityKnown   = 1 << iota // there is an entity of this name
	relationKnown             // there is a relation of this name
)

// words numbers different texts from 1; 0 is NULL.
type words struct {
	seed    maphash.Seed
	texts   []string // by code
	hashes  []uint32
	known   []uint8 // what is remembered of each
	triples []int32 // change of the number of triples that have it as relation
	slots   []uint32
	size    int // in bytes, approximately
}

// wordBytes is what a word takes without its bytes: with room to grow, half as much again as its parts.
const wordBytes = (16 + 4 + 1 + 4 + 8) * 3 / 2

// fewSlots is the number of slots of a hash table at first.
const fewSlots = 64

func newWords() *words {
	return &words{seed: maphash.MakeSeed(), texts: []string{""}, hashes: []uint32{0}, known: []uint8{0},
		triples: []int32{0}, slots: make([]uint32, fewSlots)}
}

// place returns the slot of a text with a hash, which is 0 if the text is new.
func (w *words) place(s string, hash uint32) *uint32 {
	for at := int(hash); ; at++ {
		slot := &w.slots[at&(len(w.slots)-1)]
		if *slot == 0 || w.hashes[*slot] == hash && w.texts[*slot] == s {
			return slot
		}
	}
}

func (w *words) hash(s string) uint32 { return uint32(maphash.String(w.seed, s)) }

// find returns the code of a text or NULL, false if it has none.
func (w *words) find(v value.Value) (uint32, bool) {
	if v.IsNull() {
		return 0, true
	}
	code := *w.place(v.S, w.hash(v.S))
	return code, code != 0
}

// code returns the code of a text or NULL, a new one if it has none.
func (w *words) code(v value.Value) uint32 {
	if v.IsNull() {
		return 0
	}
	hash := w.hash(v.S)
	slot := w.place(v.S, hash)
	if *slot != 0 {
		return *slot
	}
	code := uint32(len(w.texts))
	*slot = code
	w.texts = append(w.texts, strings.Clone(v.S)) // it may be part of a longer text
	w.hashes, w.known, w.triples = append(w.hashes, hash), append(w.known, 0), append(w.triples, 0)
	w.size += wordBytes + len(v.S)
	if 2*len(w.texts) > len(w.slots) {
		w.slots = make([]uint32, 2*len(w.slots))
		for code := 1; code < len(w.texts); code++ {
			*w.place(w.texts[code], w.hashes[code]) = uint32(code)
		}
	}
	return code
}

func (w *words) value(code uint32) value.Value {
	if code == 0 {
		return value.Value{}
	}
	return value.Str(w.texts[code])
}

// dict returns the words as a dictionary.
func (w *words) dict(ranked bool) *value.Dict {
	d := &value.Dict{Words: w.texts}
	if ranked {
		d.Ranks = relation.Ranks(w.texts)
	}
	return d
}

// rowKey is the codes of a key.
type rowKey [3]uint32

// newRows are the rows of a change that are in memory, column by column. The first columns of each table, which its
// indexes have, are texts and are kept as codes.
type newRows struct {
	words  *words
	key    int // number of columns of the key
	coded  [][]uint32
	others []othersColumn
	last   []int32 // a hash table of keys: the last row with a key, counted from 1; 0 for a free slot
	keys   int     // number of different ones
	before []int32 // for each row the previous one with the same key, or -1
}

// othersColumn is a column without codes: numbers, or texts.
type othersColumn struct {
	t     value.Type
	nums  []uint64
	texts []string
	null  []bool
	bytes int // of texts
}

func newRowsOf(o *catalog.Object, key int, w *words) newRows {
	n := newRows{words: w, key: key, last: make([]int32, fewSlots)}
	for i, c := range o.Columns {
		if len(n.coded) == i && c.Type == value.Text && o.Builtin(c.Name) {
			n.coded = append(n.coded, nil)
		} else {
			n.others = append(n.others, othersColumn{t: c.Type})
		}
	}
	return n
}

func (c *othersColumn) set(i int, v value.Value) {
	if i == len(c.null) {
		c.null = append(c.null, false)
		if c.t.InNumber() {
			c.nums = append(c.nums, 0)
		} else {
			c.texts = append(c.texts, "")
		}
	}
	if c.null[i] = v.IsNull(); c.t.InNumber() {
		c.nums[i] = v.N
	} else {
		c.bytes += len(v.S) - len(c.texts[i])
		c.texts[i] = strings.Clone(v.S)
	}
}

func (c *othersColumn) at(i int) value.Value {
	switch {
	case c.null[i]:
		return value.Value{}
	case c.t.InNumber():
		return value.Value{T: c.t, N: c.nums[i]}
	}
	return value.Value{T: c.t, S: c.texts[i]}
}

// len is the number of rows.
func (n *newRows) len() int { return len(n.before) }

// size is what the rows take in memory, in bytes, approximately.
func (n *newRows) size() int {
	size := n.len()*(4*len(n.coded)+4)*3/2 + 4*len(n.last)
	for i := range n.others {
		size += n.len()*12 + n.others[i].bytes
		if !n.others[i].t.InNumber() {
			size += n.len() * 12
		}
	}
	return size
}

func (n *newRows) keyOf(row int) (k rowKey) {
	for i := range n.key {
		k[i] = n.coded[i][row]
	}
	return k
}

// place returns the slot of a key, which is 0 if no row has the key.
func (n *newRows) place(k rowKey) *int32 {
	for at := maphash.Comparable(n.words.seed, k); ; at++ {
		slot := &n.last[at&uint64(len(n.last)-1)]
		if *slot == 0 || n.keyOf(int(*slot-1)) == k {
			return slot
		}
	}
}

// add adds a row with a key. Values that the row lacks are NULL.
func (n *newRows) add(row []value.Value, k rowKey) {
	slot := n.place(k)
	n.before = append(n.before, *slot-1)
	is := n.len()
	if *slot == 0 {
		n.keys++
	}
	*slot = int32(is)
	for i := range n.coded {
		n.coded[i] = append(n.coded[i], 0)
	}
	n.set(is-1, row)
	if 2*n.keys <= len(n.last) {
		return
	}
	old := n.last
	n.last = make([]int32, 2*len(old))
	for _, row := range old {
		if row != 0 {
			*n.place(n.keyOf(int(row - 1))) = row
		}
	}
}

// set gives a row other values with the same key.
func (n *newRows) set(i int, row []value.Value) {
	var v value.Value
	for k := range len(n.coded) + len(n.others) {
		if v = (value.Value{}); k < len(row) {
			v = row[k]
		}
		if k < len(n.coded) {
			n.coded[k][i] = n.words.code(v)
		} else {
			n.others[k-len(n.coded)].set(i, v)
		}
	}
}

// row returns a row.
func (n *newRows) row(i int) []value.Value {
	row := make([]value.Value, 0, len(n.coded)+len(n.others))
	for k := range n.coded {
		row = append(row, n.words.value(n.coded[k][i]))
	}
	for k := range n.others {
		row = append(row, n.others[k].at(i))
	}
	return row
}

// find lists the rows with a key.
func (n *newRows) find(k rowKey) (out []int) {
	for i := *n.place(k) - 1; i >= 0; i = n.before[i] {
		out = append(out, int(i))
	}
	slices.Reverse(out)
	return out
}

// having reports whether a row has a value in one of the first columns.
func (n *newRows) having(column int, x value.Value) bool {
	code, ok := n.words.find(x)
	return ok && slices.Contains(n.coded[column], code)
}

// columns returns the columns of rows [from, to), of which dict has the words.
func (n *newRows) columns(from, to int, dict *value.Dict) []value.Vec {
	out := make([]value.Vec, 0, len(n.coded)+len(n.others))
	for _, codes := range n.coded {
		v := value.Vec{Type: value.Text, Codes: codes[from:to], Dict: dict}
		if slices.Contains(v.Codes, 0) {
			v.Null = make([]bool, to-from)
			for i, c := range v.Codes {
				v.Null[i] = c == 0
			}
		}
		out = append(out, v)
	}
	values := make([]value.Value, to-from)
	for k := range n.others {
		for i := range values {
			values[i] = n.others[k].at(from + i)
		}
		out = append(out, value.FromValues(n.others[k].t, values))
	}
	return out
}
