package exec

import (
	"context"

	"parlance/storage"
	"parlance/storage/value"
)

// rowsChange gives rows of a table other values, or takes them out; that is seen after Commit.
type rowsChange interface {
	Update(ctx context.Context, ids []uint64, rows [][]value.Value) error
	Delete(ctx context.Context, ids []uint64) error
	Commit(ctx context.Context) error
	Abort()
}

// newRowsChange begins to change rows of a table, or of one of a knowledge base, that the statement holds.
func (r *Execution) newRowsChange(ctx context.Context, o *storage.Object) (rowsChange, error) {
	if o.Owner != 0 {
		c, err := r.changeKB(ctx, o)
		if err != nil {
			return nil, err
		}
		return &kbRowsChange{r, o, c}, nil
	}
	c, err := r.Store.NewRowsChange(ctx, o)
	if err != nil {
		return nil, err
	}
	return &tableRowsChange{r, c}, nil
}

// settle moves the rows of a large change to their places. The statement itself reads the table as it was until
// then; what cannot move now moves before the next change.
func (r *Execution) settle(ctx context.Context) {
	r.Snapshot.Close()
	r.Snapshot = r.capture(r.Session, new(storage.Snapshot))
	_ = r.Store.Settle(ctx)
}

// tableRowsChange is a change of a lexicon or gazetteer.
type tableRowsChange struct {
	r *Execution
	*storage.RowsChange
}

func (c *tableRowsChange) Commit(ctx context.Context) error {
	_, err := c.RowsChange.Commit(ctx)
	if err == nil && c.Staged() {
		c.r.settle(ctx)
	}
	return err
}

// kbRowsChange is a change of a table of a knowledge base. Rows whose keys change wait in memory: they are merged
// after all have left.
type kbRowsChange struct {
	r *Execution
	o *storage.Object
	*storage.KBChange
}

func (c *kbRowsChange) Update(ctx context.Context, ids []uint64, rows [][]value.Value) error {
	if err := normalRules(c.o, rows); err != nil {
		return err
	}
	moved, err := c.KBChange.Update(ctx, c.o.Part, ids, rows)
	if err != nil {
		return kbError(err)
	}
	return c.r.gatherRows(moved)
}

func (c *kbRowsChange) Delete(ctx context.Context, ids []uint64) error {
	_, err := c.KBChange.Delete(ctx, c.o.Part, ids)
	return kbError(err)
}

func (c *kbRowsChange) Commit(ctx context.Context) error {
	if err := c.KBChange.Commit(ctx); err != nil {
		return kbError(err)
	}
	c.r.noteDuplicates(c.KBChange)
	if c.Staged() {
		c.r.settle(ctx)
	}
	return nil
}
