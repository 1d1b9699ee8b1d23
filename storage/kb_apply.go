package storage

import (
	"context"
	"maps"
	"math"
	"slices"

	"parlance/storage/bbolt"
	"parlance/storage/value"
)

// rewrite is what changes of rows in the file mean for the indexes: the entries of some rows go, those
// of others come.
type rewrite struct {
	values      *valueCodes
	gone, fresh codedRows
}

// apply changes and deletes rows that are in the file: first the rows in the order of their numbers, then
// the entries in the order of their keys.
func (p *kbPart) apply(ctx context.Context, tx *bbolt.Tx) error {
	if len(p.changed) == 0 {
		return nil
	}
	w := &rewrite{newValueCodes(), codedRowsOf(p.o, 0), codedRowsOf(p.o, 0)}
	for i, id := range slices.Sorted(maps.Keys(p.changed)) {
		if p.staged != nil && id < p.first {
			continue
		}
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.rewrite(tx.Bucket(bucketTable), id, p.changed[id], w); err != nil {
			return err
		}
	}
	if err := w.entries(ctx, tx, p.o, &w.gone, true); err != nil {
		return err
	}
	return w.entries(ctx, tx, p.o, &w.fresh, false)
}

// rewrite gives a row other values, or deletes it where they are nil.
func (p *kbPart) rewrite(b *bbolt.Bucket, id uint64, row []value.Value, w *rewrite) error {
	k := rowKey(p.o.ID, id)
	raw := b.Get(k)
	if raw == nil {
		return nil
	}
	old, err := decodeTableRow(p.o, raw)
	if err != nil {
		return err
	}
	rowSum(&p.st.Sum, raw, false)
	p.was.add(id, raw)
	moves := row == nil || slices.ContainsFunc(w.gone.columns, func(c int) bool { return old[c] != row[c] })
	if moves {
		w.gone.add(old, w.values)
		w.gone.ids = append(w.gone.ids, id)
	}
	if row == nil {
		p.st.Count--
		return b.Delete(k)
	}
	if moves {
		w.fresh.add(row, w.values)
		w.fresh.ids = append(w.fresh.ids, id)
	}
	raw = p.o.pack(row)
	rowSum(&p.st.Sum, raw, true)
	return b.Put(k, raw)
}

func (w *rewrite) entries(ctx context.Context, tx *bbolt.Tx, o *Object, rows *codedRows, remove bool) error {
	if rows.count() == 0 {
		return nil
	}
	e, err := newEntryWriter(ctx, w.values)
	if err != nil {
		return err
	}
	e.remove = remove
	e.add(o, rows, 0.85)
	_, err = e.put(ctx, tx, math.MaxInt)
	return err
}

// stage writes changed rows, when there are many.
func (c *KBChange) stage(ctx context.Context, p *kbPart) error {
	if len(p.changed) < p.wait {
		return nil
	}
	if p.staged == nil {
		p.staged = c.s.stage(p.o, &p.st)
	}
	if err := c.s.update(func(tx *bbolt.Tx) error { return p.putStaged(ctx, tx) }); err != nil {
		return err
	}
	maps.DeleteFunc(p.changed, func(id uint64, _ []value.Value) bool { return id < p.first })
	p.wait = 2*len(p.changed) + c.s.mostRows() // the others are new
	return nil
}

// putStaged stages the changed rows that are not new.
func (p *kbPart) putStaged(ctx context.Context, tx *bbolt.Tx) error {
	var ids []uint64
	var rows [][]byte
	for _, id := range slices.Sorted(maps.Keys(p.changed)) {
		if id >= p.first {
			break
		}
		var raw []byte
		if row := p.changed[id]; row != nil {
			raw = p.o.pack(row)
		}
		ids, rows = append(ids, id), append(rows, raw)
	}
	return p.staged.put(ctx, tx, ids, rows)
}

// stagings are the changes of tables that are staged.
func (c *KBChange) stagings() (out []*staging) {
	for _, p := range c.parts {
		if p.staged != nil {
			out = append(out, p.staged)
		}
	}
	return out
}

// Staged reports whether many rows have changed, which Settle moves to their places.
func (c *KBChange) Staged() bool { return len(c.stagings()) > 0 }
