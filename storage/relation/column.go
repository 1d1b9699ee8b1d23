package relation

import (
	"encoding/binary"
	"math"

	"parlance/storage/value"
)

// column collects the values of a slot for a segment.
type column struct {
	t     value.Type // Null while every value is NULL
	n     int
	nums  []uint64 // of integers, floats, booleans and timestamps
	bytes []byte   // of all others, and where each ends
	ends  []uint32
	null  []bool // nil while no value is NULL
	codes map[string]uint32
}

func (c *column) add(v value.Value) {
	if v.IsNull() {
		if c.null == nil {
			c.null = make([]bool, c.n, max(64, c.n+1))
		}
		c.null = append(c.null, true)
	} else {
		if c.t == value.Null {
			c.become(v.T)
		}
		if c.null != nil {
			c.null = append(c.null, false)
		}
	}
	c.n++
	switch {
	case c.t == value.Null:
	case c.t.InNumber():
		c.nums = append(c.nums, v.N)
	default:
		c.bytes = append(c.bytes, v.S...)
		c.ends = append(c.ends, uint32(len(c.bytes)))
	}
}

// addRows adds rows [from, to) of a column of a batch.
func (c *column) addRows(v *value.Vec, from, to int) {
	if c.null != nil || v.Null != nil || v.Codes == nil && v.Strs == nil && v.Ints == nil {
		for i := from; i < to; i++ {
			c.add(v.At(i))
		}
		return
	}
	if c.t == value.Null {
		c.become(v.Type)
	}
	c.n += to - from
	switch {
	case v.Ints != nil:
		for _, x := range v.Ints[from:to] {
			c.nums = append(c.nums, uint64(x))
		}
	case v.Codes != nil:
		for _, code := range v.Codes[from:to] {
			c.bytes = append(c.bytes, v.Dict.Words[code]...)
			c.ends = append(c.ends, uint32(len(c.bytes)))
		}
	default:
		for _, s := range v.Strs[from:to] {
			c.bytes = append(c.bytes, s...)
			c.ends = append(c.ends, uint32(len(c.bytes)))
		}
	}
}

// become sets the type after n NULLs.
func (c *column) become(t value.Type) {
	c.t = t
	if t.InNumber() {
		c.nums = append(c.nums[:0], make([]uint64, c.n)...)
	} else {
		c.ends = append(c.ends[:0], make([]uint32, c.n)...)
	}
}

func (c *column) reset() {
	c.t, c.n, c.nums, c.bytes, c.ends, c.null = value.Null, 0, c.nums[:0], c.bytes[:0], c.ends[:0], nil
}

func (c *column) text(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.bytes[from:c.ends[i]]
}

// Encodings of a column.
const (
	allNull = iota
	numbers
	plainTexts // lengths, then bytes
	dictionary // different words, then the code of each row
)

// encode makes a block: type u8, encoding u8, whether there are NULLs u8, and the packed values.
func (c *column) encode() []byte {
	head := []byte{byte(c.t), allNull, 0}
	if c.t == value.Null {
		return head
	}
	var raw []byte
	if c.null != nil {
		head[2] = 1
		raw = appendBits(raw, c.null)
	}
	if c.t.InNumber() {
		head[1] = numbers
		return packed(head, appendNumbers(raw, c.nums))
	}
	if words, codes := c.dictionary(); words != nil {
		head[1] = dictionary
		raw = binary.AppendUvarint(raw, uint64(len(words)))
		for _, w := range words {
			raw = binary.AppendUvarint(raw, uint64(len(w)))
		}
		for _, w := range words {
			raw = append(raw, w...)
		}
		return packed(head, appendNumbers(raw, codes))
	}
	head[1] = plainTexts
	lengths := make([]uint64, c.n)
	for i := range lengths {
		lengths[i] = uint64(len(c.text(i)))
	}
	return packed(head, append(appendNumbers(raw, lengths), c.bytes...))
}

// dictionary returns the different texts and the code of each row, nil if there are too many.
func (c *column) dictionary() (words []string, codes []uint64) {
	if c.codes == nil {
		c.codes = map[string]uint32{}
	}
	clear(c.codes)
	codes = make([]uint64, c.n)
	for i := range c.n {
		t := c.text(i)
		code, known := c.codes[string(t)]
		if !known {
			// A code takes one or two bytes a row. Beyond a third of the rows, words are as short to write plainly.
			if len(words) >= 255 && len(words) > 64+i/3 {
				return nil, nil
			}
			code = uint32(len(words))
			words = append(words, string(t))
			c.codes[words[code]] = code
		}
		codes[i] = uint64(code)
	}
	return words, codes
}

func appendBits(dst []byte, v []bool) []byte {
	from := len(dst)
	dst = append(dst, make([]byte, (len(v)+7)/8)...)
	for i, yes := range v {
		if yes {
			dst[from+i/8] |= 1 << (i % 8)
		}
	}
	return dst
}

// nullColumn is a column of n NULLs.
func nullColumn(t value.Type, n int) value.Vec {
	return value.FromValues(t, make([]value.Value, n))
}

// points is a stored column as it was unpacked, which takes little memory.
type points struct {
	t     value.Type
	null  []byte // bits; nil if no value is NULL
	nums  planes // numbers, or the codes of a dictionary
	n     int
	ends  []uint32 // of texts or words in bytes
	bytes []byte
	texts bool
	codes bool
}

