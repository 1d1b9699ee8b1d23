package catalog

import (
	"encoding/binary"
	"slices"
	"strconv"

	"parlance/storage/value"
)

// RENAME and DROP of a column change only the catalog. A column has a stored name, the one it was created with, under
// which segments store metadata and indexes are numbered; stored names are never reused. Content hashes of documents
// use stored names too. Rows of a table store values in slots; the slot of a dropped column stays.

// StoredName is the name of the column in the file.
func (c *ColumnDef) StoredName() string {
	if c.Stored != "" {
		return c.Stored
	}
	return c.Name
}

// StoredName returns the stored name of a column, declared or not.
func (o *Object) StoredName(name string) string {
	if i := o.Column(name); i >= 0 {
		return o.Columns[i].StoredName()
	}
	return name
}

// VisibleName returns the name of the column with a stored name; ok is false for dropped ones.
func (o *Object) VisibleName(stored string) (name string, ok bool) {
	for i := range o.Columns {
		if o.Columns[i].StoredName() == stored {
			return o.Columns[i].Name, true
		}
	}
	return stored, !slices.Contains(o.Retired, stored) && o.Column(stored) < 0
}

// FreeName returns the stored name of a new column; empty if its name was never used and can be the stored name.
func (o *Object) FreeName(name string) string {
	used := func(s string) bool {
		return slices.Contains(o.Retired, s) || slices.ContainsFunc(o.Columns, func(c ColumnDef) bool {
			return c.StoredName() == s
		})
	}
	if !used(name) {
		return ""
	}
	n := 2
	for used(name + "#" + strconv.Itoa(n)) {
		n++
	}
	return name + "#" + strconv.Itoa(n)
}

// Alteration encodes how columns were renamed and dropped, for hashes of content: objects with the same stored content
// may show it under different columns. It is nil if no column was renamed or dropped.
func (o *Object) Alteration() []byte {
	changed := len(o.Retired) > 0
	var b []byte
	for _, c := range o.Columns {
		changed = changed || c.Stored != ""
		b = appendName(appendName(b, c.Name), c.StoredName())
	}
	if !changed {
		return nil
	}
	for _, s := range o.Retired {
		b = appendName(b, s)
	}
	return b
}

func appendName(b []byte, name string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(name))), name...)
}

// SameColumns reports whether rows for one version of an entry are valid for another one.
func SameColumns(a, b *Object) bool {
	return slices.EqualFunc(a.Columns, b.Columns, func(x, y ColumnDef) bool {
		return x.StoredName() == y.StoredName() && x.Type == y.Type
	})
}

// Slot is the place of column i in stored rows, 0-based.
func (o *Object) Slot(i int) int {
	if s := o.Columns[i].Slot; s > 0 {
		return s - 1
	}
	return i
}

// Slots is the number of columns in storage.
func (o *Object) Slots() int { return max(o.Width, len(o.Columns)) }

// SlotTypes are the types of the columns in storage, Null where a column was dropped.
func (o *Object) SlotTypes() []value.Type {
	out := make([]value.Type, o.Slots())
	for i, c := range o.Columns {
		out[o.Slot(i)] = c.Type
	}
	return out
}

// NeededSlots are the slots of columns that are needed; nil means all.
func (o *Object) NeededSlots(need []bool) []bool {
	if need == nil {
		return nil
	}
	out := make([]bool, o.Slots())
	for i, yes := range need {
		out[o.Slot(i)] = yes
	}
	return out
}

// BySlot puts the values of a row into their slots.
func (o *Object) BySlot(row []value.Value) []value.Value {
	if o.Width == 0 {
		return row
	}
	out := make([]value.Value, o.Width)
	for i, v := range row {
		out[o.Slot(i)] = v
	}
	return out
}

// ColumnsOf is the reverse of bySlot. Columns that were added after the row was stored are NULL.
func (o *Object) ColumnsOf(row []value.Value) []value.Value {
	out := make([]value.Value, len(o.Columns))
	for i := range out {
		if s := o.Slot(i); s < len(row) {
			out[i] = row[s]
		}
	}
	return out
}
