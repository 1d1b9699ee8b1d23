package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// A row of a typed table lies under table u32 | row u64. The state of the table, which a scan
// captures at its start, tells which rows are committed: those below next.

// tableState is the committed state of a table.
type tableState struct {
	Next  uint64   `json:"next"` // row numbers given
	Count int      `json:"count"`
	Sum   [32]byte `json:"sum"` // of the hashes of all rows, as four numbers
}

func tableKey(id uint32) []byte { return []byte(fmt.Sprintf("table/%08x", id)) }

func rowKey(table uint32, row uint64) []byte {
	return binary.BigEndian.AppendUint64(be32(make([]byte, 0, 12), table), row)
}

func (s *Store) readTables() error {
	states := map[uint32]tableState{}
	err := s.view(func(tx *bbolt.Tx) error {
		for _, o := range s.Objects("") {
			raw := tx.Bucket(bucketCatalog).Get(tableKey(o.ID))
			if raw == nil {
				continue
			}
			var st tableState
			if err := json.Unmarshal(raw, &st); err != nil {
				return fmt.Errorf("%w: state of table %s", ErrCorrupt, o.Name)
			}
			states[o.ID] = st
		}
		return nil
	})
	s.tables = states
	return err
}

func (s *Store) tableState(o *Object) tableState {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tables[o.ID]
}

// TableCount returns the number of rows.
func (s *Store) TableCount(o *Object) int { return s.tableState(o).Count }

// TableHash returns a hash of all rows that does not depend on their order.
func (s *Store) TableHash(o *Object) [32]byte { return s.tableState(o).Sum }

// rowSum adds or subtracts the hash of a row.
func rowSum(sum *[32]byte, row []byte, add bool) {
	h := sha256.Sum256(row)
	for i := 0; i < 32; i += 8 {
		a, b := binary.LittleEndian.Uint64(sum[i:]), binary.LittleEndian.Uint64(h[i:])
		if add {
			a += b
		} else {
			a -= b
		}
		binary.LittleEndian.PutUint64(sum[i:], a)
	}
}

func addSum(sum, more *[32]byte) {
	for i := 0; i < 32; i += 8 {
		binary.LittleEndian.PutUint64(sum[i:], binary.LittleEndian.Uint64(sum[i:])+binary.LittleEndian.Uint64(more[i:]))
	}
}

// checkRow verifies that a row has the columns and types of its table.
func checkRow(o *Object, row []value.Value) error {
	if len(row) != len(o.Columns) {
		return fmt.Errorf("%d values for the %d columns of %s", len(row), len(o.Columns), o.Name)
	}
	for i, v := range row {
		if !v.IsNull() && v.T != o.Columns[i].Type {
			return fmt.Errorf("column %s of %s is %s, not %s", o.Columns[i].Name, o.Name, o.Columns[i].Type, v.T)
		}
	}
	return nil
}

func putJSON(tx *bbolt.Tx, key []byte, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Bucket(bucketCatalog).Put(key, raw)
}

