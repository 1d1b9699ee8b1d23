package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	bbolt "parlance/storage/sealed"
)

// rowsView are the rows of a table as a snapshot sees them. A version in its chain takes precedence over a pending row,
// and that over the row in the table.
type rowsView struct {
	tx     *bbolt.Tx
	o      *Object
	was    versionChain
	change uint32 // number of the change with pending rows, 0 for none
}

// rowsIn returns the rows of a table in a transaction.
func (sn *Snapshot) rowsIn(tx *bbolt.Tx, o *Object) (rowsView, error) {
	h, err := sn.versionsOf(tx, o)
	v := rowsView{tx: tx, o: o, was: h, change: sn.table(o).Change}
	if pendingBucket(tx) == nil {
		v.change = 0
	}
	return v, err
}

// row returns a row, nil if there is none.
func (v *rowsView) row(id uint64) []byte {
	if raw, ok := v.was.row(id); ok {
		return raw
	}
	if v.change > 0 {
		if raw, ok := pendingRow(pendingBucket(v.tx), pendingKey(v.o.ID, v.change, id)); ok {
			return raw
		}
	}
	return v.tx.Bucket(bucketTable).Get(rowKey(v.o.ID, id))
}

// page visits the rows with numbers in [from, to) in order, until visit returns false.
func (v *rowsView) page(from, to uint64, visit func(id uint64, raw []byte) bool) {
	changed := v.was.between(from, to)
	placed, pending := rowsFrom(v.tx.Bucket(bucketTable), be32(nil, v.o.ID), from, to), rowCursor{id: to}
	if v.change > 0 {
		pending = rowsFrom(pendingBucket(v.tx), pendingPrefix(v.o.ID, v.change), from, to)
	}
	for {
		id, raw := placed.id, placed.raw
		if pending.id <= id {
			id, raw = pending.id, pending.raw
		}
		if len(changed) > 0 && changed[0] <= id {
			id, changed = changed[0], changed[1:]
			raw, _ = v.was.row(id)
		}
		if id >= to {
			return
		}
		placed.pass(id)
		pending.pass(id)
		if len(raw) > 0 && !visit(id, raw) {
			return
		}
	}
}

// rowCursor iterates over rows under a prefix in the order of their numbers.
type rowCursor struct {
	c      *bbolt.Cursor
	prefix []byte
	id, to uint64 // to is the end
	raw    []byte
}

func rowsFrom(b *bbolt.Bucket, prefix []byte, from, to uint64) rowCursor {
	r := rowCursor{c: b.Cursor(), prefix: prefix, to: to}
	r.at(r.c.Seek(binary.BigEndian.AppendUint64(slices.Clone(prefix), from)))
	return r
}

func (r *rowCursor) at(k, v []byte) {
	r.id = r.to
	if bytes.HasPrefix(k, r.prefix) {
		r.id, r.raw = min(r.to, binary.BigEndian.Uint64(k[len(r.prefix):])), v
	}
}

// pass moves past a row.
func (r *rowCursor) pass(id uint64) {
	if r.c != nil && r.id == id {
		r.at(r.c.Next())
	}
}

// mixed reports whether the index has entries of a change besides those of the rows in the table.
func (v *rowsView) mixed() bool {
	b := pendingBucket(v.tx)
	if b == nil {
		return false
	}
	k, _ := b.Cursor().Seek(be32(nil, v.o.ID))
	return bytes.HasPrefix(k, be32(nil, v.o.ID))
}

// within selects the rows in ranges of an index.
func (v *rowsView) within(ctx context.Context, ids []uint64, cols []string, ranges []KeyRange) ([]uint64, error) {
	prefix, out := indexPrefix(v.o, cols), ids[:0]
	bounds := make([][2][]byte, len(ranges))
	for i := range ranges {
		bounds[i][0], bounds[i][1] = ranges[i].entries(v.o, cols, prefix)
	}
	var key []byte
	for i, id := range ids {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		raw := v.row(id)
		if len(raw) == 0 {
			continue
		}
		row, err := decodeTableRow(v.o, raw)
		if err != nil {
			return nil, err
		}
		key = appendIndexKey(append(key[:0], prefix...), v.o, cols, row)
		k := bounded(key)
		if slices.ContainsFunc(bounds, func(b [2][]byte) bool { return !before(k, b[0]) && before(k, b[1]) }) {
			out = append(out, id)
		}
	}
	return out, nil
}