// pointsOf reads the block of a column with n rows.
func pointsOf(b []byte, n int) (*points, error) {
	if len(b) < 3 {
		return nil, damaged("a column")
	}
	p := &points{t: value.Type(b[0]), n: n}
	if b[1] == allNull {
		p.t = value.Null
		return p, nil
	}
	raw, err := unpacked(b[3:])
	if err != nil {
		return nil, err
	}
	r := &input{b: raw}
	if b[2] != 0 {
		p.null = r.take((n + 7) / 8)
	}
	switch {
	case b[1] == numbers && p.t.InNumber():
		p.nums = r.planes(n)
	case b[1] == plainTexts && !p.t.InNumber():
		p.texts = true
		if lengths := r.sizes(n); !r.bad {
			p.ends = make([]uint32, n)
			fill(&lengths, p.ends)
			r.addUp(p.ends)
		}
		p.bytes, r.b = r.b, nil
	case b[1] == dictionary && !p.t.InNumber():
		p.texts, p.codes, p.ends = true, true, make([]uint32, r.count(1))
		for i := range p.ends {
			p.ends[i] = uint32(min(r.uvarint(), mostBlock+1))
		}
		r.addUp(p.ends)
		if len(p.ends) > 0 && !r.bad {
			p.bytes = r.take(int(p.ends[len(p.ends)-1]))
		}
		p.nums = r.sizes(n)
	default:
		r.bad = true
	}
	if !r.bad && p.texts && !p.codes && n > 0 && int(p.ends[n-1]) != len(p.bytes) {
		r.bad = true
	}
	if r.bad || len(r.b) > 0 {
		return nil, damaged("a column")
	}
	return p, nil
}

// addUp makes ends of lengths.
func (r *input) addUp(lengths []uint32) {
	at := uint32(0)
	for i, n := range lengths {
		if n > mostBlock || at > mostBlock {
			r.bad = true
			return
		}
		at += n
		lengths[i] = at
	}
}

func (p *points) isNull(i int) bool {
	return p.t == value.Null || p.null != nil && p.null[i/8]&(1<<(i%8)) != 0
}

// text is text or word i.
func (p *points) text(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.bytes[from:p.ends[i]]
}

// at returns the value of a row; an error if a code names no word.
func (p *points) at(i int) (value.Value, error) {
	if p.isNull(i) {
		return value.Value{}, nil
	}
	if !p.texts {
		return value.Value{T: p.t, N: p.nums.at(i)}, nil
	}
	if p.codes {
		code := p.nums.at(i)
		if code >= uint64(len(p.ends)) {
			return value.Value{}, damaged("a column")
		}
		i = int(code)
	}
	return value.Value{T: p.t, S: string(p.text(i))}, nil
}

// column returns rows as a column of a batch, which is of type t if all rows of the block are NULL; some nil means all
// rows.
func (p *points) column(t value.Type, some []int) (value.Vec, error) {
	n := p.n
	if some != nil {
		n = len(some)
	}
	if p.t == value.Null {
		return nullColumn(t, n), nil
	}
	v := value.Vec{Type: p.t}
	if p.null != nil {
		v.Null = make([]bool, n)
		for i := range v.Null {
			v.Null[i] = p.isNull(place(some, i))
		}
	}
	switch {
	case p.t == value.Float:
		v.Floats = make([]float64, n)
		for i, x := range numbersAt[uint64](p, some) {
			v.Floats[i] = math.Float64frombits(x)
		}
	case !p.texts:
		v.Ints = numbersAt[int64](p, some)
	case p.codes:
		v.Codes = numbersAt[uint32](p, some)
		for _, c := range v.Codes {
			if int(c) >= len(p.ends) {
				return v, damaged("a column")
			}
		}
		v.Dict = &value.Dict{Words: p.strings(nil)}
	default:
		v.Strs = p.strings(some)
	}
	return v, nil
}

// place is the place of row i of a selection; all rows if it is nil.
func place(some []int, i int) int {
	if some == nil {
		return i
	}
	return some[i]
}

// numbersAt returns the numbers of some rows, all if some is nil.
func numbersAt[T int64 | uint64 | uint32](p *points, some []int) []T {
	if some == nil {
		out := make([]T, p.n)
		fill(&p.nums, out)
		return out
	}
	out := make([]T, len(some))
	for i, k := range some {
		out[i] = T(p.nums.at(k))
	}
	return out
}

// strings returns some texts or words, all if some is nil, as parts of one string.
func (p *points) strings(some []int) []string {
	if some == nil {
		out, all, from := make([]string, len(p.ends)), string(p.bytes), uint32(0)
		for i, end := range p.ends {
			out[i], from = all[from:end], end
		}
		return out
	}
	size := 0
	for _, i := range some {
		size += len(p.text(i))
	}
	bytes := make([]byte, 0, size)
	for _, i := range some {
		bytes = append(bytes, p.text(i)...)
	}
	out, all := make([]string, len(some)), string(bytes)
	for k, i := range some {
		n := len(p.text(i))
		out[k], all = all[:n], all[n:]
	}
	return out
}

// size is what the column takes in memory, in bytes.
func (p *points) size() int { return len(p.null) + len(p.nums.bytes) + len(p.bytes) + 4*len(p.ends) }
