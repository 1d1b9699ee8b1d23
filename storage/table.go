package storage

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/table"
	"parlance/storage/value"
)

// readTables reads the states of all tables.
func (s *Store) readTables() error {
	states := map[uint32]table.State{}
	err := s.View(func(tx *sealed.Tx) error {
		for _, o := range s.tableObjects() {
			raw := tx.Bucket(bucketCatalog).Get(table.Key(o.ID))
			if raw == nil {
				continue
			}
			st, ok := table.Decode(o.ID, raw)
			if !ok {
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
	return s.readDroppedTables()
}

func (s *Store) tableState(o *Object) table.State {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tables[o.ID]
}

// publishTables makes committed states of tables visible; waste is data that they no longer name.
func (s *Store) publishTables(states map[uint32]table.State, waste []garbage) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	c.publishTables(states, waste)
}

// publishTables makes states of tables visible in the present version. Snapshots keep the old ones.
func (c *corpora) publishTables(states map[uint32]table.State, waste []garbage) {
	next := make(map[uint32]table.State, len(c.tables)+len(states))
	maps.Copy(next, c.tables)
	maps.Copy(next, states)
	for i := range waste {
		waste[i].version = c.version
	}
	c.tables, c.garbage = next, append(c.garbage, waste...)
}

// oldest is the version of the oldest open snapshot, or the present version.
func (c *corpora) oldest() uint64 {
	if first := c.snapshots.next; first != &c.snapshots {
		return first.version
	}
	return c.version
}

// table returns the state of a table.
func (sn *Snapshot) table(o *Object) table.State {
	sn.read(o)
	return sn.tables[o.ID]
}

// rows returns the rows of a table.
func (sn *Snapshot) rows(o *Object) *relation.View {
	st := sn.table(o)
	return sn.s.tables.Rows(o, &st)
}

// TableCount returns the number of rows; of a knowledge base that of the triples.
func (sn *Snapshot) TableCount(o *Object) int {
	if t := o.Table(catalog.Triples); t != nil {
		o = t
	}
	return sn.table(o).Count
}

// TableHash returns a hash of all rows that does not depend on their order; of a knowledge base
// that of the rows of all its tables.
func (sn *Snapshot) TableHash(o *Object) [32]byte {
	if o.Kind == catalog.KBObject && o.Owner == 0 {
		h := sha256.New()
		for _, t := range o.Tables {
			sum := sn.TableHash(t)
			h.Write(sum[:])
		}
		return [32]byte(h.Sum(nil))
	}
	return sha256.Sum256(append(sn.table(o).Sum.Bytes(), o.Alteration()...))
}

// lockTable locks a table for writing and returns its present entry, which may be newer than o. It returns ErrNotFound
// if the table was dropped.
func (s *Store) lockTable(ctx context.Context, o *Object) (now *Object, unlock func(), err error) {
	if unlock, err = s.lockCorpus(ctx, o.EntryID()); err != nil {
		return nil, nil, err
	}
	s.mu.RLock()
	now = transaction(ctx).object(s.cat, o.ID)
	s.mu.RUnlock()
	if now == nil {
		unlock()
		return nil, nil, fmt.Errorf("%s %w", o.Name, ErrNotFound)
	}
	return now, unlock, nil
}

// lockSame is lockTable for rows with the columns of o.
func (s *Store) lockSame(ctx context.Context, o *Object) (now *Object, unlock func(), err error) {
	if s.ReadOnly() {
		return nil, nil, ErrReadOnly
	}
	now, unlock, err = s.lockTable(ctx, o)
	if err == nil && !catalog.SameColumns(o, now) {
		unlock()
		return nil, nil, fmt.Errorf("%s %s: %w", o.Kind, o.Name, ErrChanged)
	}
	return now, unlock, err
}

// ScanTable emits the rows of a table as they are for the snapshot, in batches, with their row
// numbers. Columns that are not needed stay empty. No transaction is held while emit runs.
func (sn *Snapshot) ScanTable(ctx context.Context, o *Object, need []bool,
	emit func(rows []uint64, b *value.Batch) error) error {
	var slots, places []int
	for i := range o.Columns {
		if need == nil || need[i] {
			slots, places = append(slots, o.Slot(i)), append(places, i)
		}
	}
	err := sn.rows(o).Scan(ctx, sn.s.tables.Read, slots, func(ids []uint64, b *value.Batch) error {
		return emit(ids, batchOf(o, places, b))
	})
	if errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("table %s: %w", o.Name, err)
	}
	return err
}

// batchOf puts columns at their places in the rows of a table; others are empty.
func batchOf(o *Object, places []int, b *value.Batch) *value.Batch {
	out := &value.Batch{N: b.N, Cols: make([]value.Vec, len(o.Columns))}
	for i, c := range o.Columns {
		out.Cols[i].Type = c.Type
	}
	for i, at := range places {
		out.Cols[at] = b.Cols[i]
	}
	return out
}

// ReplaceRows deletes rows by number and adds others, in one transaction.
func (s *Store) ReplaceRows(ctx context.Context, o *Object, gone []uint64, rows [][]value.Value) error {
	c, err := s.NewRowsChange(ctx, o)
	if err != nil {
		return err
	}
	defer c.Abort()
	if err := c.deleteRows(ctx, gone); err != nil {
		return err
	}
	if err := c.add(rows); err != nil {
		return err
	}
	_, err = c.Commit(ctx)
	return err
}
