package count

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"strings"
	"unsafe"
)

// Key is what is counted. Strings are ordered by their bytes.
type Key interface{ uint64 | Tuple | string }

// Tuple is integers packed into 128 bits, ordered by Hi, then Lo.
type Tuple struct{ Hi, Lo uint64 }

// ErrCorrupt is the error of a saved state that is damaged, cut off, or of other keys.
var ErrCorrupt = errors.New("counts are damaged")

// codec is what differs between kinds of keys.
type codec[K Key] struct {
	id     byte                                        // in saved states
	size   int                                         // bytes of a key in a buffer
	tabled bool                                        // gathered in a hash table
	sort   func(keys, scratch []K) (sorted, other []K) // scratch is as long as keys
	prefix func(K) uint64                              // prefix(a) < prefix(b) implies a < b
	less   func(a, b K) bool                           // of keys of equal prefix
	length func(K) int                                 // bytes that a key takes besides size
	own    func(K) K                                   // a key that keeps nothing of the caller alive
	encode func(dst []byte, keys []K, counts []uint64) []byte
	decode func(src []byte, keys []K, counts []uint64) error
}

// codecOf returns the codec of a kind of keys.
func codecOf[K Key]() *codec[K] {
	var c any
	switch any(*new(K)).(type) {
	case uint64:
		c = integers
	case Tuple:
		c = tuples
	default:
		c = texts
	}
	return c.(*codec[K])
}

func (c *codec[K]) before(a, b K) bool {
	if p, q := c.prefix(a), c.prefix(b); p != q {
		return p < q
	}
	return c.less(a, b)
}

var integers = &codec[uint64]{
	id: 1, size: 8, sort: sortIntegers,
	prefix: func(k uint64) uint64 { return k },
	less:   func(a, b uint64) bool { return a < b },
	length: func(uint64) int { return 0 },
	own:    func(k uint64) uint64 { return k },
	encode: encodeIntegers, decode: decodeIntegers,
}

var tuples = &codec[Tuple]{
	id: 2, size: 16,
	sort: func(keys, scratch []Tuple) ([]Tuple, []Tuple) {
		sortTuples(keys, scratch)
		return keys, scratch
	},

	prefix: func(k Tuple) uint64 { return k.Hi },
	less:   func(a, b Tuple) bool { return a.Lo < b.Lo },
	length: func(Tuple) int { return 0 },
	own:    func(k Tuple) Tuple { return k },
	encode: encodeTuples, decode: decodeTuples,
}

var texts = &codec[string]{
	id: 3, size: int(unsafe.Sizeof("")), tabled: true,
	sort: func(keys, scratch []string) ([]string, []string) { slices.Sort(keys); return keys, scratch },
	prefix: func(k string) uint64 {
		var b [8]byte
		copy(b[:], k)
		return binary.BigEndian.Uint64(b[:])
	},
	less:   func(a, b string) bool { return a < b },
	length: func(k string) int { return len(k) },
	own:    strings.Clone,
	encode: encodeTexts, decode: decodeTexts,
}

// encodeIntegers writes the difference from the key before and the count, as varints.
func encodeIntegers(dst []byte, keys, counts []uint64) []byte {
	last := uint64(0)
	for i, k := range keys {
		dst = binary.AppendUvarint(dst, k-last)
		dst = binary.AppendUvarint(dst, counts[i])
		last = k
	}
	return dst
}

func decodeIntegers(src []byte, keys, counts []uint64) error {
	key, at := uint64(0), 0
	for i := range keys {
		d, n := binary.Uvarint(src[at:])
		if n <= 0 {
			return ErrCorrupt
		}
		c, m := binary.Uvarint(src[at+n:])
		if m <= 0 {
			return ErrCorrupt
		}
		key += d
		at += n + m
		keys[i], counts[i] = key, c
	}
	if at != len(src) {
		return ErrCorrupt
	}
	return nil
}

// encodeTuples writes the bytes of a key, the highest first, without those that it shares with the key before and
// without zeros at the end. A byte before them tells how many are shared, at most 15, and how many follow, less one.
func encodeTuples(dst []byte, keys []Tuple, counts []uint64) []byte {
	var last Tuple
	var b [16]byte
	for i, k := range keys {
		shared := bits.LeadingZeros64(k.Hi^last.Hi) / 8
		if k.Hi == last.Hi {
			shared = min(15, 8+bits.LeadingZeros64(k.Lo^last.Lo)/8)
		}
		end := 16 - bits.TrailingZeros64(k.Lo)/8
		if k.Lo == 0 {
			end = 8 - bits.TrailingZeros64(k.Hi)/8
		}
		end = max(end, shared+1)
		binary.BigEndian.PutUint64(b[:8], k.Hi)
		binary.BigEndian.PutUint64(b[8:], k.Lo)
		dst = append(dst, byte(shared<<4|(end-shared-1)))
		dst = append(dst, b[shared:end]...)
		dst = binary.AppendUvarint(dst, counts[i])
		last = k
	}
	return dst
}

func decodeTuples(src []byte, keys []Tuple, counts []uint64) error {
	var b [16]byte
	for i := range keys {
		if len(src) == 0 {
			return ErrCorrupt
		}
		shared := int(src[0] >> 4)
		end := shared + int(src[0]&15) + 1
		if end > 16 || len(src) < 1+end-shared {
			return ErrCorrupt
		}
		copy(b[shared:end], src[1:])
		clear(b[end:])
		src = src[1+end-shared:]
		c, n := binary.Uvarint(src)
		if n <= 0 {
			return ErrCorrupt
		}
		src = src[n:]
		keys[i] = Tuple{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
		counts[i] = c
	}
	if len(src) > 0 {
		return ErrCorrupt
	}
	return nil
}

// encodeTexts writes how many bytes are shared with the key before, how many follow, these, and the count.
func encodeTexts(dst []byte, keys []string, counts []uint64) []byte {
	last := ""
	for i, k := range keys {
		shared := 0
		for shared < min(len(k), len(last)) && k[shared] == last[shared] {
			shared++
		}
		dst = binary.AppendUvarint(dst, uint64(shared))
		dst = binary.AppendUvarint(dst, uint64(len(k)-shared))
		dst = append(dst, k[shared:]...)
		dst = binary.AppendUvarint(dst, counts[i])
		last = k
	}
	return dst
}

// decodeTexts makes one string of all keys of a block and cuts it.
func decodeTexts(src []byte, keys []string, counts []uint64) error {
	var all []byte
	from := 0
	ends := make([]int, len(keys))
	for i := range keys {
		var head [2]uint64
		for j := range head {
			x, n := binary.Uvarint(src)
			if n <= 0 {
				return ErrCorrupt
			}
			head[j], src = x, src[n:]
		}
		if head[0] > uint64(len(all)-from) || head[1] > uint64(len(src)) {
			return ErrCorrupt
		}
		next := len(all)
		all = append(all, all[from:from+int(head[0])]...)
		all = append(all, src[:head[1]]...)
		from, ends[i] = next, len(all)
		c, n := binary.Uvarint(src[head[1]:])
		if n <= 0 {
			return ErrCorrupt
		}
		counts[i], src = c, src[int(head[1])+n:]
	}
	text, from := string(all), 0
	for i, end := range ends {
		keys[i], from = text[from:end], end
	}
	if len(src) > 0 {
		return ErrCorrupt
	}
	return nil
}