// changeTable runs f on a copy of the table's state in one transaction, one writer at a time.
func (s *Store) changeTable(ctx context.Context, o *Object, f func(tx *bbolt.Tx, st *tableState) error) error {
	unlock, err := s.lockCorpus(ctx, o.ID)
	if err != nil {
		return err
	}
	defer unlock()
	st := s.tableState(o)
	err = s.update(func(tx *bbolt.Tx) error {
		if err := f(tx, &st); err != nil {
			return err
		}
		return putJSON(tx, tableKey(o.ID), st)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.tables[o.ID] = st
	s.mu.Unlock()
	return nil
}

// InsertRows adds rows in one transaction.
func (s *Store) InsertRows(ctx context.Context, o *Object, rows [][]value.Value) (int, error) {
	l, err := s.NewTableLoad(o)
	if err != nil {
		return 0, err
	}
	if err := l.Add(ctx, rows, nil); err != nil {
		l.Abort()
		return 0, err
	}
	return l.Commit(ctx)
}

// TableLoad adds rows that are seen only after Commit. Memory does not depend on their number.
type TableLoad struct {
	s       *Store
	o       *Object
	first   uint64
	next    uint64
	sum     [32]byte
	pending [][]byte
	size    int
	unlock  func()
	done    bool
}

// NewTableLoad begins a load. A table takes one load at a time.
func (s *Store) NewTableLoad(o *Object) (*TableLoad, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	unlock, err := s.lockCorpus(context.Background(), o.ID)
	if err != nil {
		return nil, err
	}
	st := s.tableState(o)
	l := &TableLoad{s: s, o: o, first: st.Next, next: st.Next, unlock: unlock}
	// Rows that a killed load has left behind would be taken for this one's.
	if err := s.deleteRowsFrom(o, st.Next); err != nil {
		unlock()
		return nil, err
	}
	return l, nil
}

// Add takes rows with a value a column; places may be nil.
func (l *TableLoad) Add(ctx context.Context, rows [][]value.Value, places []string) error {
	for i, row := range rows {
		if err := checkRow(l.o, row); err != nil {
			if places != nil {
				return fmt.Errorf("%s: %w", places[i], err)
			}
			return err
		}
		b := value.AppendRow(nil, row)
		rowSum(&l.sum, b, true)
		l.pending = append(l.pending, b)
		if l.size += len(b) + 12; l.size > transactionBytes {
			if err := l.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *TableLoad) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.s.update(l.put)
}

func (l *TableLoad) put(tx *bbolt.Tx) error {
	b := tx.Bucket(bucketTable)
	for _, row := range l.pending {
		if err := b.Put(rowKey(l.o.ID, l.next), row); err != nil {
			return err
		}
		if err := indexRow(tx, l.o, l.next, row, true); err != nil {
			return err
		}
		l.next++
	}
	l.pending, l.size = nil, 0
	return nil
}

// Commit makes the rows part of the table and returns how many there are.
func (l *TableLoad) Commit(ctx context.Context) (int, error) {
	if l.done {
		return 0, errors.New("the load is over")
	}
	st := l.s.tableState(l.o)
	err := ctx.Err()
	if err == nil {
		err = l.s.update(func(tx *bbolt.Tx) error {
			if err := l.put(tx); err != nil {
				return err
			}
			st.Next, st.Count = l.next, st.Count+int(l.next-l.first)
			addSum(&st.Sum, &l.sum)
			return putJSON(tx, tableKey(l.o.ID), st)
		})
	}
	if err != nil {
		l.Abort()
		return 0, err
	}
	l.s.mu.Lock()
	l.s.tables[l.o.ID] = st
	l.s.mu.Unlock()
	l.done = true
	l.unlock()
	return int(l.next - l.first), nil
}

// Abort gives the load up and removes what it has written.
func (l *TableLoad) Abort() {
	if l.done {
		return
	}
	l.done = true
	// What cannot be removed now is removed before the next load.
	_ = l.s.deleteRowsFrom(l.o, l.first)
	l.unlock()
}

// deleteRowsFrom removes rows from a number on, and their index entries.
func (s *Store) deleteRowsFrom(o *Object, first uint64) error {
	prefix := be32(nil, o.ID)
	for {
		n := 0
		err := s.view(func(tx *bbolt.Tx) error {
			if k, _ := tx.Bucket(bucketTable).Cursor().Seek(rowKey(o.ID, first)); bytes.HasPrefix(k, prefix) {
				n = 1
			}
			return nil
		})
		if err != nil || n == 0 {
			return err
		}
		err = s.update(func(tx *bbolt.Tx) error {
			type entry struct{ k, v []byte }
			var list []entry
			c := tx.Bucket(bucketTable).Cursor()
			for k, v := c.Seek(rowKey(o.ID, first)); bytes.HasPrefix(k, prefix) && len(list) < 2000; k, v = c.Next() {
				list = append(list, entry{bytes.Clone(k), bytes.Clone(v)})
			}
			for _, e := range list {
				if err := indexRow(tx, o, binary.BigEndian.Uint64(e.k[4:]), e.v, false); err != nil {
					return err
				}
				if err := tx.Bucket(bucketTable).Delete(e.k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// ScanTable emits the rows of a table that were committed when it began, in batches, with
// their row numbers. Columns that are not needed stay empty. No transaction is held while
// emit runs.
func (s *Store) ScanTable(ctx context.Context, o *Object, need []bool, emit func(rows []uint64, b *value.Batch) error) error {
	end := s.tableState(o).Next
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	prefix := be32(nil, o.ID)
	for at := uint64(0); at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var ids []uint64
		var rows [][]value.Value
		err := s.view(func(tx *bbolt.Tx) error {
			c := tx.Bucket(bucketTable).Cursor()
			for k, v := c.Seek(rowKey(o.ID, at)); len(k) == 12 && bytes.HasPrefix(k, prefix) && len(ids) < value.BatchSize; k, v = c.Next() {
				id := binary.BigEndian.Uint64(k[4:])
				if id >= end {
					break
				}
				row, err := decodeTableRow(o, v)
				if err != nil {
					return err
				}
				ids, rows = append(ids, id), append(rows, row)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("table %s: %w", o.Name, err)
		}
		if len(ids) == 0 {
			return nil
		}
		at = ids[len(ids)-1] + 1
		b := value.FromRows(types, rows)
		for i := range b.Cols {
			if need != nil && !need[i] {
				b.Cols[i] = value.Vec{Type: types[i]}
			}
		}
		if err := emit(ids, b); err != nil {
			return err
		}
	}
	return nil
}

func decodeTableRow(o *Object, v []byte) ([]value.Value, error) {
	row, _, err := value.DecodeRow(v)
	if err != nil {
		return nil, fmt.Errorf("%w: row: %w", ErrCorrupt, err)
	}
	for len(row) < len(o.Columns) {
		row = append(row, value.Value{})
	}
	return row[:len(o.Columns)], nil
}

// DeleteRows deletes rows by number and returns how many there were.
func (s *Store) DeleteRows(ctx context.Context, o *Object, rows []uint64) (int, error) {
	n := 0
	err := s.changeTable(ctx, o, func(tx *bbolt.Tx, st *tableState) error {
		b := tx.Bucket(bucketTable)
		for _, id := range rows {
			old := bytes.Clone(b.Get(rowKey(o.ID, id)))
			if old == nil {
				continue
			}
			if err := indexRow(tx, o, id, old, false); err != nil {
				return err
			}
			if err := b.Delete(rowKey(o.ID, id)); err != nil {
				return err
			}
			rowSum(&st.Sum, old, false)
			st.Count--
			n++
		}
		return nil
	})
	return n, err
}

// UpdateRows puts new values in the place of rows.
func (s *Store) UpdateRows(ctx context.Context, o *Object, ids []uint64, rows [][]value.Value) error {
	return s.changeTable(ctx, o, func(tx *bbolt.Tx, st *tableState) error {
		b := tx.Bucket(bucketTable)
		for i, id := range ids {
			if err := checkRow(o, rows[i]); err != nil {
				return err
			}
			old := bytes.Clone(b.Get(rowKey(o.ID, id)))
			if old == nil {
				continue
			}
			fresh := value.AppendRow(nil, rows[i])
			if err := indexRow(tx, o, id, old, false); err != nil {
				return err
			}
			if err := b.Put(rowKey(o.ID, id), fresh); err != nil {
				return err
			}
			if err := indexRow(tx, o, id, fresh, true); err != nil {
				return err
			}
			rowSum(&st.Sum, old, false)
			rowSum(&st.Sum, fresh, true)
		}
		return nil
	})
}
