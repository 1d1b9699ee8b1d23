package storage

import (
	"context"
	"maps"
	"math"
	"slices"

	"parlance/storage/value"

	"go.etcd.io/bbolt"
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
