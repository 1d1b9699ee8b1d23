package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// An index entry is table u32 | hash of the columns u32 | key of the values | row u64, empty.

func indexPrefix(o *Object, cols []string) []byte {
	h := uint32(2166136261)
	for _, c := range cols {
		for i := range len(c) {
			h = (h ^ uint32(c[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619
	}
	return be32(be32(nil, o.ID), h)
}

func indexKey(o *Object, cols []string, row []value.Value) []byte {
	k := indexPrefix(o, cols)
	for _, c := range cols {
		k = value.AppendKey(k, row[o.Column(c)])
	}
	return k
}

// indexRow adds or removes the index entries of a row.
func indexRow(tx *bbolt.Tx, o *Object, id uint64, raw []byte, add bool) error {
	if len(o.Indexes) == 0 {
		return nil
	}
	row, err := decodeTableRow(o, raw)
	if err != nil {
		return err
	}
	b := tx.Bucket(bucketIndex)
	for _, cols := range o.Indexes {
		k := binary.BigEndian.AppendUint64(indexKey(o, cols, row), id)
		if add {
			err = b.Put(k, []byte{})
		} else {
			err = b.Delete(k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CreateIndex indexes columns of a table.
func (s *Store) CreateIndex(ctx context.Context, o *Object, cols []string) error {
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	with := *o
	with.Indexes = [][]string{cols}
	type entry struct {
		id  uint64
		row []byte
	}
	var chunk []entry
	flush := func() error {
		err := s.update(func(tx *bbolt.Tx) error {
			for _, e := range chunk {
				if err := indexRow(tx, &with, e.id, e.row, true); err != nil {
					return err
				}
			}
			return nil
		})
		chunk = chunk[:0]
		return err
	}
	err = s.ScanTable(ctx, o, nil, func(ids []uint64, b *value.Batch) error {
		for i := range b.N {
			chunk = append(chunk, entry{ids[i], value.AppendRow(nil, b.Row(nil, i))})
		}
		return flush()
	})
	if err != nil {
		return err
	}
	_, err = s.AlterObject(o.Name, func(x *Object) error {
		x.Indexes = append(slices.Clone(x.Indexes), cols)
		return nil
	})
	return err
}

// DropIndex removes an index; ErrNotFound if there is none.
func (s *Store) DropIndex(ctx context.Context, o *Object, cols []string) error {
	unlock, err := s.lockCorpus(ctx, o.ID)
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
	if !slices.ContainsFunc(o.Indexes, func(c []string) bool { return slices.Equal(c, cols) }) {
		return false, nil
	}
	prefix := indexPrefix(o, cols)
	for _, v := range key {
		prefix = value.AppendKey(prefix, v)
	}
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	end := s.tableState(o).Next
	var ids []uint64
	var rows [][]value.Value
	err = s.view(func(tx *bbolt.Tx) error {
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
		return true, err
	}
	return true, emit(ids, value.FromRows(types, rows))
}
