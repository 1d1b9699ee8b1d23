package relation

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest))
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// packed appends raw with its length, compressed if that saves an eighth.
func packed(dst, raw []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(raw)))
	if len(raw) >= 64 {
		from := len(dst) + 1
		dst = encoder().EncodeAll(raw, append(dst, 1))
		if len(dst)-from < len(raw)-len(raw)/8 {
			return dst
		}
		dst = dst[:from-1]
	}
	return append(append(dst, 0), raw...)
}

// mostBlock is the most that a block may hold uncompressed, in bytes.
const mostBlock = 1 << 30

// unpacked decodes what packed has written. The result is a copy.
func unpacked(b []byte) ([]byte, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || len(b) == k || n > mostBlock {
		return nil, damaged("a block")
	}
	body := b[k+1:]
	switch b[k] {
	case 0:
		if uint64(len(body)) != n {
			return nil, damaged("a block is cut")
		}
		return append(make([]byte, 0, n), body...), nil
	case 1:
		if n>>15 > uint64(len(body)) { // a block of zstd holds at most 128 kB and takes 4 bytes or more
			return nil, damaged("the length of a block")
		}
		out, err := decoder().DecodeAll(body, make([]byte, 0, n))
		if err != nil || uint64(len(out)) != n {
			return nil, damaged("a compressed block")
		}
		return out, nil
	}
	return nil, damaged("the codec of a block")
}

// input reads a block. A read beyond its end sets bad and gives zeros.
type input struct {
	b   []byte
	bad bool
}

func (r *input) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of things that take at least bytes each.
func (r *input) count(least int) int {
	n := r.uvarint()
	if n > uint64(len(r.b)/max(least, 1)) {
		r.b, r.bad = nil, true
		return 0
	}
	return int(n)
}

func (r *input) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.bad = nil, true
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *input) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// appendNumbers writes numbers as the least one, a width, and for each byte of the width a plane with that byte of
// every difference to the least.
func appendNumbers(dst []byte, v []uint64) []byte {
	least, most := ^uint64(0), uint64(0)
	for _, x := range v {
		least, most = min(least, x), max(most, x)
	}
	if len(v) == 0 {
		least = 0
	}
	width := 0
	for d := most - least; len(v) > 0 && d > 0; d >>= 8 {
		width++
	}
	dst = append(binary.AppendUvarint(dst, least), byte(width))
	from := len(dst)
	dst = slices.Grow(dst, width*len(v))[:from+width*len(v)]
	for p := range width {
		plane := dst[from+p*len(v):][:len(v)]
		for i, x := range v {
			plane[i] = byte((x - least) >> (8 * p))
		}
	}
	return dst
}

// planes are numbers as appendNumbers has written them.
type planes struct {
	least uint64
	width int
	bytes []byte
	n     int
}

// planes reads n numbers.
func (r *input) planes(n int) planes {
	p := planes{least: r.uvarint(), width: int(r.byte()), n: n}
	if r.bad || p.width > 8 {
		r.bad = true
		return planes{}
	}
	p.bytes = r.take(n * p.width)
	return p
}

// sizes reads n numbers of at most mostBlock.
func (r *input) sizes(n int) planes {
	p := r.planes(n)
	r.bad = r.bad || p.width > 4 || p.least > mostBlock
	for i := 0; i < n && p.width == 4 && !r.bad; i++ {
		r.bad = p.at(i) > mostBlock
	}
	return p
}

func (p *planes) at(i int) uint64 {
	v := uint64(0)
	for k := range p.width {
		v |= uint64(p.bytes[k*p.n+i]) << (8 * k)
	}
	return v + p.least
}

// fill puts all numbers into out.
func fill[T int64 | uint64 | uint32](p *planes, out []T) {
	switch p.width {
	case 1:
		for i, a := range p.bytes[:p.n] {
			out[i] = T(p.least + uint64(a))
		}
	case 2:
		high := p.bytes[p.n:][:p.n]
		for i, a := range p.bytes[:p.n] {
			out[i] = T(p.least + uint64(a) + uint64(high[i])<<8)
		}
	case 3:
		mid, high := p.bytes[p.n:][:p.n], p.bytes[2*p.n:][:p.n]
		for i, a := range p.bytes[:p.n] {
			out[i] = T(p.least + uint64(a) + uint64(mid[i])<<8 + uint64(high[i])<<16)
		}
	default:
		for i := range p.n {
			out[i] = T(p.at(i))
		}
	}
}

// numbers reads n numbers.
func (r *input) numbers(n int) []uint64 {
	p := r.planes(n)
	if r.bad {
		return nil
	}
	out := make([]uint64, n)
	fill(&p, out)
	return out
}

// appendIDs writes ascending numbers as the first one and differences.
func appendIDs(dst []byte, ids []uint64) []byte {
	gaps := make([]uint64, len(ids))
	last := uint64(0)
	for i, id := range ids {
		gaps[i], last = id-last, id
	}
	if len(ids) > 0 {
		dst, gaps = binary.AppendUvarint(dst, gaps[0]), gaps[1:]
	}
	return appendNumbers(dst, gaps)
}

// ids reads n ascending numbers.
func (r *input) ids(n int) []uint64 {
	if n == 0 {
		r.numbers(0)
		return nil
	}
	at := r.uvarint()
	gaps := r.numbers(n - 1)
	if r.bad {
		return nil
	}
	out := append(make([]uint64, 0, n), at)
	for _, g := range gaps {
		if g == 0 || at+g < at {
			r.bad = true
			return nil
		}
		at += g
		out = append(out, at)
	}
	return out
}
