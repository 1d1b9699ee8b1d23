package value

import (
	"encoding/binary"
	"math"
)

// Representations of a column in AppendBatch.
const (
	spillNone byte = iota
	spillInts
	spillFloats
	spillTexts
	spillValues
)

// AppendBatch appends a batch; DecodeBatch reads it back. Dictionaries are spelled out.
func AppendBatch(dst []byte, b *Batch) []byte {
	dst = binary.AppendUvarint(dst, uint64(b.N))
	dst = binary.AppendUvarint(dst, uint64(len(b.Cols)))
	for c := range b.Cols {
		dst = appendVec(dst, &b.Cols[c], b.N)
	}
	return dst
}

func appendVec(dst []byte, v *Vec, n int) []byte {
	dst = append(dst, byte(v.Type))
	if v.Null == nil {
		dst = append(dst, 0)
	} else {
		dst = append(dst, 1)
		for _, x := range v.Null[:n] {
			if x {
				dst = append(dst, 1)
			} else {
				dst = append(dst, 0)
			}
		}
	}
	switch {
	case v.Any != nil:
		dst = AppendRow(append(dst, spillValues), v.Any[:n])
	case v.Ints != nil:
		dst = append(dst, spillInts)
		for _, x := range v.Ints[:n] {
			dst = binary.AppendVarint(dst, x)
		}
	case v.Floats != nil:
		dst = append(dst, spillFloats)
		for _, x := range v.Floats[:n] {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
		}
	case v.Codes != nil || v.Strs != nil:
		dst = append(dst, spillTexts)
		for i := range n {
			s := ""
			if v.Codes != nil {
				s = v.Dict.Words[v.Codes[i]]
			} else {
				s = v.Strs[i]
			}
			dst = append(binary.AppendUvarint(dst, uint64(len(s))), s...)
		}
	default:
		dst = append(dst, spillNone)
	}
	return dst
}

// DecodeBatch reads a batch; errors are ErrCorrupt.
func DecodeBatch(b []byte) (*Batch, error) {
	n, w := binary.Uvarint(b)
	if w <= 0 || n > math.MaxInt32 {
		return nil, ErrCorrupt
	}
	b = b[w:]
	cols, w := binary.Uvarint(b)
	if w <= 0 || cols > uint64(len(b)) {
		return nil, ErrCorrupt
	}
	b = b[w:]
	out := &Batch{N: int(n), Cols: make([]Vec, cols)}
	var err error
	for c := range out.Cols {
		if b, err = decodeVec(b, &out.Cols[c], int(n)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func decodeVec(b []byte, v *Vec, n int) ([]byte, error) {
	if len(b) < 2 {
		return nil, ErrCorrupt
	}
	v.Type = Type(b[0])
	null := b[1]
	if b = b[2:]; null == 1 {
		if len(b) < n {
			return nil, ErrCorrupt
		}
		v.Null = make([]bool, n)
		for i := range v.Null {
			v.Null[i] = b[i] == 1
		}
		b = b[n:]
	}
	if len(b) == 0 {
		return nil, ErrCorrupt
	}
	kind := b[0]
	b = b[1:]
	var err error
	switch kind {
	case spillNone:
	case spillValues:
		v.Any, b, err = DecodeRow(b)
		if err == nil && len(v.Any) != n {
			err = ErrCorrupt
		}
	case spillInts:
		if len(b) < n {
			return nil, ErrCorrupt
		}
		v.Ints = make([]int64, n)
		for i := range v.Ints {
			x, w := binary.Varint(b)
			if w <= 0 {
				return nil, ErrCorrupt
			}
			v.Ints[i], b = x, b[w:]
		}
	case spillFloats:
		if len(b) < 8*n {
			return nil, ErrCorrupt
		}
		v.Floats = make([]float64, n)
		for i := range v.Floats {
			v.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		b = b[8*n:]
	case spillTexts:
		b, err = decodeTexts(b, v, n)
	default:
		err = ErrCorrupt
	}
	return b, err
}

// decodeTexts cuts the texts of a column out of one string.
func decodeTexts(b []byte, v *Vec, n int) ([]byte, error) {
	if len(b) < n {
		return nil, ErrCorrupt
	}
	ends := make([]int, 0, n)
	at, total := 0, 0
	for range n {
		l, w := binary.Uvarint(b[at:])
		if w <= 0 || l > uint64(len(b)-at-w) {
			return nil, ErrCorrupt
		}
		at += w + int(l)
		total += int(l)
		ends = append(ends, at)
	}
	all := string(b[:at])
	v.Strs = make([]string, n)
	from := 0
	for i, end := range ends {
		l, w := binary.Uvarint(b[from:])
		v.Strs[i] = all[from+w : from+w+int(l)]
		from = end
	}
	return b[at:], nil
}

// Hash computes a hash of each of n rows of key columns into dst. Rows that are equal, as
// Compare sees them, have equal hashes; level gives other hashes.
func Hash(dst []uint64, keys []Vec, n int, level uint64) []uint64 {
	if cap(dst) < n {
		dst = make([]uint64, n)
	}
	dst = dst[:n]
	for i := range dst {
		dst[i] = 0x9E3779B97F4A7C15 * (level + 1)
	}
	for k := range keys {
		v := &keys[k]
		if v.Codes != nil {
			words := make([]uint64, len(v.Dict.Words))
			for i, c := range v.Codes[:n] {
				if v.Null != nil && v.Null[i] {
					dst[i] = mix(dst[i], 1)
					continue
				}
				if words[c] == 0 {
					words[c] = hashValue(Value{T: v.Type, S: v.Dict.Words[c]})
				}
				dst[i] = mix(dst[i], words[c])
			}
			continue
		}
		for i := range dst {
			dst[i] = mix(dst[i], hashValue(v.At(i)))
		}
	}
	return dst
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xBF58476D1CE4E5B9
	h ^= h >> 29
	return h * 0x94D049BB133111EB
}

func hashValue(v Value) uint64 {
	switch v.T {
	case Null:
		return 1
	case Integer, Float, Boolean:
		f := v.Float()
		if f != f {
			return 3
		}
		return math.Float64bits(f+0) | 1
	case Timestamp:
		return v.N<<1 | 1
	}
	if v.T.HasSortKey() {
		return hashText(SortKey(v)) | 1
	}
	return hashText(v.S) | 1
}

// hashText is FNV-1a with 64 bits.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
