package operator

import (
	"math"

	"parlance/storage/value"
)

// encoder gives the values of one column codes, in the order of their first occurrence from 0. Equal values have one
// code, also an integer and a float that equal each other.
type encoder struct {
	n         int32                   // codes given
	null      int32                   // code of NULL plus one, 0 for none
	small     []int32                 // codes plus one of small integers
	numbers   *intTable               // codes of other numbers, by the bits of the float that equals them
	exact     *intTable               // codes of integers that equal no float, and of timestamps
	texts     map[string]int32        // codes of texts and sort keys
	bySortKey map[string]int32        // codes of values whose type has sort keys, by their texts
	codes     map[*value.Dict][]int32 // codes plus two of the words of a dictionary, 0 for a word not seen yet
	ids       []int32                 // codes of the last batch
	frozen    bool                    // new values get -1 in place of a code
	bytes     int                     // about what texts take
}

// encode returns the codes of n values, valid until the next call.

func (c *encoder) encode(v *value.Vec, n int) []int32 {
	if cap(c.ids) < n {
		c.ids = make([]int32, n)
	}
	ids := c.ids[:n]
	switch {
	case v.Codes != nil:
		c.encodeDictionary(v, ids)
	case v.Null != nil:
		for i := range ids {
			ids[i] = c.encodeValue(v.At(i))
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
			ids[i] = c.encodeValue(v.At(i))
		}
	}
	return ids
}

// encodeValue returns the code of a value of any type.
func (c *encoder) encodeValue(x value.Value) int32 {
	switch x.T {
	case value.Null:
		return c.encodeNull()
	case value.Integer, value.Boolean:
		return c.number(x.Int())
	case value.Float:
		return c.real(x.Float())
	case value.Timestamp:
		return c.integer(&c.exact, x.N)
	}
	return c.word(x.T, x.S)
}

// word returns the code of a value that is stored as text. JSON and intervals may be equal though their texts differ;
// they are compared by their sort keys.
func (c *encoder) word(t value.Type, s string) int32 {
	if !t.HasSortKey() {
		return c.text(s)
	}
	if id, ok := c.bySortKey[s]; ok {
		return id
	}
	id := c.text(value.SortKey(value.Value{T: t, S: s}))
	if !c.frozen {
		if c.bySortKey == nil {
			c.bySortKey = map[string]int32{}
		}
		c.bySortKey[s] = id
		c.bytes += textEntry + len(s)
	}
	return id
}

// encodeNull returns the code of NULL.
func (c *encoder) encodeNull() int32 {
	if c.frozen {
		return c.null - 1
	}
	if c.null == 0 {
		c.n++
		c.null = c.n
	}
	return c.null - 1
}

// textEntry is what an entry of the map of texts takes beside its text: up to 56 bytes, for tables of a map are between
// half full and full, as much again for the tables that they were split from, which stay until they are collected, and
// up to 16 by which the memory of the text is rounded up.
const textEntry = 128

// text returns the code of a text or sort key.
func (c *encoder) text(s string) int32 {
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
		c.bytes += textEntry + len(s)
	}
	return id
}

// integer returns the code of x in one of the tables, which is made when it is first needed.
func (c *encoder) integer(t **intTable, x uint64) int32 {
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

// number returns the code of an integer, which is that of the float that equals it, if there is one.
func (c *encoder) number(x int64) int32 {
	if x >= 0 && x < smallNumbers {
		return c.smallNumber(int(x))
	}
	if f := float64(x); f < 1<<63 && int64(f) == x {
		return c.integer(&c.numbers, floatKey(f))
	}
	return c.integer(&c.exact, uint64(x))
}

// smallNumbers bounds the integers whose codes are found in an array.
const smallNumbers = 1 << 16

// smallNumber returns the code of an integer from 0 to below smallNumbers.
func (c *encoder) smallNumber(x int) int32 {
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

// real returns the code of a float, which is that of the integer that equals it, if there is one.
func (c *encoder) real(f float64) int32 {
	if f >= 0 && f < smallNumbers && f == math.Trunc(f) {
		return c.smallNumber(int(f))
	}
	return c.integer(&c.numbers, floatKey(f))
}

// floatKey returns bits that are equal for equal floats: 0 and -0, and every NaN.
func floatKey(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

// keptDictionaries is the most dictionaries whose codes are remembered.
const keptDictionaries = 256

// encodeDictionary encodes a column of a dictionary. Each word of the dictionary is looked up once.
func (c *encoder) encodeDictionary(v *value.Vec, ids []int32) {
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
			ids[i] = c.encodeNull()
			continue
		}
		if known[code] == 0 {
			known[code] = c.word(v.Type, v.Dict.Words[code]) + 2
		}
		ids[i] = known[code] - 2
	}
}
