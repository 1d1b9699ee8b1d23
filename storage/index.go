package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	bbolt "parlance/storage/sealed"
	"parlance/storage/value"
)

// An index entry of a table is table u32 | hash of the columns u32 | key of the values | row u64, empty.

// indexed reports whether there is an index on exactly these columns.
func (o *Object) indexed(cols []string) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
}

// hasEntries reports whether an index has entries with a prefix.
func (o *Object) hasEntries(prefix []byte) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return bytes.Equal(indexPrefix(o, c), prefix) })
}

func indexPrefix(o *Object, cols []string) []byte {
	h := uint32(2166136261)
	for _, c := range cols {
		c = o.storedName(c)
		for i := range len(c) {
			h = (h ^ uint32(c[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619
	}
	return be32(be32(nil, o.ID), h)
}

func indexKey(o *Object, cols []string, row []value.Value) []byte {
	return bounded(appendIndexKey(indexPrefix(o, cols), o, cols, row))
}

// appendIndexKey appends the values of an index's columns to its prefix.
func appendIndexKey(k []byte, o *Object, cols []string, row []value.Value) []byte {
	for _, c := range cols {
		k = value.AppendKey(k, row[o.Column(c)])
	}
	return k
}

// lookupKey is the key of the values of an index's columns.
func lookupKey(o *Object, cols []string, values []value.Value) []byte {
	k := indexPrefix(o, cols)
	for _, v := range values {
		k = value.AppendKey(k, v)
	}
	return bounded(k)
}

// indexKeys returns the keys of the index entries of a row.
func indexKeys(o *Object, id uint64, raw []byte) ([][]byte, error) {
	if len(o.Indexes) == 0 {
		return nil, nil
	}
	row, err := decodeTableRow(o, raw)
	if err != nil {
		return nil, err
	}
	return rowKeys(nil, o, id, row), nil
}

// rowKeys appends the keys of the index entries of a row.
func rowKeys(out [][]byte, o *Object, id uint64, row []value.Value) [][]byte {
	for _, cols := range o.Indexes {
		out = append(out, binary.BigEndian.AppendUint64(indexKey(o, cols, row), id))
	}
	return out
}

// putEntries adds index entries in the order of their keys: unsorted, many of them would take quadratic time.
func putEntries(tx *bbolt.Tx, keys [][]byte) error {
	slices.SortFunc(keys, bytes.Compare)
	b := tx.Bucket(bucketIndex)
	for _, k := range keys {
		if err := b.Put(k, []byte{}); err != nil {
			return err
		}
	}
	return nil
}

// indexRow adds or removes the index entries of a row.
func indexRow(tx *bbolt.Tx, o *Object, id uint64, raw []byte, add bool) error {
	keys, err := indexKeys(o, id, raw)
	if err != nil {
		return err
	}
	if add {
		return putEntries(tx, keys)
	}
	return deleteEntries(tx, keys)
}

// deleteEntries removes index entries in the order of their keys.
func deleteEntries(tx *bbolt.Tx, keys [][]byte) error {
	slices.SortFunc(keys, bytes.Compare)
	b := tx.Bucket(bucketIndex)
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// reindexRow updates the index entries of a changed row; entries of unchanged values stay.
func reindexRow(tx *bbolt.Tx, o *Object, id uint64, old, fresh []byte) error {
	before, err := indexKeys(o, id, old)
	if err != nil {
		return err
	}
	after, err := indexKeys(o, id, fresh)
	if err != nil {
		return err
	}
	b := tx.Bucket(bucketIndex)
	for i := range before {
		if bytes.Equal(before[i], after[i]) {
			continue
		}
		if err := b.Delete(before[i]); err != nil {
			return err
		}
		if err := b.Put(after[i], []byte{}); err != nil {
			return err
		}
	}
	return nil
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
		err = s.deletePrefix(ctx, bucketIndex, prefix)
	}
	if err == nil {
		t.writes(o.entryID(), prefix)
		err = fill(ctx, o, cols)
	}
	if err != nil && t == nil {
		// What cannot be removed now is a leftover of the next opening.
		return errors.Join(err, s.deletePrefix(context.Background(), bucketIndex, prefix))
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

// fillIndex writes the entries of all committed rows, some megabytes a transaction.
func (s *Store) fillIndex(ctx context.Context, o *Object, cols []string) error {
	var keys [][]byte
	size := 0
	flush := func() error {
		err := s.update(func(tx *bbolt.Tx) error { return putEntries(tx, keys) })
		keys, size = keys[:0], 0
		return err
	}
	err := s.ScanTable(ctx, o, nil, func(ids []uint64, b *value.Batch) error {
		for i, id := range ids {
			k := binary.BigEndian.AppendUint64(indexKey(o, cols, b.Row(nil, i)), id)
			keys = append(keys, k)
			size += len(k)
		}
		if size < transactionBytes {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
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
	return s.deletePrefix(ctx, bucketIndex, indexPrefix(o, cols))
}

// LookupRows emits the rows in ranges of an index as they are for the snapshot, in batches, in the order
// of their numbers; ok is false where there is no such index. Where values are very long, other rows may
// be among them.
func (sn *Snapshot) LookupRows(ctx context.Context, o *Object, cols []string, ranges []KeyRange,
	emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	ids, ok, err := sn.lookupIDs(ctx, o, cols, ranges)
	if err != nil || !ok {
		return ok, err
	}
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	for len(ids) > 0 {
		n := min(len(ids), value.BatchSize)
		found, rows, err := sn.rowsAt(ctx, o, ids[:n])
		if err == nil && len(found) > 0 {
			err = emit(found, value.FromRows(types, rows))
		}
		if err != nil {
			return true, err
		}
		ids = ids[n:]
	}
	return true, nil
}

// stands reports whether the catalog has an index.
func (sn *Snapshot) stands(tx *bbolt.Tx, o *Object, cols []string, prefix []byte) bool {
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

// entriesIn visits the entries in ranges of an index that are in the file, in the order of the ranges, until visit
// returns false; ok is false where there is no such index.
func (sn *Snapshot) entriesIn(ctx context.Context, tx *bbolt.Tx, o *Object, cols []string, ranges []KeyRange,
	visit func(key []byte) bool) (ok bool, err error) {
	prefix := indexPrefix(o, cols)
	// The index may have been dropped since o was read.
	if !o.indexed(cols) || !sn.hasIndex(o, prefix) && !sn.stands(tx, o, cols, prefix) {
		return false, nil
	}
	c := tx.Bucket(bucketIndex).Cursor()
	for i := range ranges {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		from, to := ranges[i].entries(o, cols, prefix)
		for k, _ := c.Seek(from); k != nil && before(k, to); k, _ = c.Next() {
			if !visit(k) {
				return true, nil
			}
		}
	}
	return true, nil
}

// entries returns where the entries of a range of an index begin and end; no end is nil.
func (r *KeyRange) entries(o *Object, cols []string, prefix []byte) (from, to []byte) {
	if len(r.Equal) == len(cols) {
		from = lookupKey(o, cols, r.Equal)
		return from, successor(from)
	}
	return r.bounds(prefix)
}

// lookupIDs returns the numbers of the rows in ranges of an index, ascending; rows that have changed since
// the snapshot by what they were.
func (sn *Snapshot) lookupIDs(ctx context.Context, o *Object, cols []string,
	ranges []KeyRange) (ids []uint64, ok bool, err error) {
	end := sn.table(o).Next
	err = sn.s.view(func(tx *bbolt.Tx) error {
		v, err := sn.rowsIn(tx, o)
		if err != nil {
			return err
		}
		ok, err = sn.entriesIn(ctx, tx, o, cols, ranges, func(k []byte) bool {
			if id := binary.BigEndian.Uint64(k[len(k)-8:]); id < end {
				ids = append(ids, id)
			}
			return true
		})
		if err != nil || !ok {
			return err
		}
		if v.mixed() {
			ids, err = v.within(ctx, ids, cols, ranges)
		}
		if err != nil || len(v.was) == 0 {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id uint64) bool { _, changed := v.was.row(id); return changed })
		were, err := v.within(ctx, sn.changedRows(v.was, o, cols, ranges, end), cols, ranges)
		ids = append(ids, were...)
		return err
	})
	slices.Sort(ids)
	return slices.Compact(ids), ok, err
}

// changedRows returns the numbers below end, ascending, of the rows of a history that ranges of an index may hold: of
// those that the transaction of the snapshot has changed by its entries, all of others.
func (sn *Snapshot) changedRows(was versionChain, o *Object, cols []string, ranges []KeyRange, end uint64) []uint64 {
	b, prefix := sn.entries[o.ID], indexPrefix(o, cols)
	if !b.covers(cols) || sn.hasIndex(o, prefix) {
		return was.between(0, end)
	}
	ids := was[len(sn.rows[o.ID]):].between(0, end)
	for i := range ranges {
		from, to := ranges[i].entries(o, cols, prefix)
		ids = b.between(ids, from, to)
	}
	ids = slices.DeleteFunc(ids, func(id uint64) bool { return id >= end })
	slices.Sort(ids)
	return slices.Compact(ids)
}

// CountEntries counts the entries in ranges of an index up to a limit, at least 1; ok is false where there is no such
// index.
func (sn *Snapshot) CountEntries(ctx context.Context, o *Object, cols []string, ranges []KeyRange,
	limit int) (n int, ok bool, err error) {
	err = sn.s.view(func(tx *bbolt.Tx) error {
		ok, err = sn.entriesIn(ctx, tx, o, cols, ranges, func([]byte) bool {
			n++
			return n < limit
		})
		return err
	})
	return n, ok, err
}

// rowsAt reads rows by number as they are for the snapshot.
func (sn *Snapshot) rowsAt(ctx context.Context, o *Object,
	ids []uint64) (found []uint64, rows [][]value.Value, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	err = sn.s.view(func(tx *bbolt.Tx) error {
		v, err := sn.rowsIn(tx, o)
		if err != nil {
			return err
		}
		for _, id := range ids {
			raw := v.row(id)
			if len(raw) == 0 {
				continue
			}
			row, err := decodeTableRow(o, raw)
			if err != nil {
				return fmt.Errorf("index of %s: row %d: %w", o.Name, id, err)
			}
			found, rows = append(found, id), append(rows, row)
		}
		return nil
	})
	return found, rows, err
}
