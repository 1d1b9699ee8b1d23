// Package block packs columns of integers, numbers, texts or bytes into a block and reads them one by one.
package block

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync"
	"unsafe"

	"parlance/storage/dbfile"
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
	magic        = 'P'
	version      = 1
	headerSize   = 12
	columnHeader = 16
)

// Kind is the encoding of the values of a column.
type Kind uint8

const (
	None   Kind = iota // every row is missing
	Ints               // differences to the least value, in fixed width
	Deltas             // differences of neighbours, zigzag in fixed width
	Dict               // a dictionary, then codes in fixed width
	Bytes              // raw bytes
	Floats             // 8 bytes each
	Longs              // 8-byte integers
	Same               // computed from other columns
	Gaps               // as Deltas, of offsets made relative to their neighbours
	Arcs               // as Ints, of heads made relative to their tokens
	Edits              // as Dict, of lemmas as edits of their forms
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

// Writer collects the columns of a block.
type Writer struct {
	rows    int
	headers []byte
	payload []byte
	raw     []byte
}

// NewWriter begins a block of that many rows.
func NewWriter(rows int) *Writer { return &Writer{rows: rows} }

// add encodes w.raw as one column.
func (w *Writer) add(k Kind, width int, squeeze codec) {
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

// None writes a column of which every row is missing.
func (w *Writer) None() { w.add(None, 0, codecRaw) }

// Same writes a column that is computed from others.
func (w *Writer) Same() { w.add(Same, 0, codecRaw) }

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

// Ints writes the least value and the differences to it.
func (w *Writer) Ints(v []int32) { w.IntsAs(Ints, v) }

// IntsAs is ints under another kind.
func (w *Writer) IntsAs(k Kind, v []int32) {
	if len(v) == 0 {
		w.None()
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

// Zigzag maps integers of small magnitude to small numbers.
func Zigzag(x int32) uint32 { return uint32(x<<1) ^ uint32(x>>31) }

// Unzigzag is the reverse of zigzag.
func Unzigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

// Deltas writes the differences of neighbours.
func (w *Writer) Deltas(v []int32) { w.DeltasAs(Deltas, v) }

// DeltasAs is deltas under another kind.
func (w *Writer) DeltasAs(k Kind, v []int32) {
	if len(v) == 0 {
		w.None()
		return
	}
	last, top := int32(0), uint32(0)
	for _, x := range v {
		top = max(top, Zigzag(x-last))
		last = x
	}
	width := widthOf(uint64(top))
	w.raw, last = w.raw[:0], 0
	for _, x := range v {
		w.raw = putFixed(w.raw, Zigzag(x-last), width)
		last = x
	}
	w.add(k, width, codecZstd)
}

// Words writes texts as a dictionary in the order of first occurrence.
func (w *Writer) Words(v []string) { w.WordsAs(Dict, v) }

// WordsAs is words under another kind.
func (w *Writer) WordsAs(k Kind, v []string) {
	if len(v) == 0 {
		w.None()
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

// Bytes writes a column of bytes.
func (w *Writer) Bytes(p []byte) { w.bytesBy(p, codecZstd) }

// RawBytes writes a column of bytes that is not compressed.
func (w *Writer) RawBytes(p []byte) { w.bytesBy(p, codecRaw) }

func (w *Writer) bytesBy(p []byte, c codec) {
	w.raw = append(w.raw[:0], p...)
	w.add(Bytes, 0, c)
}

// Floats writes 8 bytes a number.
func (w *Writer) Floats(v []float64) {
	if len(v) == 0 {
		w.None()
		return
	}
	w.raw = w.raw[:0]
	for _, x := range v {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, math.Float64bits(x))
	}
	w.add(Floats, 0, codecZstd)
}

// Longs writes 8-byte integers.
func (w *Writer) Longs(v []uint64) {
	w.raw = w.raw[:0]
	for _, x := range v {
		w.raw = binary.LittleEndian.AppendUint64(w.raw, x)
	}
	w.add(Longs, 0, codecZstd)
}

// Finish returns the block.
func (w *Writer) Finish() []byte {
	out := make([]byte, 0, headerSize+len(w.headers)+len(w.payload))
	out = append(out, magic, version)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(w.headers)/columnHeader))
	out = binary.LittleEndian.AppendUint32(out, uint32(w.rows))
	crc := crc32.Update(crc32.Checksum(out, castagnoli), castagnoli, w.headers)
	out = binary.LittleEndian.AppendUint32(out, crc)
	return append(append(out, w.headers...), w.payload...)
}

// Block is a block to read from. Its bytes must not change.
type Block struct {
	Rows    int
	columns []columnAt
}

type columnAt struct {
	kind  Kind
	codec codec
	width int
	raw   int
	enc   []byte
	crc   uint32
}

// Damaged is dbfile.ErrCorrupt with what is wrong with a block.
func Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: block: %s", dbfile.ErrCorrupt, fmt.Sprintf(format, args...))
}

// Open checks the headers; dbfile.ErrCorrupt if they are damaged.
func Open(p []byte) (*Block, error) {
	if len(p) < headerSize || p[0] != magic {
		return nil, Damaged("no header")
	}
	if p[1] != version {
		return nil, Damaged("version %d", p[1])
	}
	n := int(binary.LittleEndian.Uint16(p[2:]))
	b := &Block{Rows: int(binary.LittleEndian.Uint32(p[4:])), columns: make([]columnAt, n)}
	at := headerSize + n*columnHeader
	if len(p) < at {
		return nil, Damaged("cut short")
	}
	crc := crc32.Update(crc32.Checksum(p[:8], castagnoli), castagnoli, p[headerSize:at])
	if crc != binary.LittleEndian.Uint32(p[8:]) {
		return nil, Damaged("checksum of the headers")
	}
	for i := range b.columns {
		h := p[headerSize+i*columnHeader:]
		c := &b.columns[i]
		c.kind, c.codec, c.width = Kind(h[0]), codec(h[1]), int(h[2])
		c.raw, c.crc = int(binary.LittleEndian.Uint32(h[4:])), binary.LittleEndian.Uint32(h[12:])
		size := int(binary.LittleEndian.Uint32(h[8:]))
		if size > len(p)-at {
			return nil, Damaged("column %d is cut short", i)
		}
		c.enc = p[at : at+size]
		at += size
	}
	return b, nil
}

// payload checks and unpacks a column.
func (b *Block) payload(i int) ([]byte, columnAt, error) {
	if i >= len(b.columns) {
		return nil, columnAt{}, nil
	}
	c := b.columns[i]
	if crc32.Checksum(c.enc, castagnoli) != c.crc {
		return nil, c, Damaged("checksum of column %d", i)
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
		return nil, c, Damaged("column %d does not unpack", i)
	}
	return p, c, nil
}

func fixed(p []byte, width, n int) ([]uint32, error) {
	if len(p) != width*n || width != 1 && width != 2 && width != 4 {
		return nil, Damaged("%d bytes for %d values of %d", len(p), n, width)
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

// Ints reads n integers; nil if the column is missing. n < 0 takes the block's rows.
func (b *Block) Ints(i, n int) ([]int32, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == None || c.kind == Same {
		return nil, err
	}
	if n < 0 {
		n = b.Rows
	}
	based := c.kind == Ints || c.kind == Arcs
	if !based && c.kind != Deltas && c.kind != Gaps {
		return nil, Damaged("column %d holds no integers", i)
	}
	lo := int32(0)
	if based {
		if len(p) < 4 {
			return nil, Damaged("column %d is short", i)
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
		lo += Unzigzag(x)
		out[k] = lo
	}
	return out, nil
}

// text is bytes of the payload of a column as a text. What was unpacked is memory of its own that nothing changes, and
// is not copied.
func (c *columnAt) text(p []byte) string {
	if c.codec == codecRaw {
		return string(p)
	}
	return unsafe.String(unsafe.SliceData(p), len(p))
}

// Words reads a dictionary column; a nil dictionary if the column is missing.
func (b *Block) Words(i int) ([]uint32, *value.Dict, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == None || c.kind == Same {
		return nil, nil, err
	}
	if c.kind != Dict && c.kind != Edits {
		return nil, nil, Damaged("column %d holds no texts", i)
	}
	n, w := binary.Uvarint(p)
	if w <= 0 || n > uint64(len(p)) {
		return nil, nil, Damaged("dictionary of column %d", i)
	}
	p = p[w:]
	lens := make([]int, n)
	total := 0
	for k := range lens {
		l, w := binary.Uvarint(p)
		if w <= 0 || l > uint64(len(p)) {
			return nil, nil, Damaged("dictionary of column %d", i)
		}
		p = p[w:]
		lens[k] = int(l)
		total += int(l)
	}
	if total < 0 || total > len(p) {
		return nil, nil, Damaged("dictionary of column %d", i)
	}
	all := c.text(p[:total])
	d := &value.Dict{Words: make([]string, n)}
	at := 0
	for k, l := range lens {
		d.Words[k] = all[at : at+l]
		at += l
	}
	codes, err := fixed(p[total:], c.width, b.Rows)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range codes {
		if uint64(x) >= n {
			return nil, nil, Damaged("code of column %d", i)
		}
	}
	return codes, d, nil
}

// Bytes reads a column of bytes.
func (b *Block) Bytes(i int) ([]byte, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind != Bytes {
		if err == nil {
			err = Damaged("column %d holds no bytes", i)
		}
		return nil, err
	}
	return p, nil
}

// Floats reads a column of numbers; nil if the column is missing.
func (b *Block) Floats(i int) ([]float64, error) {
	u, err := b.longsOf(i, Floats)
	if u == nil || err != nil {
		return nil, err
	}
	out := make([]float64, len(u))
	for k, x := range u {
		out[k] = math.Float64frombits(x)
	}
	return out, nil
}

// Longs reads a column of 8-byte integers; nil if the column is missing.
func (b *Block) Longs(i int) ([]uint64, error) { return b.longsOf(i, Longs) }

func (b *Block) longsOf(i int, k Kind) ([]uint64, error) {
	p, c, err := b.payload(i)
	if err != nil || c.kind == None {
		return nil, err
	}
	if c.kind != k || len(p) != 8*b.Rows {
		return nil, Damaged("column %d holds no long numbers", i)
	}
	out := make([]uint64, b.Rows)
	for n := range out {
		out[n] = binary.LittleEndian.Uint64(p[8*n:])
	}
	return out, nil
}

// Width is the number of columns.
func (b *Block) Width() int { return len(b.columns) }

// Kind returns how a column is laid out; None for one beyond the last.
func (b *Block) Kind(i int) Kind {
	if i >= len(b.columns) {
		return None
	}
	return b.columns[i].kind
}

// Check verifies every checksum.
func (b *Block) Check() error {
	for i := range b.columns {
		if _, _, err := b.payload(i); err != nil {
			return err
		}
	}
	return nil
}
