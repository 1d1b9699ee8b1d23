package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// CreateIndex indexes columns of a table, or metadata of a corpus; ErrExists if they are indexed already, ErrNotFound
// if there is no such column.
func (s *Store) CreateIndex(ctx context.Context, o *Object, cols []string) (err error) {
	o, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	t, prefix := transaction(ctx), catalog.IndexPrefix(o, cols)
	if o.Indexed(cols) {
		return fmt.Errorf("index of %s on %v %w", o.Name, cols, ErrExists)
	}
	for _, c := range cols {
		if o.Column(c) < 0 {
			return fmt.Errorf("column %s of %s: %w", c, o.Name, ErrNotFound)
		}
	}
	fill := s.fillIndex
	if o.Kind == catalog.CorpusObject {
		fill = s.fillDocumentIndex
	}
	if !t.wrote(prefix) {
		// A killed or failed CREATE INDEX may have left entries behind.
		err = s.removeIndex(ctx, o, cols)
	}
	if err == nil {
		t.writes(o.EntryID(), prefix)
		err = fill(ctx, o, cols)
	}
	if err != nil && t == nil {
		return errors.Join(err, s.removeIndex(context.Background(), o, cols))
	}
	if err != nil {
		return err
	}
	_, err = s.alterEntry(ctx, o, func(x *Object) error {
		x.Indexes = append(slices.Clone(x.Indexes), cols)
		return nil
	})
	return err
}

// fillIndex writes the entries of the rows of large generations, some megabytes a transaction.
func (s *Store) fillIndex(ctx context.Context, o *Object, cols []string) error {
	d := s.draft(ctx, o)
	put := func(k, v []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return d.Block(k, v)
	}
	read := func(f func(relation.Reader) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.tables.Read(f)
	}
	for _, g := range d.State.Gens {
		if g.Small {
			continue
		}
		if err := relation.BuildIndex(g, o.TableIndex(cols), o.SlotTypes(), read, put); err != nil {
			return err
		}
	}
	return d.Flush()
}

// removeIndex removes the entries of an index from the file.
func (s *Store) removeIndex(ctx context.Context, o *Object, cols []string) error {
	prefix := catalog.IndexPrefix(o, cols)
	if o.Kind == catalog.CorpusObject {
		return s.DeletePrefix(ctx, bucketIndex, prefix)
	}
	return s.removeRuns(ctx, o, binary.BigEndian.Uint32(prefix[4:]))
}

// removeRuns removes the runs of an index of a table from all of its generations.
func (s *Store) removeRuns(ctx context.Context, o *Object, number uint32) error {
	st := s.tableState(o)
	if t := transaction(ctx); t != nil {
		st = t.table(o)
	}
	for _, g := range st.Gens {
		g.ForgetIndex(number)
		if g.Small {
			continue
		}
		if err := s.DeletePrefix(ctx, bucketSegment, relation.IndexPrefix(o.ID, g.ID, number)); err != nil {
			return err
		}
		g.ForgetIndex(number)
	}
	return nil
}

// DropIndex removes an index; ErrNotFound if there is none. In a transaction its entries stay until Commit.
func (s *Store) DropIndex(ctx context.Context, o *Object, cols []string) error {
	o, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	if o.BuiltinIndex(cols) {
		return fmt.Errorf("index of %s on %v: %w by the knowledge base itself", o.Name, cols, ErrInUse)
	}
	_, err = s.alterEntry(ctx, o, func(x *Object) error {
		i := slices.IndexFunc(x.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
		if i < 0 {
			return fmt.Errorf("index of %s on %v: %w", o.Name, cols, ErrNotFound)
		}
		x.Indexes = slices.Delete(slices.Clone(x.Indexes), i, i+1)
		return nil
	})
	if err != nil {
		return err
	}
	if t := transaction(ctx); t != nil {
		t.writes(o.EntryID(), catalog.IndexPrefix(o, cols))
		return nil
	}
	if err := s.removeIndex(ctx, o, cols); err != nil && o.Kind == catalog.CorpusObject {
		s.leaveEntries(catalog.IndexPrefix(o, cols))
	}
	return nil // the index is gone, whatever is left of it in the file
}

// LookupRows emits the rows in ranges of an index as they are for the snapshot, in batches, in the order of their
// numbers, with the columns that are needed (nil for all); ok is false where there is no such index. Where values are
// very long, other rows may be among them.
func (sn *Snapshot) LookupRows(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange, need []bool,
	emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	ids, ok, err := sn.lookupIDs(ctx, o, cols, ranges)
	if err != nil || !ok {
		return ok, err
	}
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	v, slots := sn.rows(o), o.NeededSlots(need)
	for len(ids) > 0 {
		n := min(len(ids), value.BatchSize)
		rows, err := sn.rowsAt(ctx, v, o, ids[:n], slots)
		if err == nil {
			err = emit(ids[:n], value.FromRows(types, rows))
		}
		if err != nil {
			return true, err
		}
		ids = ids[n:]
	}
	return true, nil
}

// stands reports whether the catalog has an index.
func (sn *Snapshot) stands(tx *sealed.Tx, o *Object, cols []string, prefix []byte) bool {
	now := sn.s.entries.Get(tx, o.EntryID())
	if now == nil || o.BuiltinIndex(cols) {
		return now != nil
	}
	if o.Owner == 0 {
		return now.HasEntries(prefix)
	}
	t := now.Table(o.Part)
	return t != nil && t.HasEntries(prefix)
}

// findRows visits the numbers of the rows in ranges of an index until visit returns false; ok is false where there is
// no such index.
func (sn *Snapshot) findRows(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	visit func(id uint64) bool) (ok bool, err error) {
	v, prefix := sn.rows(o), catalog.IndexPrefix(o, cols)
	err = sn.s.View(func(tx *sealed.Tx) error {
		// The index may have been dropped since o was read.
		if !o.Indexed(cols) || !sn.hasIndex(o, prefix) && !sn.stands(tx, o, cols, prefix) {
			return nil
		}
		ok = true
		return v.Find(ctx, tx.Bucket(bucketSegment), o.TableIndex(cols), catalog.EntryRanges(cols, ranges), visit)
	})
	return ok, err
}

// lookupIDs returns the numbers of the rows in ranges of an index, ascending.
func (sn *Snapshot) lookupIDs(ctx context.Context, o *Object, cols []string,
	ranges []catalog.KeyRange) (ids []uint64, ok bool, err error) {
	ok, err = sn.findRows(ctx, o, cols, ranges, func(id uint64) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	return slices.Compact(ids), ok, err
}

// CountEntries counts the entries in ranges of an index up to a limit, at least 1; ok is false where there is no such
// index.
func (sn *Snapshot) CountEntries(ctx context.Context, o *Object, cols []string, ranges []catalog.KeyRange,
	limit int) (n int, ok bool, err error) {
	ok, err = sn.findRows(ctx, o, cols, ranges, func(uint64) bool {
		n++
		return n < limit
	})
	return n, ok, err
}

// rowsAt reads rows by number, with the slots that are needed.
func (sn *Snapshot) rowsAt(ctx context.Context, v *relation.View, o *Object, ids []uint64,
	need []bool) ([][]value.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows := make([][]value.Value, len(ids))
	err := sn.s.tables.Read(func(r relation.Reader) error {
		for i, id := range ids {
			row, err := v.Row(r, id, need)
			if err == nil && row == nil {
				err = fmt.Errorf("%w: an index names row %d, which is not there", ErrCorrupt, id)
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", o.Name, err)
			}
			rows[i] = o.ColumnsOf(row)
		}
		return nil
	})
	return rows, err
}
