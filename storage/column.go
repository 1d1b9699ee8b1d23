package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
)

// namesOf translate the names of metadata columns of a corpus.
func namesOf(o *Object) documents.Names {
	return documents.Names{Stored: o.StoredName, Visible: o.VisibleName}
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
func (s *Store) AddColumn(ctx context.Context, o *Object, c catalog.ColumnDef) (*Object, error) {
	return s.alterColumns(ctx, o, func(x *Object) error {
		if x.Column(c.Name) >= 0 {
			return fmt.Errorf("column %s of %s %w", c.Name, x.Name, ErrExists)
		}
		c.Stored, c.Slot = x.FreeName(c.Name), 0
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
		x.Retired = append(slices.Clone(x.Retired), x.Columns[i].StoredName())
		columns := slices.Clone(x.Columns)
		if x.Kind != catalog.CorpusObject {
			if x.Width == 0 {
				x.Width = len(columns)
			}
			for k := range columns {
				columns[k].Slot = x.Slot(k) + 1
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
		if c.Stored = c.StoredName(); c.Stored == to {
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
	for _, columns := range [][]catalog.ColumnDef{l.o.Columns, l.now.Columns, l.columns} {
		for i := range columns {
			if columns[i].Name == name {
				return columns[i].StoredName(), true
			}
		}
	}
	return name, l.now.FreeName(name) == ""
}
