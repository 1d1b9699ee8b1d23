package storage

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
	"sort"

	"parlance/algo/text"
	"parlance/storage/value"
)

// addHash adds content hashes as 128-bit numbers, lane by lane of 64 bits, so that their order
// does not matter.
func addHash(sum *[16]byte, h [16]byte) {
	lo := binary.LittleEndian.Uint64(sum[:8]) + binary.LittleEndian.Uint64(h[:8])
	hi := binary.LittleEndian.Uint64(sum[8:]) + binary.LittleEndian.Uint64(h[8:])
	binary.LittleEndian.PutUint64(sum[:8], lo)
	binary.LittleEndian.PutUint64(sum[8:], hi)
}

func subHash(sum *[16]byte, h [16]byte) {
	lo := binary.LittleEndian.Uint64(sum[:8]) - binary.LittleEndian.Uint64(h[:8])
	hi := binary.LittleEndian.Uint64(sum[8:]) - binary.LittleEndian.Uint64(h[8:])
	binary.LittleEndian.PutUint64(sum[:8], lo)
	binary.LittleEndian.PutUint64(sum[8:], hi)
}

// hashDocument hashes id, text, metadata and gold layers of a document: the first 16 bytes of SHA-256. Missing values,
// the order of layers and metadata, and stored predictions do not count. buf is a scratch buffer.
func hashDocument(d *text.Document, buf []byte) ([16]byte, []byte) {
	h := contentHash{buf: buf[:0]}
	h.string(d.ID)
	h.string(d.Text)
	fields := append([]text.Field{}, d.Fields...)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	for _, f := range fields {
		if f.Value.IsNull() {
			continue
		}
		h.string(f.Name)
		h.buf = value.AppendRow(h.buf, []value.Value{f.Value})
	}
	layers := append([]*text.Layer{}, d.Layers...)
	sort.Slice(layers, func(i, j int) bool { return layers[i].Name < layers[j].Name })
	for _, l := range layers {
		if l.Name != l.Def.Name || l.N == 0 {
			continue
		}
		h.buf = binary.AppendUvarint(appendString(h.buf, l.Name), uint64(l.N))
		for c := range l.Cols {
			switch col := l.Def.Columns[c]; {
			case col.Role == text.Form:
				h.buf = append(h.buf, byte(c))
				h.forms(d, l, c)
			case col.Stored():
				h.buf = append(h.buf, byte(c))
				h.column(&l.Cols[c])
			}
		}
	}
	return h.sum(), h.buf
}

// DocumentHash hashes id, text, metadata and gold layers of a document as far as they were read. buf is a scratch
// buffer, which is returned.
func DocumentHash(d *text.Document, buf []byte) ([16]byte, []byte) { return hashDocument(d, buf) }

// contentHash hashes what is appended to its buffer, which stays small.
type contentHash struct {
	buf   []byte
	begun hash.Hash // of what was hashed so far; nil if nothing was
}

// hashedBytes is about what the buffer holds.
const hashedBytes = 64 << 10

// pass hashes the buffer when it is full.
func (h *contentHash) pass() {
	if len(h.buf) < hashedBytes {
		return
	}
	if h.begun == nil {
		h.begun = sha256.New()
	}
	h.begun.Write(h.buf)
	h.buf = h.buf[:0]
}

// sum returns the first 16 bytes.
func (h *contentHash) sum() [16]byte {
	if h.begun == nil {
		sum := sha256.Sum256(h.buf)
		return [16]byte(sum[:16])
	}
	h.begun.Write(h.buf)
	return [16]byte(h.begun.Sum(nil)[:16])
}

func (h *contentHash) string(s string) {
	h.buf = binary.AppendUvarint(h.buf, uint64(len(s)))
	for len(s) > hashedBytes {
		h.buf = append(h.buf, s[:hashedBytes]...)
		s = s[hashedBytes:]
		h.pass()
	}
	h.buf = append(h.buf, s...)
	h.pass()
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// forms hashes the rows whose form is not what the offsets cut out of the text.
func (h *contentHash) forms(d *text.Document, l *text.Layer, c int) {
	cut := newCutter(d, l)
	for i, form := range l.Cols[c].Strs {
		if s, ok := cut.at(i); !ok || s != form {
			h.buf = binary.AppendUvarint(h.buf, uint64(i))
			h.string(form)
		}
	}
}

func (h *contentHash) column(c *text.Col) {
	for ints := range slices.Chunk(c.Ints, hashedBytes/4) {
		for _, x := range ints {
			h.buf = binary.LittleEndian.AppendUint32(h.buf, uint32(x))
		}
		h.pass()
	}
	if anyText(c.Strs) {
		for _, s := range c.Strs {
			h.string(s)
		}
	}
	for floats := range slices.Chunk(c.Floats, hashedBytes/8) {
		for _, x := range floats {
			h.buf = binary.LittleEndian.AppendUint64(h.buf, math.Float64bits(x))
		}
		h.pass()
	}
}

// anyText reports whether any text is not missing.
func anyText(v []string) bool {
	for _, s := range v {
		if s != "" {
			return true
		}
	}
	return false
}
