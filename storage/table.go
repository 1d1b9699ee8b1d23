package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	bbolt "parlance/storage/sealed"
	"parlance/storage/value"
)

// A row of a typed table is stored under table u32 | row u64. The state of the table, which a scan captures at its
// start, says which rows are committed: those with numbers below Next.

// tableState is the committed state of a table.
type tableState struct {
	Next  uint64   `json:"next"` // next row number
	Count int      `json:"count"`
	Sum   [32]byte `json:"sum"` // of the hashes of all rows, as four numbers

	Change uint32 `json:"change,omitempty"` // last change with pending rows, 0 for none
}

// tableChange is the state of a table after a change, and the old versions of its rows.
type tableChange struct {
	tableState
	was  rowVersions
	rows tableRows
}

var tablePrefix = []byte("table/")

func tableKey(id uint32) []byte { return fmt.Appendf(nil, "%s%08x", tablePrefix, id) }

func rowKey(table uint32, row uint64) []byte {
	return binary.BigEndian.AppendUint64(be32(make([]byte, 0, 12), table), row)
}

func (s *Store) readTables() error {
	states := map[uint32]tableState{}
	err := s.view(func(tx *bbolt.Tx) error {
		for _, o := range s.tableObjects() {
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
	s.corpora.tables = states
	if err != nil {
		return err
	}
	if err := s.readPending(); err != nil {
		return err
	}
	return s.readOrphans()
}

func (s *Store) tableState(o *Object) tableState {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tables[o.ID]
}

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
func (s *Store) LookupRows(ctx context.Context, o *Object, cols []string, ranges []KeyRange,
	emit func(rows []uint64, b *value.Batch) error) (ok bool, err error) {
	sn := s.Snapshot()
	defer sn.Close()
	return sn.LookupRows(ctx, o, cols, ranges, emit)
}

// table returns the state of a table.
func (sn *Snapshot) table(o *Object) tableState {
	sn.read(o)
	return sn.tables[o.ID]
}

// TableCount returns the number of rows; of a knowledge base that of the triples.
func (sn *Snapshot) TableCount(o *Object) int {
	if t := o.Table(Triples); t != nil {
		o = t
	}
	return sn.table(o).Count
}

// TableHash returns a hash of all rows that does not depend on their order; of a knowledge base
// that of the rows of all its tables.
func (sn *Snapshot) TableHash(o *Object) [32]byte {
	if o.Kind == KBObject && o.Owner == 0 {
		h := sha256.New()
		for _, t := range o.Tables {
			sum := sn.TableHash(t)
			h.Write(sum[:])
		}
		return [32]byte(h.Sum(nil))
	}
	sum := sn.table(o).Sum
	if d := o.alteration(); d != nil {
		return sha256.Sum256(append(sum[:], d...))
	}
	return sum
}

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

// lockTable locks a table for writing and returns its present entry, which may be newer than o. Pending rows are merged
// and orphans removed then. It returns ErrNotFound if the table was dropped.
func (s *Store) lockTable(ctx context.Context, o *Object) (now *Object, unlock func(), err error) {
	if unlock, err = s.lockCorpus(ctx, o.entryID()); err != nil {
		return nil, nil, err
	}
	s.mu.RLock()
	now = transaction(ctx).object(s.cat, o.ID)
	s.mu.RUnlock()
	if now == nil {
		err = fmt.Errorf("%s %w", o.Name, ErrNotFound)
	} else if !s.readOnly {
		err = s.mergePendingOf(ctx, now)
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return now, unlock, nil
}

// exists returns an error if the transaction has dropped the object.
func exists(tx *bbolt.Tx, o *Object) error {
	b := tx.Bucket(bucketCatalog)
	if b.Get(objectKey(o.entryID())) == nil && b.Get(comingKey(o.entryID())) == nil {
		return fmt.Errorf("%s %w", o.Name, ErrNotFound)
	}
	return nil
}

// changeTable locks a table and runs f on a copy of its state in one transaction.
func (s *Store) changeTable(ctx context.Context, o *Object, f func(o *Object, c *tableChange) error) error {
	now, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return err
	}
	defer unlock()
	if !sameColumns(o, now) {
		return fmt.Errorf("%s %s: %w", o.Kind, o.Name, ErrChanged)
	}
	return s.changeLocked(ctx, now, f)
}

// changeLocked is changeTable for a writer that has locked the table, whose entry is now.
func (s *Store) changeLocked(ctx context.Context, now *Object, f func(o *Object, c *tableChange) error) error {
	if t := transaction(ctx); t != nil {
		return t.changeTable(now, f)
	}
	c := tableChange{tableState: s.tableState(now), was: rowVersions{table: now.ID}}
	err := s.update(func(tx *bbolt.Tx) error {
		if err := c.write(tx, now, f); err != nil {
			return err
		}
		s.recordVersions(&c.was)
		return nil
	})
	if err != nil {
		s.discardVersions(&c.was)
		return err
	}
	s.publishTables(map[uint32]tableState{now.ID: c.tableState}, &c.was)
	return nil
}

// write runs f on the rows in the file and writes the state.
func (c *tableChange) write(tx *bbolt.Tx, o *Object, f func(o *Object, c *tableChange) error) error {
	if err := exists(tx, o); err != nil {
		return err
	}
	rows := &fileRows{tx: tx, o: o}
	c.rows, c.was.tx = rows, tx.ID()
	if err := f(o, c); err != nil {
		return err
	}
	if err := rows.finish(); err != nil {
		return err
	}
	return putJSON(tx, tableKey(o.ID), c.tableState)
}

// ScanTable emits the rows of a table as they are for the snapshot, in batches, with their row
// numbers. Columns that are not needed stay empty. No transaction is held while emit runs.
func (sn *Snapshot) ScanTable(ctx context.Context, o *Object, need []bool,
	emit func(rows []uint64, b *value.Batch) error) error {
	end := sn.table(o).Next
	types := make([]value.Type, len(o.Columns))
	for i, c := range o.Columns {
		types[i] = c.Type
	}
	for at := uint64(0); at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		ids, rows, err := sn.tablePage(o, at, end, need)
		if err != nil {
			return fmt.Errorf("table %s: %w", o.Name, err)
		}
		if len(ids) == 0 {
			return nil
		}
		at = ids[len(ids)-1] + 1
		b := neededColumns(types, rows, need)
		if err := emit(ids, b); err != nil {
			return err
		}
	}
	return nil
}

// tablePage reads a batch of rows whose numbers are at least from and less than to.
func (sn *Snapshot) tablePage(o *Object, from, to uint64, need []bool) (ids []uint64, rows [][]value.Value, err error) {
	slots := o.neededSlots(need)
	values := make([]value.Value, 0, value.BatchSize*len(o.Columns)) // of all rows
	err = sn.s.view(func(tx *bbolt.Tx) error {
		view, err := sn.rowsIn(tx, o)
		if err != nil {
			return err
		}
		var damaged error
		view.page(from, to, func(id uint64, raw []byte) bool {
			first := len(values)
			if values, damaged = value.AppendSome(values, raw, slots); damaged != nil {
				damaged = fmt.Errorf("%w: row: %w", ErrCorrupt, damaged)
				return false
			}
			ids, rows = append(ids, id), append(rows, o.unpack(values[first:len(values):len(values)]))
			return len(ids) < value.BatchSize
		})
		return damaged
	})
	return ids, rows, err
}

// neededSlots tells which values of stored rows are needed; nil means all.
func (o *Object) neededSlots(need []bool) []bool {
	if need == nil {
		return nil
	}
	out := make([]bool, max(o.Width, len(o.Columns)))
	for i, yes := range need {
		out[o.slot(i)] = yes
	}
	return out
}

// neededColumns makes a batch of rows in which other columns are empty.
func neededColumns(types []value.Type, rows [][]value.Value, need []bool) *value.Batch {
	if need == nil {
		return value.FromRows(types, rows)
	}
	b := &value.Batch{N: len(rows), Cols: make([]value.Vec, len(types))}
	for c, t := range types {
		if b.Cols[c] = (value.Vec{Type: t}); !need[c] {
			continue
		}
		col := make([]value.Value, len(rows))
		for r, row := range rows {
			col[r] = row[c]
		}
		b.Cols[c] = value.FromValues(t, col)
	}
	return b
}

func decodeTableRow(o *Object, v []byte) ([]value.Value, error) {
	row, _, err := value.DecodeRow(v)
	if err != nil {
		return nil, fmt.Errorf("%w: row: %w", ErrCorrupt, err)
	}
	return o.unpack(row), nil
}

// DeleteRows deletes rows by number and returns how many there were.
func (s *Store) DeleteRows(ctx context.Context, o *Object, rows []uint64) (int, error) {
	c, err := s.NewRowsChange(ctx, o)
	if err != nil {
		return 0, err
	}
	defer c.Abort()
	if err := c.Delete(ctx, rows); err != nil {
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
	if err := c.Update(ctx, ids, rows); err != nil {
		return err
	}
	_, err = c.Commit(ctx)
	return err
}

// ReplaceRows deletes rows by number and adds others, in one transaction.
func (s *Store) ReplaceRows(ctx context.Context, o *Object, gone []uint64, rows [][]value.Value) error {
	return s.changeTable(ctx, o, func(o *Object, c *tableChange) error {
		if err := c.remove(gone); err != nil {
			return err
		}
		for _, row := range rows {
			if err := checkRow(o, row); err != nil {
				return err
			}
			if err := c.add(o.pack(row)); err != nil {
				return err
			}
		}
		return nil
	})
}
