package catalog

import (
	"bytes"
	"encoding/binary"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/value"
)

// An index of a table is a part of each generation (storage/relation). Its number is a hash of the columns.

// Indexed reports whether there is an index on exactly these columns.
func (o *Object) Indexed(cols []string) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
}

// HasEntries reports whether an index has a prefix.
func (o *Object) HasEntries(prefix []byte) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return bytes.Equal(IndexPrefix(o, c), prefix) })
}

// IndexPrefix identifies an index: object u32 | hash of the stored names of the columns u32.
func IndexPrefix(o *Object, cols []string) []byte {
	h := uint32(2166136261)
	for _, c := range cols {
		c = o.StoredName(c)
		for i := range len(c) {
			h = (h ^ uint32(c[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619
	}
	return dbfile.Key(o.ID, h)
}

// TableIndex returns an index of a table.
func (o *Object) TableIndex(cols []string) *relation.Index {
	slots := make([]int, len(cols))
	for i, c := range cols {
		slots[i] = o.Slot(o.Column(c))
	}
	return &relation.Index{Number: binary.BigEndian.Uint32(IndexPrefix(o, cols)[4:]), Slots: slots, Whole: IndexKeyBytes,
		Key: func(dst []byte, row []value.Value) []byte {
			from := len(dst)
			for _, s := range slots {
				v := value.Value{}
				if s < len(row) {
					v = row[s]
				}
				dst = value.AppendKey(dst, v)
			}
			return boundedFrom(dst, from)
		}}
}

// TableIndexes returns all indexes of a table.
func (o *Object) TableIndexes() []*relation.Index {
	out := make([]*relation.Index, len(o.Indexes))
	for i, cols := range o.Indexes {
		out[i] = o.TableIndex(cols)
	}
	return out
}

// lookupKey is the key of the values of an index's columns.
func lookupKey(values []value.Value) []byte {
	var k []byte
	for _, v := range values {
		k = value.AppendKey(k, v)
	}
	return Bounded(k)
}

// StoredIndexes lists the columns of the indexes by their stored names.
func (o *Object) StoredIndexes() [][]string {
	out := make([][]string, len(o.Indexes))
	for i, cols := range o.Indexes {
		for _, c := range cols {
			out[i] = append(out[i], o.StoredName(c))
		}
	}
	return out
}

// EntryRanges are the ranges of keys of ranges of an index.
func EntryRanges(cols []string, ranges []KeyRange) []relation.Range {
	out := make([]relation.Range, len(ranges))
	for i := range ranges {
		out[i].From, out[i].To = ranges[i].Entries(cols)
	}
	return out
}

// Entries returns where the keys of a range of an index begin and end; no end is nil.
func (r *KeyRange) Entries(cols []string) (from, to []byte) {
	if len(r.Equal) == len(cols) {
		from = lookupKey(r.Equal)
		return from, append(bytes.Clone(from), 0)
	}
	return r.Bounds(nil)
}
