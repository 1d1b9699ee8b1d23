package operator

import (
	"math"
	"math/bits"

	"parlance/storage/value"
)

// GroupTable numbers the distinct rows of key columns in the order of their first occurrence.
// Each column is turned into numbers of its own; several columns are joined pairwise, a pair
// of numbers being a key again.
type GroupTable struct {
	cols   []numberer
	pairs  []*intTable // pairs[i] joins columns 0 to i with column i+1
	Groups int
	ids    []int32
}

func NewGroupTable(width int) *GroupTable {
	g := &GroupTable{cols: make([]numberer, width)}
	for range width - 1 {
		g.pairs = append(g.pairs, newPairTable())
	}
	return g
}

// Assign returns the number of each of n rows, valid until the next call, and the rows that
// begin a new group, ascending.
func (g *GroupTable) Assign(vecs []value.Vec, n int) (ids []int32, first []int) {
	if cap(g.ids) < n {
		g.ids = make([]int32, n)
	}
	ids = g.ids[:n]
	if len(g.cols) == 0 {
		clear(ids)
	}
	for k := range g.cols {
		own := g.cols[k].assign(&vecs[k], n)
		if k == 0 {
			copy(ids, own)
			continue
		}
		t := g.pairs[k-1]
		last, found := none, int32(-1)
		for i, id := range own {
			if x := pairOf(ids[i], id); x != last {
				pair, fresh := t.number(x, t.n)
				if fresh {
					t.n++
				}
				last, found = x, pair
			}
			ids[i] = found
		}
	}
	for i, id := range ids {
		if int(id) >= g.Groups {
			g.Groups = int(id) + 1
			first = append(first, i)
		}
	}
	return ids, first
}

// Bytes is about what the grouper takes.
func (g *GroupTable) Bytes() int {
	n := 0
	for i := range g.cols {
		c := &g.cols[i]
		n += c.weight + 4*len(c.small) + c.numbers.bytes() + c.exact.bytes()
	}
	for _, t := range g.pairs {
		n += t.bytes()
	}
	return n
}

// lookup returns the number of each of n rows, valid until the next call; -1 for rows that
// were never assigned one. From the first call on no new numbers are given.
func (g *GroupTable) lookup(vecs []value.Vec, n int) []int32 {
	if cap(g.ids) < n {
		g.ids = make([]int32, n)
	}
	ids := g.ids[:n]
	if len(g.cols) == 0 {
		clear(ids)
	}
	for k := range g.cols {
		g.cols[k].frozen = true
		own := g.cols[k].assign(&vecs[k], n)
		if k == 0 {
			copy(ids, own)
			continue
		}
		t := g.pairs[k-1]
		last, found := none, int32(-1) // rows of a sentence repeat their pair
		for i, id := range own {
			if ids[i] < 0 || id < 0 {
				ids[i] = -1
				continue
			}
			if x := pairOf(ids[i], id); x != last {
				last, found = x, t.get(x)
			}
			ids[i] = found
		}
	}
	return ids
}

// none is the pair of no rows.
const none = ^uint64(0)

