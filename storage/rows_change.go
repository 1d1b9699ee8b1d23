package storage

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"parlance/storage/value"
)

// RowsChange updates and deletes rows of a table. The change is visible after Commit. Memory does not depend on the
// number of rows. Of several updates of a row the last counts. A table has one change at a
// time. A RowsChange is for one goroutine, and must be ended by Commit or Abort.
type RowsChange struct {
	s      *Store
	o      *Object
	d      *tableDraft
	unlock func()
	before int // number of rows
	list   []changedRow
	size   int
	done   bool
}

// changedRow is a change of a row; no values delete it.
type changedRow struct {
	id  uint64
	row []value.Value
}

// NewRowsChange begins a change. It waits until no other statement writes the table.
func (s *Store) NewRowsChange(ctx context.Context, o *Object) (*RowsChange, error) {
	now, unlock, err := s.lockSame(ctx, o)
	if err != nil {
		return nil, err
	}
	d := s.draft(ctx, now)
	return &RowsChange{s: s, o: now, d: d, unlock: unlock, before: d.count()}, nil
}

// Update gives rows new values, which must not be changed until Commit. Numbers that no row has are ignored.
func (c *RowsChange) Update(ctx context.Context, ids []uint64, rows [][]value.Value) error {
	for i, id := range ids {
		if err := checkRow(c.o, rows[i]); err != nil {
			return err
		}
		if err := c.take(ctx, id, c.o.BySlot(rows[i])); err != nil {
			return err
		}
	}
	return nil
}

// Delete deletes rows. Numbers that no row has are ignored.
func (c *RowsChange) Delete(ctx context.Context, ids []uint64) error {
	for _, id := range ids {
		if err := c.take(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// rowOverhead is the approximate memory of a row besides its values, in bytes.
const rowOverhead = 48

func (c *RowsChange) take(ctx context.Context, id uint64, row []value.Value) error {
	if c.done {
		return errors.New("the change is over")
	}
	c.list = append(c.list, changedRow{id, row})
	c.size += rowOverhead + valuesSize(row)
	if len(c.list) < c.s.mostRows() && c.size < transactionBytes {
		return nil
	}
	return c.flush(ctx)
}

// valuesSize is the approximate memory of values, in bytes.
func valuesSize(row []value.Value) int {
	n := 40 * len(row)
	for i := range row {
		n += len(row[i].S)
	}
	return n
}

// changedAtOnce is the number of changed rows that wait in memory.
const changedAtOnce = 1 << 15

// mostRows is the number of changed rows that wait in memory.
func (s *Store) mostRows() int {
	if s.fewRows > 0 {
		return s.fewRows
	}
	return changedAtOnce
}

// flush adds the changes in memory to the draft.
func (c *RowsChange) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(c.list, func(a, b changedRow) int { return cmp.Compare(a.id, b.id) })
	ids, rows := make([]uint64, 0, len(c.list)), make([][]value.Value, 0, len(c.list))
	for i, x := range c.list {
		if i+1 < len(c.list) && c.list[i+1].id == x.id {
			continue // the last one counts
		}
		ids, rows = append(ids, x.id), append(rows, x.row)
	}
	clear(c.list)
	c.list, c.size = c.list[:0], 0
	return c.d.change(ctx, ids, rows)
}

// add appends rows after the changes so far.
func (c *RowsChange) add(ctx context.Context, rows [][]value.Value) error {
	if err := c.flush(ctx); err != nil {
		return err
	}
	for _, row := range rows {
		if err := checkRow(c.o, row); err != nil {
			return err
		}
		if err := c.d.add(c.o.BySlot(row)); err != nil {
			return err
		}
		c.before++
	}
	return nil
}

// Commit publishes the change and returns how many rows were deleted.
func (c *RowsChange) Commit(ctx context.Context) (gone int, err error) {
	if c.done {
		return 0, errors.New("the change is over")
	}
	if err = c.flush(ctx); err == nil {
		err = c.s.commitDrafts(ctx, c.d)
	}
	if err != nil {
		c.Abort()
		return 0, err
	}
	c.done = true
	c.s.mergeAfter(ctx, c.o)
	c.unlock()
	return c.before - c.d.count(), nil
}

// Abort discards the change and removes what it has written. If that takes long, the rest is left to the background.
func (c *RowsChange) Abort() {
	if c.done {
		return
	}
	c.done = true
	c.s.discardDrafts(c.d)
	c.unlock()
}
