package value

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
)

// ErrCorrupt is returned when encoded values cannot be decoded.
var ErrCorrupt = errors.New("damaged value encoding")

// AppendRow appends the values of a row; DecodeRow reads them back.
func AppendRow(dst []byte, row []Value) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(row)))
	for _, v := range row {
		dst = append(dst, byte(v.T))
		switch v.T {
		case Null:
		case Integer, Timestamp:
			dst = binary.AppendVarint(dst, int64(v.N))
		case Float:
			dst = binary.LittleEndian.AppendUint64(dst, v.N)
		case Boolean:
			dst = append(dst, byte(v.N))
		default:
			dst = binary.AppendUvarint(dst, uint64(len(v.S)))
			dst = append(dst, v.S...)
		}
	}
	return dst
}

// DecodeRow decodes a row and returns what follows it.
func DecodeRow(b []byte) (row []Value, rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)) {
		return nil, nil, ErrCorrupt
	}
	b = b[k:]
	row = make([]Value, n)
	for i := range row {
		if row[i], b, err = decodeValue(b); err != nil {
			return nil, nil, err
		}
	}
	return row, b, nil
}

func decodeValue(b []byte) (Value, []byte, error) {
	if len(b) == 0 || b[0] > byte(Interval) {
		return Value{}, nil, ErrCorrupt
	}
	v := Value{T: Type(b[0])}
	b = b[1:]
	switch v.T {
	case Null:
	case Integer, Timestamp:
		x, k := binary.Varint(b)
		if k <= 0 {
			return Value{}, nil, ErrCorrupt
		}
		v.N, b = uint64(x), b[k:]
	case Float:
		if len(b) < 8 {
			return Value{}, nil, ErrCorrupt
		}
		v.N, b = binary.LittleEndian.Uint64(b), b[8:]
	case Boolean:
		if len(b) < 1 || b[0] > 1 {
			return Value{}, nil, ErrCorrupt
		}
		v.N, b = uint64(b[0]), b[1:]
	default:
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			return Value{}, nil, ErrCorrupt
		}
		v.S, b = string(b[k:k+int(n)]), b[k+int(n):]
	}
	return v, b, nil
}

// Tags of keys: numbers of both types share one, so that 1 and 1.0 meet.
const (
	keyNumber    = 0x10
	keyTimestamp = 0x20
	keyInterval  = 0x28
	keyString    = 0x30
	keyNull      = 0xF0
)

// AppendKey appends a key whose byte order is the order of Compare.
// Numbers are keyed as floats; what an integer differs from its float by, which it does beyond 2^53, comes after it.
func AppendKey(dst []byte, v Value) []byte {
	switch v.T {
	case Null:
		return append(dst, keyNull)
	case Integer, Float, Boolean:
		dst = append(dst, keyNumber)
		f := v.Float()
		bits := math.Float64bits(f)
		if math.IsNaN(f) {
			bits = math.MaxInt64
		}
		if bits>>63 == 0 {
			bits |= 1 << 63
		} else {
			bits = ^bits
		}
		dst = binary.BigEndian.AppendUint64(dst, bits)
		return appendDistance(dst, v, f)
	case Timestamp:
		return binary.BigEndian.AppendUint64(append(dst, keyTimestamp), v.N^1<<63)
	case Interval:
		return appendSortKey(append(dst, keyInterval), v)
	}
	return AppendKeyString(append(dst, keyString), v.S)
}

// appendDistance appends the distance of an integer to the float nearest to it, which is 0 up to 2^53: a byte with its
// sign, 80 for 0, and unless it is 0 the distance.
func appendDistance(dst []byte, v Value, f float64) []byte {
	if v.T != Integer {
		return append(dst, 0x80)
	}
	d := int64(v.N - 1<<63) // of 2^63, which no int64 is
	if f < 1<<63 {
		d = int64(v.N) - int64(f)
	}
	switch {
	case d == 0:
		return append(dst, 0x80)
	case d < 0:
		return binary.BigEndian.AppendUint64(append(dst, 0x7F), uint64(d))
	}
	return binary.BigEndian.AppendUint64(append(dst, 0x81), uint64(d))
}

// AppendKeyString appends s so that no key is a prefix of another: 0 becomes 0 FF, the end is 0 0.
func AppendKeyString(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			return append(append(dst, s...), 0, 0)
		}
		dst = append(append(dst, s[:i]...), 0, 0xFF)
		s = s[i+1:]
	}
}
