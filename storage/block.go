package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync"

	"parlance/storage/value"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// A block holds columns, each with a checksum and a codec of its own, so that a reader
// decodes what it needs.
//
//	block   = magic 'P', version 1, columns u16, rows u32, crc32c u32, { column }, payloads
//	column  = kind u8, codec u8, width u8, unused u8, raw u32, encoded u32, crc32c u32
//
// The checksum of the block covers the fields before it and the headers of the columns.
const (
	blockMagic   = 'P'
	blockVersion = 1
	blockHeader  = 12
	columnHeader = 16
)

// columnKind is the encoding of the values of a column.
type columnKind uint8

const (
	columnNone   columnKind = iota // every row is missing
	columnInts                     // differences to the least value, in fixed width
	columnDeltas                   // differences of neighbours, zigzag in fixed width
	columnDict                     // a dictionary, then codes in fixed width
	columnBytes                    // raw bytes
	columnFloats                   // 8 bytes each
	columnLongs                    // 8-byte integers
	columnSame                     // computed from other columns
	columnGaps                     // as columnDeltas, of offsets made relative to their neighbours
	columnArcs                     // as columnInts, of heads made relative to their tokens
	columnEdits                    // as columnDict, of lemmas as edits of their forms
)

type codec uint8

const (
	codecRaw codec = iota
	codecS2
	codecZstd
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	})
	zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// blockWriter collects the columns of a block.
type blockWriter struct {
	rows    int
	headers []byte
	payload []byte
	raw     []byte
}

func newBlockWriter(rows int) *blockWriter { return &blockWriter{rows: rows} }

// add encodes w.raw as one column.
func (w *blockWriter) add(k columnKind, width int, squeeze codec) {
	raw := w.raw
	enc, c := raw, codecRaw
	if len(raw) >= 64 && squeeze != codecRaw {
		var z []byte
		if squeeze == codecZstd {
			z = zstdEncoder().EncodeAll(raw, nil)
		} else {
			z = s2.Encode(nil, raw)
		}
		if len(z) < len(raw)-len(raw)/8 {
			enc, c = z, squeeze
		}
	}
	var h [columnHeader]byte
	h[0], h[1], h[2] = byte(k), byte(c), byte(width)
	binary.LittleEndian.PutUint32(h[4:], uint32(len(raw)))
	binary.LittleEndian.PutUint32(h[8:], uint32(len(enc)))
	binary.LittleEndian.PutUint32(h[12:], crc32.Checksum(enc, castagnoli))
	w.headers = append(w.headers, h[:]...)
	w.payload = append(w.payload, enc...)
	w.raw = w.raw[:0]
}

func (w *blockWriter) none() { w.add(columnNone, 0, codecRaw) }

func (w *blockWriter) same() { w.add(columnSame, 0, codecRaw) }

func widthOf(top uint64) int {
	switch {
	case top < 1<<8:
		return 1
	case top < 1<<16:
		return 2
	}
	return 4
}

func putFixed(dst []byte, v uint32, width int) []byte {
	switch width {
	case 1:
		return append(dst, byte(v))
	case 2:
		return binary.LittleEndian.AppendUint16(dst, uint16(v))
	}
	return binary.LittleEndian.AppendUint32(dst, v)
}

// ints writes the least value and the differences to it.
func (w *blockWriter) ints(v []int32) { w.intsAs(columnInts, v) }

