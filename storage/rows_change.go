package storage

import (
	"context"
	"errors"
	"fmt"

	"parlance/storage/bbolt"
	"parlance/storage/value"
)

// RowsChange gives rows of a table other values, or takes them out. Nothing of it is seen before Commit. Memory does
// not depend on the number of rows, but within a transaction. Of several values of a row the last counts. A table
// takes one change at a time. It belongs to one goroutine, and must be ended by Commit or Abort.
type RowsChange struct {
	s      *Store
	o      *Object
	unlock func()
	within *Transaction // nil outside one
	ids    []uint64
	rows   [][]byte // what they become, nil for those that go
	size   int
	staged *staging // nil for few rows
	done   bool
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

// Update gives rows other values. Numbers that no row has are left out.
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

// Delete takes rows out. Numbers that no row has are left out.
func (c *RowsChange) Delete(ctx context.Context, ids []uint64) error {
	for _, id := range ids {
		if err := c.add(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// rowOverhead is about what a row takes in memory besides its values, in bytes.
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
		return c.stage(ctx)
	}
	return nil
}

// mostRows bounds the rows that are changed in one transaction.
func (s *Store) mostRows() int {
	if s.fewRows > 0 {
		return s.fewRows
	}
	return stagedRows
}

// stage writes the rows that wait.
func (c *RowsChange) stage(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.staged == nil {
		state := c.s.tableState(c.o)
		c.staged = c.s.stage(c.o, &state)
	}
	err := c.s.update(func(tx *bbolt.Tx) error { return c.staged.put(ctx, tx, c.ids, c.rows) })
	c.ids, c.rows, c.size = c.ids[:0], c.rows[:0], 0
	return err
}

// Commit makes the change seen and returns how many rows went.
func (c *RowsChange) Commit(ctx context.Context) (gone int, err error) {
	if c.done {
		return 0, errors.New("the change is over")
	}
	before := c.count()
	err = ctx.Err()
	if err == nil && c.staged != nil {
		err = c.commitStaged(ctx)
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

// Staged reports whether there were many rows, which Settle moves to their places.
func (c *RowsChange) Staged() bool { return c.staged != nil }

// write changes the rows where they are.
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

// commitStaged stages the last rows and makes all of them seen.
func (c *RowsChange) commitStaged(ctx context.Context) error {
	g := c.staged
	err := c.s.update(func(tx *bbolt.Tx) error {
		if err := g.put(ctx, tx, c.ids, c.rows); err != nil {
			return err
		}
		return putJSON(tx, tableKey(c.o.ID), g.state)
	})
	if err != nil {
		return err
	}
	c.s.publishStaged(map[uint32]tableState{c.o.ID: *g.state}, []*staging{g})
	return nil
}

// Abort gives the change up and removes what it has written. What takes longer is removed before the next
// change: readers do not see it.
func (c *RowsChange) Abort() {
	if c.done {
		return
	}
	c.done = true
	defer c.unlock()
	if c.staged == nil {
		return
	}
	c.s.giveUp(c.staged)
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	if err := c.s.settle(ctx, c.o); err != nil {
		c.s.cleanSoon()
	}
}
