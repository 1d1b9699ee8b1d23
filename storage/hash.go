package storage

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
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

// hashDocument hashes id, text, metadata and gold layers of a document: SHA-256, the first 16
// bytes. Missing values and the order of layers and metadata do not count; stored predictions,
// whose name is not that of their definition, do not either. buf is scratch space.
func hashDocument(d *text.Document, buf []byte) ([16]byte, []byte) {
	b := appendString(appendString(buf[:0], d.ID), d.Text)
	fields := append([]text.Field{}, d.Fields...)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	for _, f := range fields {
		if f.Value.IsNull() {
			continue
		}
		b = appendString(b, f.Name)
		b = value.AppendRow(b, []value.Value{f.Value})
	}
	layers := append([]*text.Layer{}, d.Layers...)
	sort.Slice(layers, func(i, j int) bool { return layers[i].Name < layers[j].Name })
	for _, l := range layers {
		if l.Name != l.Def.Name || l.N == 0 {
			continue
		}
		b = binary.AppendUvarint(appendString(b, l.Name), uint64(l.N))
		for c := range l.Cols {
			switch col := l.Def.Columns[c]; {
			case col.Role == text.Form:
				b = appendForms(append(b, byte(c)), d, l, c)
			case col.Stored():
				b = appendColumn(append(b, byte(c)), &l.Cols[c])
			}
		}
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:16]), b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendForms appends the rows whose form is not what the offsets cut out of the text.
func appendForms(b []byte, d *text.Document, l *text.Layer, c int) []byte {
	cut := newCutter(d, l)
	for i, form := range l.Cols[c].Strs {
		if s, ok := cut.at(i); !ok || s != form {
			b = appendString(binary.AppendUvarint(b, uint64(i)), form)
		}
	}
	return b
}

func appendColumn(b []byte, c *text.Col) []byte {
	for _, x := range c.Ints {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	if anyText(c.Strs) {
		for _, s := range c.Strs {
			b = appendString(b, s)
		}
	}
	for _, x := range c.Floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
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