func (w *blockWriter) intsAs(k columnKind, v []int32) {
	if len(v) == 0 {
		w.none()
		return
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	width := widthOf(uint64(int64(hi) - int64(lo)))
	w.raw = binary.LittleEndian.AppendUint32(w.raw[:0], uint32(lo))
	for _, x := range v {
		w.raw = putFixed(w.raw, uint32(x-lo), width)
	}
	w.add(k, width, codecZstd)
}

func zigzag(x int32) uint32   { return uint32(x<<1) ^ uint32(x>>31) }
func unzigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

// deltas writes the differences of neighbours.
func (w *blockWriter) deltas(v []int32) { w.deltasAs(columnDeltas, v) }

func (w *blockWriter) deltasAs(k columnKind, v []int32) {
	if len(v) == 0 {
		w.none()
		return
	}
	last, top := int32(0), uint32(0)
	for _, x := range v {
		top = max(top, zigzag(x-last))
		last = x
	}
	width := widthOf(uint64(top))
	w.raw, last = w.raw[:0], 0
	for _, x := range v {
		w.raw = putFixed(w.raw, zigzag(x-last), width)
		last = x
	}
	w.add(k, width, codecZstd)
}

// words writes texts as a dictionary in the order of first occurrence.
func (w *blockWriter) words(v []string) { w.wordsAs(columnDict, v) }

func (w *blockWriter) wordsAs(k columnKind, v []string) {
	if len(v) == 0 {
		w.none()
		return
	}
	index := make(map[string]uint32, len(v)/4+1)
	var dict []string
	codes := make([]uint32, len(v))
	for i, s := range v {
		c, ok := index[s]
		if !ok {
			c = uint32(len(dict))
			index[s] = c
			dict = append(dict, s)
		}
		codes[i] = c
	}
	width := widthOf(uint64(len(dict) - 1))
	w.raw = binary.AppendUvarint(w.raw[:0], uint64(len(dict)))
	for _, s := range dict {
		w.raw = binary.AppendUvarint(w.raw, uint64(len(s)))
	}
	for _, s := range dict {
		w.raw = append(w.raw, s...)
	}
	for _, c := range codes {
		w.raw = putFixed(w.raw, c, width)
	}
	w.add(k, width, codecZstd)
}

func (w *blockWriter) bytes(p []byte) {
	w.raw = append(w.raw[:0], p...)
	w.add(columnBytes, 0, codecZstd)
}

func (w *blockWriter) floats(v []float64) {
	if len(v) == 0 {
		w.none()
		return
	}
	w.raw = w.raw[:0]
	for _, x := range v {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, math.Float64bits(x))
	}
	w.add(columnFloats, 0, codecZstd)
}

func (w *blockWriter) longs(v []uint64) {
	w.raw = w.raw[:0]
	for _, x := range v {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, x)
	}
	w.add(columnLongs, 0, codecZstd)
}

// finish returns the block.
func (w *blockWriter) finish() []byte {
	out := make([]byte, 0, blockHeader+len(w.headers)+len(w.payload))
	out = append(out, blockMagic, blockVersion)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(w.headers)/columnHeader))
	out = binary.LittleEndian.AppendUint32(out, uint32(w.rows))
	crc := crc32.Update(crc32.Checksum(out, castagnoli), castagnoli, w.headers)
	out = binary.LittleEndian.AppendUint32(out, crc)
	return append(append(out, w.headers...), w.payload...)
}

// block is a block to read from. Its bytes must not change.
type block struct {
	rows    int
	columns []columnAt
}

