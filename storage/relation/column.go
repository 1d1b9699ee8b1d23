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

// numeric reports whether values of a type are numbers.
func numeric(t value.Type) bool {
	return t == value.Integer || t == value.Float || t == value.Boolean || t == value.Timestamp
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
	case numeric(c.t):
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
	if numeric(t) {
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
	if numeric(c.t) {
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

// decodeColumn reads the block of a column with n rows.
func decodeColumn(b []byte, n int) (value.Vec, error) {
	if len(b) < 3 {
		return value.Vec{}, damaged("a column")
	}
	t, encoding, nulls := value.Type(b[0]), b[1], b[2]
	if encoding == allNull {
		return nullColumn(t, n), nil
	}
	raw, err := unpacked(b[3:])
	if err != nil {
		return value.Vec{}, err
	}
	r := &input{b: raw}
	v := value.Vec{Type: t}
	if nulls != 0 {
		bits := r.take((n + 7) / 8)
		if r.bad {
			return v, damaged("a column")
		}
		v.Null = make([]bool, n)
		for i := range v.Null {
			v.Null[i] = bits[i/8]&(1<<(i%8)) != 0
		}
	}
	switch {
	case encoding == numbers && numeric(t):
		decodeNumbers(&v, r.numbers(n))
	case encoding == dictionary && !numeric(t):
		decodeDictionary(&v, r, n)
	case encoding == plainTexts && !numeric(t):
		decodeTexts(&v, r, n)
	default:
		r.bad = true
	}
	if r.bad || len(r.b) > 0 {
		return value.Vec{}, damaged("a column")
	}
	return v, nil
}

func decodeNumbers(v *value.Vec, nums []uint64) {
	if v.Type == value.Float {
		v.Floats = make([]float64, len(nums))
		for i, x := range nums {
			v.Floats[i] = math.Float64frombits(x)
		}
		return
	}
	v.Ints = make([]int64, len(nums))
	for i, x := range nums {
		v.Ints[i] = int64(x)
	}
}

// texts cuts a string of texts by their lengths.
func (r *input) texts(lengths []uint64) []string {
	total := uint64(0)
	for _, n := range lengths {
		if n > uint64(len(r.b)) {
			r.bad = true
			return nil
		}
		total += n
	}
	if total > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	all := string(r.take(int(total)))
	out := make([]string, len(lengths))
	for i, n := range lengths {
		out[i], all = all[:n], all[n:]
	}
	return out
}

func decodeTexts(v *value.Vec, r *input, n int) {
	lengths := r.numbers(n)
	if !r.bad {
		v.Strs = r.texts(lengths)
	}
}

func decodeDictionary(v *value.Vec, r *input, n int) {
	lengths := make([]uint64, r.count(1))
	for i := range lengths {
		lengths[i] = r.uvarint()
	}
	words := r.texts(lengths)
	codes := r.numbers(n)
	if r.bad {
		return
	}
	v.Codes, v.Dict = make([]uint32, n), &value.Dict{Words: words}
	for i, c := range codes {
		if c >= uint64(len(words)) {
			r.bad = true
			return
		}
		v.Codes[i] = uint32(c)
	}
}

// nullColumn is a column of n NULLs.
func nullColumn(t value.Type, n int) value.Vec {
	return value.FromValues(t, make([]value.Value, n))
}

// points is a column of which single rows are read: it stays as it was unpacked, which takes little memory.
type points struct {
	t      value.Type
	null   []byte // bits; nil if no value is NULL
	least  uint64
	planes []byte // of numbers, or of the codes of a dictionary
	width  int
	n      int
	ends   []uint32 // of texts or words in bytes
	bytes  []byte
	texts  bool
	codes  bool
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
	case b[1] == numbers && numeric(p.t):
		p.number(r)
	case b[1] == plainTexts && !numeric(p.t):
		p.texts, p.ends = true, sums(r, r.numbers(n))
		p.bytes, r.b = r.b, nil
	case b[1] == dictionary && !numeric(p.t):
		lengths := make([]uint64, r.count(1))
		for i := range lengths {
			lengths[i] = r.uvarint()
		}
		p.texts, p.codes, p.ends = true, true, sums(r, lengths)
		if len(p.ends) > 0 {
			p.bytes = r.take(int(p.ends[len(p.ends)-1]))
		}
		p.number(r)
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

// sums adds up lengths.
func sums(r *input, lengths []uint64) []uint32 {
	out, at := make([]uint32, len(lengths)), uint64(0)
	for i, n := range lengths {
		if at += n; n > mostBlock || at > mostBlock {
			r.bad = true
			return nil
		}
		out[i] = uint32(at)
	}
	return out
}

// number reads the head of numbers, whose planes stay as they are.
func (p *points) number(r *input) {
	p.least, p.width = r.uvarint(), int(r.byte())
	if p.width > 8 {
		r.bad = true
		return
	}
	p.planes = r.take(p.n * p.width)
}

func (p *points) numberAt(i int) uint64 {
	v := uint64(0)
	for k := range p.width {
		v |= uint64(p.planes[k*p.n+i]) << (8 * k)
	}
	return v + p.least
}

// at returns the value of a row; an error if a code names no word.
func (p *points) at(i int) (value.Value, error) {
	if p.t == value.Null || p.null != nil && p.null[i/8]&(1<<(i%8)) != 0 {
		return value.Value{}, nil
	}
	if !p.texts {
		return value.Value{T: p.t, N: p.numberAt(i)}, nil
	}
	if p.codes {
		code := p.numberAt(i)
		if code >= uint64(len(p.ends)) {
			return value.Value{}, damaged("a column")
		}
		i = int(code)
	}
	from := uint32(0)
	if i > 0 {
		from = p.ends[i-1]
	}
	return value.Value{T: p.t, S: string(p.bytes[from:p.ends[i]])}, nil
}

// size is what the column takes in memory, in bytes.
func (p *points) size() int { return len(p.null) + len(p.planes) + len(p.bytes) + 4*len(p.ends) }
