package storage

import (
	"context"
	"errors"
	"slices"

	"parlance/storage/table"
	"parlance/storage/value"
)

// RowsChange updates and deletes rows of a table. The change is visible after Commit. Memory does not depend on the
// number of rows. A table has one change at a time. A RowsChange is for one goroutine, and must be ended by Commit or
// Abort.
type RowsChange struct {
	s      *Store
	o      *Object
	d      *table.Draft
	unlock func()
	before int // number of rows
	gens   int // number of generations
	done   bool
}

// NewRowsChange begins a change. It waits until no other statement writes the table.
func (s *Store) NewRowsChange(ctx context.Context, o *Object) (*RowsChange, error) {
	now, unlock, err := s.lockSame(ctx, o)
	if err != nil {
		return nil, err
	}
	d := s.draft(ctx, now)
	return &RowsChange{s: s, o: now, d: d, unlock: unlock, before: d.State.Count, gens: len(d.State.Gens)}, nil
}

// Update gives rows new values in some columns. Their numbers ascend. scanned are the rows as a scan has emitted them
// that began after the table was locked, with the columns that it read; no row may be changed before. nil means
// rows that were not read, of which some may not exist or may have changed.
func (c *RowsChange) Update(ctx context.Context, ids []uint64, scanned *value.Batch, columns []int,
	values []value.Vec) error {
	e := &table.Edit{IDs: ids, Known: c.known(scanned), Fresh: make([]*value.Vec, c.o.Slots())}
	for i, at := range columns {
		if err := table.CheckColumn(c.o, at, &values[i], len(ids)); err != nil {
			return err
		}
		e.Fresh[c.o.Slot(at)] = &values[i]
	}
	return c.change(ctx, e)
}

// Delete deletes rows, which are given as to Update.
func (c *RowsChange) Delete(ctx context.Context, ids []uint64, scanned *value.Batch) error {
	gone := slices.Repeat([]bool{true}, len(ids))
	return c.change(ctx, &table.Edit{IDs: ids, Known: c.known(scanned), Gone: gone})
}

// known are the columns of rows that were read, by slot.
func (c *RowsChange) known(b *value.Batch) []*value.Vec {
	if b == nil {
		return nil
	}
	out := make([]*value.Vec, c.o.Slots())
	for i := range b.Cols {
		if v := &b.Cols[i]; v.Ints != nil || v.Floats != nil || v.Strs != nil || v.Codes != nil || v.Any != nil {
			out[c.o.Slot(i)] = v
		}
	}
	return out
}

func (c *RowsChange) change(ctx context.Context, e *table.Edit) error {
	if c.done {
		return errors.New("the change is over")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.d.Change(ctx, e)
}

// deleteRows deletes rows in any order.
func (c *RowsChange) deleteRows(ctx context.Context, ids []uint64) error {
	return c.Delete(ctx, slices.Compact(slices.Sorted(slices.Values(ids))), nil)
}

// add appends rows.
func (c *RowsChange) add(rows [][]value.Value) error {
	for _, row := range rows {
		if err := table.CheckRow(c.o, row); err != nil {
			return err
		}
		if err := c.d.Add(c.o.BySlot(row)); err != nil {
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
	if err = c.s.commitRows(ctx, c.d, c.gens); err != nil {
		c.Abort()
		return 0, err
	}
	c.done = true
	c.unlock()
	return c.before - c.d.State.Count, nil
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
