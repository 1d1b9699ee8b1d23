package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/value"
)

// An index of a table is a part of each generation (storage/relation). Its number is a hash of the columns.

// indexed reports whether there is an index on exactly these columns.
func (o *Object) indexed(cols []string) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
}

// hasEntries reports whether an index has a prefix.
func (o *Object) hasEntries(prefix []byte) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return bytes.Equal(indexPrefix(o, c), prefix) })
}

// indexPrefix identifies an index: object u32 | hash of the stored names of the columns u32.
func indexPrefix(o *Object, cols []string) []byte {
	h := uint32(2166136261)
	for _, c := range cols {
		c = o.storedName(c)
		for i := range len(c) {
			h = (h ^ uint32(c[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619
	}
	return dbfile.Key(o.ID, h)
}

// index returns an index of a table.
func (o *Object) index(cols []string) *relation.Index {
	slots := make([]int, len(cols))
	for i, c := range cols {
		slots[i] = o.slot(o.Column(c))
	}
	return &relation.Index{Number: binary.BigEndian.Uint32(indexPrefix(o, cols)[4:]), Slots: slots,
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

// indexes returns all indexes of a table.
func (o *Object) indexes() []*relation.Index {
	out := make([]*relation.Index, len(o.Indexes))
	for i, cols := range o.Indexes {
		out[i] = o.index(cols)
	}
	return out
}

// lookupKey is the key of the values of an index's columns.
func lookupKey(values []value.Value) []byte {
	var k []byte
	for _, v := range values {
		k = value.AppendKey(k, v)
	}
	return bounded(k)
}

// CreateIndex indexes columns of a table, or metadata of a corpus; ErrExists if they are indexed already, ErrNotFound
// if there is no such column.
func (s *Store) CreateIndex(ctx context.Context, o *Object, cols []string) (err error) {
	o, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	t, prefix := transaction(ctx), indexPrefix(o, cols)
	if o.indexed(cols) {
		return fmt.Errorf("index of %s on %v %w", o.Name, cols, ErrExists)
	}
	for _, c := range cols {
		if o.Column(c) < 0 {
			return fmt.Errorf("column %s of %s: %w", c, o.Name, ErrNotFound)
		}
	}
	fill := s.fillIndex
	if o.Kind == CorpusObject {
		fill = s.fillDocumentIndex
	}
	if !t.wrote(prefix) {
		// A killed or failed CREATE INDEX may have left entries behind.
		err = s.removeIndex(ctx, o, cols)
	}
	if err == nil {
		t.writes(o.entryID(), prefix)
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
		return d.built(d.keep(k, v))
	}
	read := func(f func(relation.Reader) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.readBlocks(f)
	}
	for _, g := range d.st.gens {
		if g.Small {
			continue
		}
		if err := relation.BuildIndex(g, o.index(cols), o.slotTypes(), read, put); err != nil {
			return err
		}
	}
	return d.flush()
}

// removeIndex removes the entries of an index from the file.
func (s *Store) removeIndex(ctx context.Context, o *Object, cols []string) error {
	prefix := indexPrefix(o, cols)
	if o.Kind == CorpusObject {
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
	for _, g := range st.gens {
		g.ForgetIndex(s.blocks, number)
		if g.Small {
			continue
		}
		if err := s.DeletePrefix(ctx, bucketSegment, relation.IndexPrefix(o.ID, g.ID, number)); err != nil {
			return err
		}
		g.ForgetIndex(s.blocks, number)
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
	if o.builtin(cols) {
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
		t.writes(o.entryID(), indexPrefix(o, cols))
		return nil
	}
	return s.removeIndex(ctx, o, cols)
}

// LookupRows emits the rows in ranges of an index as they are for the snapshot, in batches, in the order of their
// numbers, with the columns that are needed (nil for all); ok is false where there is no such index. Where values are
// very long, other rows may be among them.
func (sn *Snapshot) LookupRows(ctx context.Context, o *Object, cols []string, ranges []KeyRange, need []bool,
	emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	ids, ok, err := sn.lookupIDs(ctx, o, cols, ranges)
	if err != nil || !ok {
		return ok, err
	}
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	v, slots := sn.rows(o), o.neededSlots(need)
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
	now := sn.s.entries.get(tx, o.entryID())
	if now == nil || o.builtin(cols) {
		return now != nil
	}
	if o.Owner == 0 {
		return now.hasEntries(prefix)
	}
	t := now.Table(o.Part)
	return t != nil && t.hasEntries(prefix)
}

// keyRanges are the ranges of keys of ranges of an index.
func keyRanges(cols []string, ranges []KeyRange) []relation.Range {
	out := make([]relation.Range, len(ranges))
	for i := range ranges {
		out[i].From, out[i].To = ranges[i].entries(cols)
	}
	return out
}

// entries returns where the keys of a range of an index begin and end; no end is nil.
func (r *KeyRange) entries(cols []string) (from, to []byte) {
	if len(r.Equal) == len(cols) {
		from = lookupKey(r.Equal)
		return from, append(bytes.Clone(from), 0)
	}
	return r.bounds(nil)
}

// findRows visits the numbers of the rows in ranges of an index until visit returns false; ok is false where there is
// no such index.
func (sn *Snapshot) findRows(ctx context.Context, o *Object, cols []string, ranges []KeyRange,
	visit func(id uint64) bool) (ok bool, err error) {
	v, prefix := sn.rows(o), indexPrefix(o, cols)
	err = sn.s.View(func(tx *sealed.Tx) error {
		// The index may have been dropped since o was read.
		if !o.indexed(cols) || !sn.hasIndex(o, prefix) && !sn.stands(tx, o, cols, prefix) {
			return nil
		}
		ok = true
		return v.Find(ctx, tx.Bucket(bucketSegment), o.index(cols), keyRanges(cols, ranges), visit)
	})
	return ok, err
}

// lookupIDs returns the numbers of the rows in ranges of an index, ascending.
func (sn *Snapshot) lookupIDs(ctx context.Context, o *Object, cols []string,
	ranges []KeyRange) (ids []uint64, ok bool, err error) {
	ok, err = sn.findRows(ctx, o, cols, ranges, func(id uint64) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	return slices.Compact(ids), ok, err
}

// CountEntries counts the entries in ranges of an index up to a limit, at least 1; ok is false where there is no such
// index.
func (sn *Snapshot) CountEntries(ctx context.Context, o *Object, cols []string, ranges []KeyRange,
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
	err := sn.s.readBlocks(func(r relation.Reader) error {
		for i, id := range ids {
			row, err := v.Row(r, id, need)
			if err == nil && row == nil {
				err = fmt.Errorf("%w: an index names row %d, which is not there", ErrCorrupt, id)
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", o.Name, err)
			}
			rows[i] = o.columnsOf(row)
		}
		return nil
	})
	return rows, err
}
