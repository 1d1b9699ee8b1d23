package annotate

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/storage/value"
)

// contentHash hashes what a model reads of a unit: texts, metadata, and the layers and columns it names.
func contentHash(u []*text.Document, s *kind.Schema, buf []byte) ([16]byte, []byte) {
	buf = buf[:0]
	for _, d := range u {
		buf = appendString(buf, d.Text)
		for _, f := range s.Fields {
			buf = value.AppendRow(buf, []value.Value{d.Field(f)})
		}
		for _, r := range s.Reads {
			l := layerAsRead(d.Layer(r.Layer), r)
			if l == nil {
				buf = append(buf, 0)
				continue
			}
			buf = binary.AppendUvarint(append(buf, 1), uint64(l.N))
			for c := range l.Cols {
				if structural(l.Def, c) || readsColumn(r, l.Def.Columns[c].Name) {
					buf = appendCol(buf, &l.Cols[c])
				}
			}
			if l.Prob != nil || l.Rank != nil {
				buf = appendCol(appendCol(buf, &text.Col{Floats: l.Prob}), &text.Col{Ints: l.Rank})
			}
		}
	}
	sum := sha256.Sum256(buf)
	return [16]byte(sum[:16]), buf
}

// structural reports whether a column of tokens is part of what every model sees: sentences and offsets.
func structural(d *text.LayerDef, c int) bool {
	return d == text.Tokens && (d.Columns[c].Name == "sent" || d.Columns[c].Role == text.Offset)
}

func readsColumn(r kind.LayerUse, name string) bool {
	return r.Columns == nil || slices.Contains(r.Columns, name)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendCol(b []byte, c *text.Col) []byte {
	for _, x := range c.Ints {
		b = binary.AppendUvarint(b, uint64(uint32(x)))
	}
	for _, x := range c.Strs {
		b = appendString(b, x)
	}
	for _, x := range c.Floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}
