package change

import (
	"context"

	"parlance/query/exec"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// rowsChange updates and deletes rows of a table. The change is visible after Commit.
type rowsChange interface {
	// Update gives rows, as they were scanned, new values in some columns. Their numbers ascend.
	Update(ctx context.Context, ids []uint64, scanned *value.Batch, columns []int, values []value.Vec) error
	Delete(ctx context.Context, ids []uint64, scanned *value.Batch) error
	Commit(ctx context.Context) error
	Abort()
}

// newRowsChange begins to change rows of a table, or of a table of a knowledge base, that the statement has locked.
func newRowsChange(r *exec.Execution, ctx context.Context, o *catalog.Object) (rowsChange, error) {
	if o.Owner != 0 {
		c, err := changeKB(r, ctx, o)
		if err != nil {
			return nil, err
		}
		return &kbRowsChange{r, o, c}, nil
	}
	c, err := r.Store.NewRowsChange(ctx, o)
	if err != nil {
		return nil, err
	}
	return &tableRowsChange{c}, nil
}

// tableRowsChange is a change of a lexicon or gazetteer.
type tableRowsChange struct{ *storage.RowsChange }

func (c *tableRowsChange) Commit(ctx context.Context) error {
	_, err := c.RowsChange.Commit(ctx)
	return err
}

// kbRowsChange is a change of a table of a knowledge base. Rows whose keys change wait in memory, and are inserted
// under their new keys after the old ones are deleted.
type kbRowsChange struct {
	r *exec.Execution
	o *catalog.Object
	*storage.KBChange
}

func (c *kbRowsChange) Update(ctx context.Context, ids []uint64, scanned *value.Batch, columns []int,
	values []value.Vec) error {
	scanned = changedColumns(scanned, columns, values)
	rows := make([][]value.Value, len(ids))
	for i := range rows {
		rows[i] = scanned.Row(nil, i)
	}
	if err := canonicalRules(c.o, rows); err != nil {
		return err
	}
	moved, err := c.KBChange.Update(ctx, c.o.Part, ids, rows)
	if err != nil {
		return kbError(err)
	}
	return reserveRows(c.r, moved)
}

func (c *kbRowsChange) Delete(ctx context.Context, ids []uint64, _ *value.Batch) error {
	_, err := c.KBChange.Delete(ctx, c.o.Part, ids)
	return kbError(err)
}

func (c *kbRowsChange) Commit(ctx context.Context) error {
	if err := c.KBChange.Commit(ctx); err != nil {
		return kbError(err)
	}
	noteDuplicates(c.r, c.KBChange)
	return nil
}