type columnAt struct {
	kind  columnKind
	codec codec
	width int
	raw   int
	enc   []byte
	crc   uint32
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: block: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

// openBlock checks the headers.
func openBlock(p []byte) (*block, error) {
	if len(p) < blockHeader || p[0] != blockMagic {
		return nil, damaged("no header")
	}
	if p[1] != blockVersion {
		return nil, damaged("version %d", p[1])
	}
	n := int(binary.LittleEndian.Uint16(p[2:]))
	b := &block{rows: int(binary.LittleEndian.Uint32(p[4:])), columns: make([]columnAt, n)}
	at := blockHeader + n*columnHeader
	if len(p) < at {
		return nil, damaged("cut short")
	}
	crc := crc32.Update(crc32.Checksum(p[:8], castagnoli), castagnoli, p[blockHeader:at])
	if crc != binary.LittleEndian.Uint32(p[8:]) {
		return nil, damaged("checksum of the headers")
	}
	for i := range b.columns {
		h := p[blockHeader+i*columnHeader:]
		c := &b.columns[i]
		c.kind, c.codec, c.width = columnKind(h[0]), codec(h[1]), int(h[2])
		c.raw, c.crc = int(binary.LittleEndian.Uint32(h[4:])), binary.LittleEndian.Uint32(h[12:])
		size := int(binary.LittleEndian.Uint32(h[8:]))
		if size > len(p)-at {
			return nil, damaged("column %d is cut short", i)
		}
		c.enc = p[at : at+size]
		at += size
	}
	return b, nil
}

// payload checks and unpacks a column.
func (b *block) payload(i int) ([]byte, columnAt, error) {
	if i >= len(b.columns) {
		return nil, columnAt{}, nil
	}
	c := b.columns[i]
	if crc32.Checksum(c.enc, castagnoli) != c.crc {
		return nil, c, damaged("checksum of column %d", i)
	}
	p := c.enc
	var err error
	switch c.codec {
	case codecS2:
		p, err = s2.Decode(nil, c.enc)
	case codecZstd:
		p, err = zstdDecoder().DecodeAll(c.enc, make([]byte, 0, c.raw))
	}
	if err != nil || len(p) != c.raw {
		return nil, c, damaged("column %d does not unpack", i)
	}
	return p, c, nil
}

func fixed(p []byte, width, n int) ([]uint32, error) {
	if len(p) != width*n || width != 1 && width != 2 && width != 4 {
		return nil, damaged("%d bytes for %d values of %d", len(p), n, width)
	}
	out := make([]uint32, n)
	switch width {
	case 1:
		for i, x := range p {
			out[i] = uint32(x)
		}
	case 2:
		for i := range out {
			out[i] = uint32(binary.LittleEndian.Uint16(p[2*i:]))
		}
	default:
		for i := range out {
			out[i] = binary.LittleEndian.Uint32(p[4*i:])
		}
	}
	return out, nil
}

// ints reads n integers; nil if the column is missing. n < 0 takes the block's rows.
func (b *block) ints(i, n int) ([]int32, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == columnNone || c.kind == columnSame {
		return nil, err
	}
	if n < 0 {
		n = b.rows
	}
	based := c.kind == columnInts || c.kind == columnArcs
	if !based && c.kind != columnDeltas && c.kind != columnGaps {
		return nil, damaged("column %d holds no integers", i)
	}
	lo := int32(0)
	if based {
		if len(p) < 4 {
			return nil, damaged("column %d is short", i)
		}
		lo, p = int32(binary.LittleEndian.Uint32(p)), p[4:]
	}
	raw, err := fixed(p, c.width, n)
	if err != nil {
		return nil, err
	}
	out := make([]int32, n)
	for k, x := range raw {
		if based {
			out[k] = lo + int32(x)
			continue
		}
		lo += unzigzag(x)
		out[k] = lo
	}
	return out, nil
}

// words reads a dictionary column; a nil dictionary if the column is missing.
func (b *block) words(i int) ([]uint32, *value.Dict, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == columnNone || c.kind == columnSame {
		return nil, nil, err
	}
	if c.kind != columnDict && c.kind != columnEdits {
		return nil, nil, damaged("column %d holds no texts", i)
	}
	n, w := binary.Uvarint(p)
	if w <= 0 || n > uint64(len(p)) {
		return nil, nil, damaged("dictionary of column %d", i)
	}
	p = p[w:]
	lens := make([]int, n)
	total := 0
	for k := range lens {
		l, w := binary.Uvarint(p)
		if w <= 0 || l > uint64(len(p)) {
			return nil, nil, damaged("dictionary of column %d", i)
		}
		p = p[w:]
		lens[k] = int(l)
		total += int(l)
	}
	if total < 0 || total > len(p) {
		return nil, nil, damaged("dictionary of column %d", i)
	}
	all := string(p[:total])
	d := &value.Dict{Words: make([]string, n)}
	at := 0
	for k, l := range lens {
		d.Words[k] = all[at : at+l]
		at += l
	}
	codes, err := fixed(p[total:], c.width, b.rows)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range codes {
		if uint64(x) >= n {
			return nil, nil, damaged("code of column %d", i)
		}
	}
	return codes, d, nil
}

func (b *block) bytes(i int) ([]byte, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind != columnBytes {
		if err == nil {
			err = damaged("column %d holds no bytes", i)
		}
		return nil, err
	}
	return p, nil
}

func (b *block) floats(i int) ([]float64, error) {
	u, err := b.longsOf(i, columnFloats)
	if u == nil || err != nil {
		return nil, err
	}
	out := make([]float64, len(u))
	for k, x := range u {
		out[k] = math.Float64frombits(x)
	}
	return out, nil
}

func (b *block) longs(i int) ([]uint64, error) { return b.longsOf(i, columnLongs) }

func (b *block) longsOf(i int, k columnKind) ([]uint64, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == columnNone {
		return nil, err
	}
	if c.kind != k || len(p) != 8*b.rows {
		return nil, damaged("column %d holds no long numbers", i)
	}
	out := make([]uint64, b.rows)
	for n := range out {
		out[n] = binary.LittleEndian.Uint64(p[8*n:])
	}
	return out, nil
}

// kind returns how a column is laid out; columnNone for one beyond the last.
func (b *block) kind(i int) columnKind {
	if i >= len(b.columns) {
		return columnNone
	}
	return b.columns[i].kind
}

// check verifies every checksum.
func (b *block) check() error {
	for i := range b.columns {
		if _, _, err := b.payload(i); err != nil {
			return err
		}
	}
	return nil
}
