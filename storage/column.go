package storage

import (
	"context"
	"fmt"
	"slices"

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
