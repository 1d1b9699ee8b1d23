package storage

import (
	"cmp"
	"context"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/table"
	"parlance/storage/value"
)

// TableCount returns the present number of rows.
func (s *Store) TableCount(o *Object) int {
	sn := s.Snapshot()
	defer sn.Close()
	return sn.TableCount(o)
}

// TableHash is that of a snapshot of now.
func (s *Store) TableHash(o *Object) [32]byte {
	sn := s.Snapshot()
	defer sn.Close()
	return sn.TableHash(o)
}

// ScanTable is that of a snapshot of now.
func (s *Store) ScanTable(ctx context.Context, o *Object, need []bool,
	emit func(rows []uint64, b *value.Batch) error) error {
	sn := s.Snapshot()
	defer sn.Close()
	return sn.ScanTable(ctx, o, need, emit)
}

// LookupRows is that of a snapshot of now.
func (s *Store) LookupRows(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	sn := s.Snapshot()
	defer sn.Close()
	return sn.LookupRows(ctx, o, cols, ranges, nil, emit)
}

// InsertRows adds rows in one transaction.
func (s *Store) InsertRows(ctx context.Context, o *Object, rows [][]value.Value) (int, error) {
	l, err := s.NewTableLoad(o)
	if err != nil {
		return 0, err
	}
	defer l.Abort()
	if err := l.Add(ctx, rows, nil); err != nil {
		return 0, err
	}
	return l.Commit(ctx)
}

// DeleteRows deletes rows by number and returns how many there were.
func (s *Store) DeleteRows(ctx context.Context, o *Object, rows []uint64) (int, error) {
	c, err := s.NewRowsChange(ctx, o)
	if err != nil {
		return 0, err
	}
	defer c.Abort()
	if err := c.deleteRows(ctx, rows); err != nil {
		return 0, err
	}
	return c.Commit(ctx)
}

// UpdateRows puts new values in the place of rows.
func (s *Store) UpdateRows(ctx context.Context, o *Object, ids []uint64, rows [][]value.Value) error {
	c, err := s.NewRowsChange(ctx, o)
	if err != nil {
		return err
	}
	defer c.Abort()
	if err := c.updateRows(ctx, ids, rows); err != nil {
		return err
	}
	_, err = c.Commit(ctx)
	return err
}

// updateRows gives rows, in any order, new values. Of several updates of a row the last counts.
func (c *RowsChange) updateRows(ctx context.Context, ids []uint64, rows [][]value.Value) error {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
		if err := table.CheckRow(c.o, rows[i]); err != nil {
			return err
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	var sorted []uint64
	var list [][]value.Value
	for i, k := range order {
		if i+1 == len(order) || ids[order[i+1]] != ids[k] {
			sorted, list = append(sorted, ids[k]), append(list, rows[k])
		}
	}
	types, columns := make([]value.Type, len(c.o.Columns)), make([]int, len(c.o.Columns))
	for i, column := range c.o.Columns {
		types[i], columns[i] = column.Type, i
	}
	return c.Update(ctx, sorted, nil, columns, value.FromRows(types, list).Cols)
}
