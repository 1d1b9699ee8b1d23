package storage

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"parlance/algo/text"
	"parlance/storage/documents"
	"parlance/storage/value"
)

// RENAME and DROP of a column change only the catalog. A column has a stored name, the one it was created with, under
// which segments store metadata and indexes are numbered; stored names are never reused. Content hashes of documents
// use stored names too. Rows of a table store values in slots; the slot of a dropped column stays.

func (c *ColumnDef) stored() string {
	if c.Stored != "" {
		return c.Stored
	}
	return c.Name
}

// storedName returns the stored name of a column, declared or not.
func (o *Object) storedName(name string) string {
	if i := o.Column(name); i >= 0 {
		return o.Columns[i].stored()
	}
	return name
}

// visibleName returns the name of the column with a stored name; ok is false for dropped ones.
func (o *Object) visibleName(stored string) (name string, ok bool) {
	for i := range o.Columns {
		if o.Columns[i].stored() == stored {
			return o.Columns[i].Name, true
		}
	}
	return stored, !slices.Contains(o.Retired, stored) && o.Column(stored) < 0
}

// names translate the names of metadata columns.
func (o *Object) names() documents.Names {
	return documents.Names{Stored: o.storedName, Visible: o.visibleName}
}

// freeName returns the stored name of a new column; empty if its name was never used and can be the stored name.
func (o *Object) freeName(name string) string {
	used := func(s string) bool {
		return slices.Contains(o.Retired, s) || slices.ContainsFunc(o.Columns, func(c ColumnDef) bool {
			return c.stored() == s
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

// alteration encodes how columns were renamed and dropped, for hashes of content: objects with the same stored content
// may show it under different columns. It is nil if no column was renamed or dropped.
func (o *Object) alteration() []byte {
	changed := len(o.Retired) > 0
	var b []byte
	for _, c := range o.Columns {
		changed = changed || c.Stored != ""
		b = appendName(appendName(b, c.Name), c.stored())
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

// sameColumns reports whether rows for one version of an entry are valid for another one.
func sameColumns(a, b *Object) bool {
	return slices.EqualFunc(a.Columns, b.Columns, func(x, y ColumnDef) bool {
		return x.stored() == y.stored() && x.Type == y.Type
	})
}

// slot is the place of column i in stored rows, 0-based.
func (o *Object) slot(i int) int {
	if s := o.Columns[i].Slot; s > 0 {
		return s - 1
	}
	return i
}

// slots is the number of columns in storage.
func (o *Object) slots() int { return max(o.Width, len(o.Columns)) }

// slotTypes are the types of the columns in storage, Null where a column was dropped.
func (o *Object) slotTypes() []value.Type {
	out := make([]value.Type, o.slots())
	for i, c := range o.Columns {
		out[o.slot(i)] = c.Type
	}
	return out
}

// neededSlots are the slots of columns that are needed; nil means all.
func (o *Object) neededSlots(need []bool) []bool {
	if need == nil {
		return nil
	}
	out := make([]bool, o.slots())
	for i, yes := range need {
		out[o.slot(i)] = yes
	}
	return out
}

// bySlot puts the values of a row into their slots.
func (o *Object) bySlot(row []value.Value) []value.Value {
	if o.Width == 0 {
		return row
	}
	out := make([]value.Value, o.Width)
	for i, v := range row {
		out[o.slot(i)] = v
	}
	return out
}

// columnsOf is the reverse of bySlot. Columns that were added after the row was stored are NULL.
func (o *Object) columnsOf(row []value.Value) []value.Value {
	out := make([]value.Value, len(o.Columns))
	for i := range out {
		if s := o.slot(i); s < len(row) {
			out[i] = row[s]
		}
	}
	return out
}

// alterColumns changes the columns of an object while nothing writes it.
func (s *Store) alterColumns(ctx context.Context, o *Object, change func(*Object) error) (*Object, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	now, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return s.alterEntry(ctx, now, change)
}

// AddColumn adds a column, NULL in all rows or documents; ErrExists if the name is taken. It
// waits for writers of the object.
func (s *Store) AddColumn(ctx context.Context, o *Object, c ColumnDef) (*Object, error) {
	return s.alterColumns(ctx, o, func(x *Object) error {
		if x.Column(c.Name) >= 0 {
			return fmt.Errorf("column %s of %s %w", c.Name, x.Name, ErrExists)
		}
		c.Stored, c.Slot = x.freeName(c.Name), 0
		if x.Width > 0 {
			x.Width++
			c.Slot = x.Width
		}
		x.Columns = append(slices.Clone(x.Columns), c)
		return nil
	})
}

// DropColumn removes a column; ErrNotFound if there is none. Its values stay in the file
// until their documents or rows are rewritten, but cannot be read. It waits for writers of the object.
func (s *Store) DropColumn(ctx context.Context, o *Object, name string) (*Object, error) {
	return s.alterColumns(ctx, o, func(x *Object) error {
		i := x.Column(name)
		if i < 0 {
			return fmt.Errorf("column %s of %s %w", name, x.Name, ErrNotFound)
		}
		for _, cols := range x.Indexes {
			if slices.Contains(cols, name) {
				return fmt.Errorf("column %s of %s: %w by an index on %v", name, x.Name, ErrInUse, cols)
			}
		}
		x.Retired = append(slices.Clone(x.Retired), x.Columns[i].stored())
		columns := slices.Clone(x.Columns)
		if x.Kind != CorpusObject {
			if x.Width == 0 {
				x.Width = len(columns)
			}
			for k := range columns {
				columns[k].Slot = x.slot(k) + 1
			}
		}
		x.Columns = slices.Delete(columns, i, i+1)
		return nil
	})
}

// RenameColumn renames a column, also in indexes. ErrNotFound if there is no such column, ErrExists if the name is
// taken. It waits for writers of the object.
func (s *Store) RenameColumn(ctx context.Context, o *Object, name, to string) (*Object, error) {
	return s.alterColumns(ctx, o, func(x *Object) error {
		i := x.Column(name)
		if i < 0 {
			return fmt.Errorf("column %s of %s %w", name, x.Name, ErrNotFound)
		}
		if name == to {
			return nil
		}
		if x.Column(to) >= 0 {
			return fmt.Errorf("column %s of %s %w", to, x.Name, ErrExists)
		}
		x.Columns = slices.Clone(x.Columns)
		c := &x.Columns[i]
		if c.Stored = c.stored(); c.Stored == to {
			c.Stored = ""
		}
		c.Name = to
		x.Indexes = slices.Clone(x.Indexes)
		for k, cols := range x.Indexes {
			x.Indexes[k] = slices.Clone(cols)
			for j := range cols {
				if cols[j] == name {
					x.Indexes[k][j] = to
				}
			}
		}
		return nil
	})
}

// entry returns the present catalog entry of an object, as the statement of the context sees it; o itself if the object
// was dropped.
func (s *Store) entry(ctx context.Context, o *Object) *Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if now := transaction(ctx).object(s.cat, o.ID); now != nil {
		return now
	}
	return o
}

// underStoredNames returns the document with the stored names of its metadata.
func (l *Load) underStoredNames(d *text.Document) (*text.Document, error) {
	if l.raw || len(d.Fields) == 0 {
		return d, nil
	}
	var fields []text.Field
	for i, f := range d.Fields {
		stored, ok := l.storedName(f.Name)
		if !ok {
			return nil, fmt.Errorf("document %s: corpus %s has no column %s", d.ID, l.o.Name, f.Name)
		}
		if stored == f.Name {
			continue
		}
		if fields == nil {
			fields = slices.Clone(d.Fields)
		}
		fields[i].Name = stored
	}
	if fields == nil {
		return d, nil
	}
	c := *d
	c.Fields = fields
	return &c, nil
}

// storedName returns the stored name of a column. It looks in the entry that the caller has, in the present entry, and
// in the columns that the load adds. An undeclared name is its own stored name, unless another column is stored under
// it.
func (l *Load) storedName(name string) (string, bool) {
	for _, columns := range [][]ColumnDef{l.o.Columns, l.now.Columns, l.columns} {
		for i := range columns {
			if columns[i].Name == name {
				return columns[i].stored(), true
			}
		}
	}
	return name, l.now.freeName(name) == ""
}
