package storage

import (
	"context"
	"errors"
	"fmt"

	bbolt "parlance/storage/sealed"
	"parlance/storage/value"
)

// RowsChange updates and deletes rows of a table. The change is visible after Commit. Memory does not depend on the
// number of rows, except in a transaction. Of several updates of a row the last counts. A table has one change at a
// time. A RowsChange is for one goroutine, and must be ended by Commit or Abort.
type RowsChange struct {
	s       *Store
	o       *Object
	unlock  func()
	within  *Transaction // nil outside one
	ids     []uint64
	rows    [][]byte // new values, nil for deleted rows
	size    int
	pending *pendingRows // nil for few rows
	done    bool
}

// NewRowsChange begins a change. It waits until no other statement writes the table.
func (s *Store) NewRowsChange(ctx context.Context, o *Object) (*RowsChange, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	now, unlock, err := s.lockTable(ctx, o)
	if err != nil {
		return nil, err
	}
	if !sameColumns(o, now) {
		unlock()
		return nil, fmt.Errorf("%s %s: %w", o.Kind, o.Name, ErrChanged)
	}
	return &RowsChange{s: s, o: now, unlock: unlock, within: transaction(ctx)}, nil
}

// count is the number of rows of the table that the statement sees.
func (c *RowsChange) count() int {
	if c.within != nil {
		t := c.within.table(c.o)
		return t.state.Count
	}
	return c.s.tableState(c.o).Count
}

// Update gives rows new values. Numbers that no row has are ignored.
func (c *RowsChange) Update(ctx context.Context, ids []uint64, rows [][]value.Value) error {
	for i, id := range ids {
		if err := checkRow(c.o, rows[i]); err != nil {
			return err
		}
		if err := c.add(ctx, id, c.o.pack(rows[i])); err != nil {
			return err
		}
	}
	return nil
}

// Delete deletes rows. Numbers that no row has are ignored.
func (c *RowsChange) Delete(ctx context.Context, ids []uint64) error {
	for _, id := range ids {
		if err := c.add(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// rowOverhead is the approximate memory of a row besides its values, in bytes.
const rowOverhead = 40

func (c *RowsChange) add(ctx context.Context, id uint64, row []byte) error {
	if c.done {
		return errors.New("the change is over")
	}
	c.ids, c.rows = append(c.ids, id), append(c.rows, row)
	c.size += rowOverhead + len(row)
	switch {
	case c.within != nil && c.size > historyBytes:
		return ErrManyRows
	case c.within == nil && (len(c.ids) > c.s.mostRows() || c.size > transactionBytes):
		return c.flush(ctx)
	}
	return nil
}

// mostRows is the number of rows that one transaction changes.
func (s *Store) mostRows() int {
	if s.fewRows > 0 {
		return s.fewRows
	}
	return pendingBatchRows
}

// flush writes the changed rows in memory as pending rows.
func (c *RowsChange) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.pending == nil {
		state := c.s.tableState(c.o)
		c.pending = c.s.newPendingRows(c.o, &state)
	}
	err := c.s.update(func(tx *bbolt.Tx) error { return c.pending.put(ctx, tx, c.ids, c.rows) })
	c.ids, c.rows, c.size = c.ids[:0], c.rows[:0], 0
	return err
}

// Commit publishes the change and returns how many rows were deleted.
func (c *RowsChange) Commit(ctx context.Context) (gone int, err error) {
	if c.done {
		return 0, errors.New("the change is over")
	}
	before := c.count()
	err = ctx.Err()
	if err == nil && c.pending != nil {
		err = c.commitPending(ctx)
	} else if err == nil {
		err = c.s.changeLocked(ctx, c.o, c.write)
	}
	if err != nil {
		c.Abort()
		return 0, err
	}
	gone = before - c.count()
	c.done = true
	c.unlock()
	return gone, nil
}

// HasPending reports whether the change has pending rows, which MergePending merges.
func (c *RowsChange) HasPending() bool { return c.pending != nil }

// write changes the rows in place.
func (c *RowsChange) write(_ *Object, t *tableChange) error {
	for i, id := range c.ids {
		var err error
		if c.rows[i] == nil {
			err = t.remove([]uint64{id})
		} else {
			err = t.replace(id, c.rows[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// commitPending writes the last pending rows and publishes all of them.
func (c *RowsChange) commitPending(ctx context.Context) error {
	g := c.pending
	err := c.s.update(func(tx *bbolt.Tx) error {
		if err := g.put(ctx, tx, c.ids, c.rows); err != nil {
			return err
		}
		return putJSON(tx, tableKey(c.o.ID), g.state)
	})
	if err != nil {
		return err
	}
	c.s.publishPending(map[uint32]tableState{c.o.ID: *g.state}, []*pendingRows{g})
	return nil
}

// Abort discards the change and removes what it has written. If that takes long, the rest is left as orphans, which
// readers do not see.
func (c *RowsChange) Abort() {
	if c.done {
		return
	}
	c.done = true
	defer c.unlock()
	if c.pending == nil {
		return
	}
	c.s.abandonPending(c.pending)
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	if err := c.s.mergePendingOf(ctx, c.o); err != nil {
		c.s.removeOrphansSoon()
	}
}
