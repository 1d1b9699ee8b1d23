package storage

import (
	"context"
	"maps"
	"math"
	"slices"

	"parlance/storage/sealed"
	"parlance/storage/value"
)

// rewrite are the index entries that changes of rows in the file remove and add.
type rewrite struct {
	values      *valueCodes
	gone, fresh codedRows
}

// apply changes and deletes rows in the file: first the rows, in the order of their numbers, then the index entries, in
// the order of their keys.
func (p *kbPart) apply(ctx context.Context, tx *sealed.Tx) error {
	if len(p.changed) == 0 {
		return nil
	}
	w := &rewrite{newValueCodes(), codedRowsOf(p.o, 0), codedRowsOf(p.o, 0)}
	for i, id := range slices.Sorted(maps.Keys(p.changed)) {
		if p.pending != nil && id < p.first {
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

// rewrite gives a row other values, or deletes it if they are nil.
func (p *kbPart) rewrite(b *sealed.Bucket, id uint64, row []value.Value, w *rewrite) error {
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

func (w *rewrite) entries(ctx context.Context, tx *sealed.Tx, o *Object, rows *codedRows, remove bool) error {
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

// flushPending writes changed rows as pending rows, if there are many.
func (c *KBChange) flushPending(ctx context.Context, p *kbPart) error {
	if len(p.changed) < p.wait {
		return nil
	}
	if p.pending == nil {
		p.pending = c.s.newPendingRows(p.o, &p.st)
	}
	if err := c.s.update(func(tx *sealed.Tx) error { return p.putPending(ctx, tx) }); err != nil {
		return err
	}
	maps.DeleteFunc(p.changed, func(id uint64, _ []value.Value) bool { return id < p.first })
	p.wait = 2*len(p.changed) + c.s.mostRows() // the rest are new rows
	return nil
}

// putPending writes the changed rows that are in the file as pending rows.
func (p *kbPart) putPending(ctx context.Context, tx *sealed.Tx) error {
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
	return p.pending.put(ctx, tx, ids, rows)
}

// pendingChanges are the changes of tables that have pending rows.
func (c *KBChange) pendingChanges() (out []*pendingRows) {
	for _, p := range c.parts {
		if p.pending != nil {
			out = append(out, p.pending)
		}
	}
	return out
}

// HasPending reports whether the change has pending rows, which MergePending merges.
func (c *KBChange) HasPending() bool { return len(c.pendingChanges()) > 0 }
