package format

import (
	"encoding/binary"
	"fmt"
	"math"
)

// msgReader reads MessagePack. Counts are checked against the bytes that are left before memory is taken for them.
type msgReader struct {
	b     []byte
	depth int
	steps int
	ended func() error
}

// deepest is how deep values of MessagePack may lie within each other.
const deepest = 32

// take takes the next n bytes.
func (r *msgReader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.b) {
		return nil, fmt.Errorf("the data ends within a value of MessagePack")
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out, nil
}

// size reads a number of so many bytes, big-endian.
func (r *msgReader) size(bytes int) (uint64, error) {
	b, err := r.take(bytes)
	n := uint64(0)
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	return n, err
}

// value reads a value: nil, bool, int64, uint64 above these, float64, string, []byte, []any or map[string]any.
func (r *msgReader) value() (any, error) {
	if r.steps++; r.steps&4095 == 0 && r.ended != nil {
		if err := r.ended(); err != nil {
			return nil, err
		}
	}
	head, err := r.take(1)
	if err != nil {
		return nil, err
	}
	switch c := head[0]; {
	case c < 0x80:
		return int64(c), nil
	case c < 0x90:
		return r.object(uint64(c & 15))
	case c < 0xa0:
		return r.list(uint64(c & 15))
	case c < 0xc0:
		b, err := r.take(int(c & 31))
		return string(b), err
	case c >= 0xe0:
		return int64(int8(c)), nil
	case c == 0xc0:
		return nil, nil
	case c == 0xc2 || c == 0xc3:
		return c == 0xc3, nil
	case c >= 0xc4 && c <= 0xc6:
		return r.bytes(1 << (c - 0xc4))
	case c >= 0xd9 && c <= 0xdb:
		b, err := r.bytes(1 << (c - 0xd9))
		return string(b), err
	case c == 0xca:
		n, err := r.size(4)
		return float64(math.Float32frombits(uint32(n))), err
	case c == 0xcb:
		n, err := r.size(8)
		return math.Float64frombits(n), err
	case c >= 0xcc && c <= 0xcf:
		n, err := r.size(1 << (c - 0xcc))
		if n > math.MaxInt64 {
			return n, err
		}
		return int64(n), err
	case c >= 0xd0 && c <= 0xd3:
		bytes := 1 << (c - 0xd0)
		n, err := r.size(bytes)
		shift := 64 - 8*bytes
		return int64(n<<shift) >> shift, err
	case c == 0xdc || c == 0xdd:
		return r.sized(c == 0xdd, r.list)
	case c == 0xde || c == 0xdf:
		return r.sized(c == 0xdf, r.object)
	case c >= 0xd4 && c <= 0xd8: // of a type of the program: not needed
		_, err := r.take(1 + 1<<(c-0xd4))
		return nil, err
	}
	n, err := r.size(1 << (head[0] - 0xc7)) // 0xc7 to 0xc9; 0xc1 is no value
	if err != nil || head[0] == 0xc1 || n > uint64(len(r.b)) {
		return nil, fmt.Errorf("no value of MessagePack")
	}
	_, err = r.take(1 + int(n))
	return nil, err
}

func (r *msgReader) bytes(size int) ([]byte, error) {
	n, err := r.size(size)
	if err != nil || n > uint64(len(r.b)) {
		return nil, fmt.Errorf("the data ends within a value of MessagePack")
	}
	return r.take(int(n))
}

func (r *msgReader) sized(long bool, read func(uint64) (any, error)) (any, error) {
	n, err := r.size(map[bool]int{false: 2, true: 4}[long])
	if err != nil {
		return nil, err
	}
	return read(n)
}

// within checks a count of values against the bytes that are left, and how deep they lie.
func (r *msgReader) within(n uint64) error {
	if r.depth++; r.depth > deepest {
		return fmt.Errorf("values of MessagePack lie more than %d deep", deepest)
	}
	if n > uint64(len(r.b)) {
		return fmt.Errorf("%d values of MessagePack are more than the data that is left", n)
	}
	return nil
}

func (r *msgReader) list(n uint64) (any, error) {
	if err := r.within(n); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	out := make([]any, 0, min(n, 1<<16))
	for range n {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// object reads a map; keys that are bytes or numbers become texts.
func (r *msgReader) object(n uint64) (any, error) {
	if err := r.within(2 * n); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	out := map[string]any{}
	for range n {
		k, err := r.value()
		if err != nil {
			return nil, err
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if b, ok := k.([]byte); ok {
			k = string(b)
		}
		out[fmt.Sprint(k)] = v
	}
	return out, nil
}

// msgWriter writes MessagePack.
type msgWriter struct{ b []byte }

// head writes the head of a value of a size, of those of its types.
func (w *msgWriter) head(n int, fix, most byte, b8, b16, b32 byte) {
	switch {
	case fix != 0 && n <= int(most):
		w.b = append(w.b, fix|byte(n))
	case b8 != 0 && n < 1<<8:
		w.b = append(w.b, b8, byte(n))
	case n < 1<<16:
		w.b = binary.BigEndian.AppendUint16(append(w.b, b16), uint16(n))
	default:
		w.b = binary.BigEndian.AppendUint32(append(w.b, b32), uint32(n))
	}
}

func (w *msgWriter) object(n int) { w.head(n, 0x80, 15, 0, 0xde, 0xdf) }
func (w *msgWriter) list(n int)   { w.head(n, 0x90, 15, 0, 0xdc, 0xdd) }
func (w *msgWriter) text(s string) {
	w.head(len(s), 0xa0, 31, 0xd9, 0xda, 0xdb)
	w.b = append(w.b, s...)
}
func (w *msgWriter) bytes(b []byte) { w.head(len(b), 0, 0, 0xc4, 0xc5, 0xc6); w.b = append(w.b, b...) }
func (w *msgWriter) bool(v bool) {
	w.b = append(w.b, map[bool]byte{false: 0xc2, true: 0xc3}[v])
}

func (w *msgWriter) float(v float64) {
	w.b = binary.BigEndian.AppendUint64(append(w.b, 0xcb), math.Float64bits(v))
}

// number writes a number that is not negative.
func (w *msgWriter) number(n uint64) {
	if n < 0x80 {
		w.b = append(w.b, byte(n))
		return
	}
	w.b = binary.BigEndian.AppendUint64(append(w.b, 0xcf), n)
}
