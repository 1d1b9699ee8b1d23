package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// An index entry is table u32 | hash of the columns u32 | key of the values | row u64, empty.

// indexed reports whether there is an index on exactly these columns.
func (o *Object) indexed(cols []string) bool {
	return slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
}

// hasEntries reports whether an index has the prefix of its entries.
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

// indexKeyBytes bounds the key of the values; a longer one ends in its hash instead.
const indexKeyBytes = 1024

func indexKey(o *Object, cols []string, row []value.Value) []byte {
	key := make([]value.Value, len(cols))
	for i, c := range cols {
		key[i] = row[o.Column(c)]
	}
	return lookupKey(o, cols, key)
}

// lookupKey is the key of the values of an index's columns.
func lookupKey(o *Object, cols []string, values []value.Value) []byte {
	k := indexPrefix(o, cols)
	for _, v := range values {
		k = value.AppendKey(k, v)
	}
	if len(k) > indexKeyBytes {
		h := sha256.Sum256(k)
		k = append(k[:indexKeyBytes-len(h)], h[:]...)
	}
	return k
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
	out := make([][]byte, len(o.Indexes))
	for i, cols := range o.Indexes {
		out[i] = binary.BigEndian.AppendUint64(indexKey(o, cols, row), id)
	}
	return out, nil
}

// putEntries adds index entries. In no order, many of them would take quadratic time.
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
	for _, k := range keys {
		if err := tx.Bucket(bucketIndex).Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// CreateIndex indexes columns of a table; ErrExists if they are indexed already, ErrNotFound
// if there is no such column.
func (s *Store) CreateIndex(ctx context.Context, o *Object, cols []string) (err error) {
	o, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	if o.indexed(cols) {
		return fmt.Errorf("index of %s on %v %w", o.Name, cols, ErrExists)
	}
	for _, c := range cols {
		if o.Column(c) < 0 {
			return fmt.Errorf("column %s of %s: %w", c, o.Name, ErrNotFound)
		}
	}
	if err := s.fillIndex(ctx, o, cols); err != nil {
		// What cannot be removed now is swept at the next opening.
		return errors.Join(err, s.deletePrefix(context.Background(), bucketIndex, indexPrefix(o, cols)))
	}
	_, err = s.AlterObject(o.Name, func(x *Object) error {
		x.Indexes = append(slices.Clone(x.Indexes), cols)
		return nil
	})
	return err
}

// fillIndex writes the entries of all rows, some megabytes a transaction.
func (s *Store) fillIndex(ctx context.Context, o *Object, cols []string) error {
	if err := s.deletePrefix(ctx, bucketIndex, indexPrefix(o, cols)); err != nil {
		return err
	}
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

// DropIndex removes an index; ErrNotFound if there is none.
func (s *Store) DropIndex(ctx context.Context, o *Object, cols []string) error {
	o, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.AlterObject(o.Name, func(x *Object) error {
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
	return s.deletePrefix(ctx, bucketIndex, indexPrefix(o, cols))
}

// LookupTable emits the rows whose columns have the values, by an index on exactly these
// columns; ok is false where there is none.
func (s *Store) LookupTable(ctx context.Context, o *Object, cols []string, key []value.Value, emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	if !o.indexed(cols) {
		return false, nil
	}
	ok = true
	prefix := lookupKey(o, cols, key)
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	end := s.tableState(o).Next
	var ids []uint64
	var rows [][]value.Value
	err = s.view(func(tx *bbolt.Tx) error {
		var now Object // the index may have been dropped since o was read
		raw := tx.Bucket(bucketCatalog).Get(objectKey(o.ID))
		if ok = json.Unmarshal(raw, &now) == nil && now.hasEntries(indexPrefix(o, cols)); !ok {
			return nil
		}
		c := tx.Bucket(bucketIndex).Cursor()
		for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			if len(k) != len(prefix)+8 {
				continue
			}
			id := binary.BigEndian.Uint64(k[len(prefix):])
			if id >= end {
				continue
			}
			row, err := decodeTableRow(o, tx.Bucket(bucketTable).Get(rowKey(o.ID, id)))
			if err != nil {
				return fmt.Errorf("index of %s: row %d: %w", o.Name, id, err)
			}
			ids, rows = append(ids, id), append(rows, row)
		}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return ok, err
	}
	return true, emit(ids, value.FromRows(types, rows))
}