func pairOf(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// numberer numbers the values of one column; equal integers and floats are the same value.
type numberer struct {
	n       int32
	null    int32     // number of NULL plus one
	small   []int32   // of integers from 0, plus one
	numbers *intTable // by the bits of the float
	exact   *intTable // integers that no float holds, timestamps
	texts   map[string]int32
	keyed   map[string]int32        // of values with sort keys, by their texts
	codes   map[*value.Dict][]int32 // numbers plus two of the words of a dictionary
	ids     []int32
	frozen  bool // new values get -1
	weight  int  // bytes that texts take, about
}

func (c *numberer) assign(v *value.Vec, n int) []int32 {
	if cap(c.ids) < n {
		c.ids = make([]int32, n)
	}
	ids := c.ids[:n]
	switch {
	case v.Codes != nil:
		c.words(v, ids)
	case v.Null != nil:
		for i := range ids {
			ids[i] = c.one(v.At(i))
		}
	case v.Strs != nil:
		for i, s := range v.Strs[:n] {
			ids[i] = c.word(v.Type, s)
		}
	case v.Ints != nil && v.Type == value.Timestamp:
		for i, x := range v.Ints[:n] {
			ids[i] = c.integer(&c.exact, uint64(x))
		}
	case v.Ints != nil:
		for i, x := range v.Ints[:n] {
			ids[i] = c.number(x)
		}
	case v.Floats != nil:
		for i, x := range v.Floats[:n] {
			ids[i] = c.real(x)
		}
	default:
		for i := range ids {
			ids[i] = c.one(v.At(i))
		}
	}
	return ids
}

// one numbers a value of any type.
func (c *numberer) one(x value.Value) int32 {
	switch x.T {
	case value.Null:
		return c.nothing()
	case value.Integer, value.Boolean:
		return c.number(x.Int())
	case value.Float:
		return c.real(x.Float())
	case value.Timestamp:
		return c.integer(&c.exact, x.N)
	}
	return c.word(x.T, x.S)
}

// word numbers the text of a value; of a type with sort keys, equal values get one number.
func (c *numberer) word(t value.Type, s string) int32 {
	if !t.HasSortKey() {
		return c.text(s)
	}
	if id, ok := c.keyed[s]; ok {
		return id
	}
	id := c.text(value.SortKey(value.Value{T: t, S: s}))
	if !c.frozen {
		if c.keyed == nil {
			c.keyed = map[string]int32{}
		}
		c.keyed[s] = id
		c.weight += 64 + len(s)
	}
	return id
}

func (c *numberer) nothing() int32 {
	if c.frozen {
		return c.null - 1
	}
	if c.null == 0 {
		c.n++
		c.null = c.n
	}
	return c.null - 1
}

func (c *numberer) text(s string) int32 {
	id, ok := c.texts[s]
	if !ok {
		if c.frozen {
			return -1
		}
		if c.texts == nil {
			c.texts = map[string]int32{}
		}
		id = c.n
		c.n++
		c.texts[s] = id
		c.weight += 64 + len(s)
	}
	return id
}

func (c *numberer) integer(t **intTable, x uint64) int32 {
	if *t == nil {
		if c.frozen {
			return -1
		}
		*t = newIntTable()
	}
	if c.frozen {
		return (*t).get(x)
	}
	id, fresh := (*t).number(x, c.n)
	if fresh {
		c.n++
	}
	return id
}

// number keys integers by the float that equals them, if there is one.
func (c *numberer) number(x int64) int32 {
	if x >= 0 && x < smallNumbers {
		return c.smallNumber(int(x))
	}
	if f := float64(x); f < 1<<63 && int64(f) == x {
		return c.integer(&c.numbers, floatKey(f))
	}
	return c.integer(&c.exact, uint64(x))
}

// smallNumbers are integers that are looked up by themselves.
const smallNumbers = 1 << 16

func (c *numberer) smallNumber(x int) int32 {
	if x >= len(c.small) {
		if c.frozen {
			return -1
		}
		c.small = grown(c.small, min(smallNumbers, 2*x+64))
	}
	if c.small[x] == 0 && !c.frozen {
		c.n++
		c.small[x] = c.n
	}
	return c.small[x] - 1
}

// real keys floats as number keys the integers that equal them.
func (c *numberer) real(f float64) int32 {
	if f >= 0 && f < smallNumbers && f == math.Trunc(f) {
		return c.smallNumber(int(f))
	}
	return c.integer(&c.numbers, floatKey(f))
}

func floatKey(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

// keptDictionaries bounds the dictionaries whose numbers are remembered.
const keptDictionaries = 256

// words looks each word of a dictionary up once.
func (c *numberer) words(v *value.Vec, ids []int32) {
	known := c.codes[v.Dict]
	if known == nil {
		if c.codes == nil || len(c.codes) >= keptDictionaries {
			c.codes = map[*value.Dict][]int32{}
		}
		known = make([]int32, len(v.Dict.Words))
		c.codes[v.Dict] = known
	}
	for i, code := range v.Codes[:len(ids)] {
		if v.Null != nil && v.Null[i] {
			ids[i] = c.nothing()
			continue
		}
		if known[code] == 0 {
			known[code] = c.word(v.Type, v.Dict.Words[code]) + 2
		}
		ids[i] = known[code] - 2
	}
}

// intTable numbers integers: open addressing, linear probing, at most half full.
type intTable struct {
	places []slot
	used   int
	n      int32
	// shift takes as many high bits of a hash as places are numbered with
	shift uint
	// near puts keys that differ in their low half only side by side: rows of a document come
	// one after the other, and then stay in the processor's cache.
	near bool
}

type slot struct {
	key uint64
	id  int32 // plus one; 0 for an empty place
}

func newIntTable() *intTable {
	t := &intTable{}
	t.grow(64)
	return t
}

func newPairTable() *intTable {
	t := &intTable{near: true}
	t.grow(64)
	return t
}

func (t *intTable) grow(size int) {
	old := t.places
	t.places = make([]slot, size)
	t.shift = uint(64 - bits.TrailingZeros(uint(size)))
	for _, p := range old {
		if p.id > 0 {
			t.places[t.place(p.key)] = p
		}
	}
}

func (t *intTable) place(x uint64) int {
	mask := len(t.places) - 1
	h := x ^ x>>29
	if t.near {
		h = x >> 32
	}
	p := int(h * 0x9E3779B97F4A7C15 >> t.shift)
	if t.near {
		p = (p + int(uint32(x))) & mask
	}
	for t.places[p].id > 0 && t.places[p].key != x {
		p = (p + 1) & mask
	}
	return p
}

func (t *intTable) bytes() int {
	if t == nil {
		return 0
	}
	return 16 * len(t.places)
}

// number returns the number of x; a new x gets next, which the caller then counts up.
func (t *intTable) number(x uint64, next int32) (id int32, fresh bool) {
	if 2*t.used >= len(t.places) {
		t.grow(2 * len(t.places))
	}
	p := &t.places[t.place(x)]
	if p.id > 0 {
		return p.id - 1, false
	}
	p.key, p.id = x, next+1
	t.used++
	return next, true
}

// get returns the number of x, -1 if it has none.
func (t *intTable) get(x uint64) int32 { return t.places[t.place(x)].id - 1 }
