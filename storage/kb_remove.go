package storage

import (
	"context"
	"fmt"
	"slices"

	"parlance/storage/value"

	"go.etcd.io/bbolt"
)

// Delete takes rows out of a table by number and returns how many there were. A typed entity that
// others name keeps a row without a type; an untyped one is refused with a RowError, and so are relations with triples and types that are in use.
func (c *KBChange) Delete(ctx context.Context, table string, ids []uint64) (n int, err error) {
	p := c.part(table)
	err = c.inView(ctx, func(tx *bbolt.Tx) error {
		gone, err := c.take(ctx, tx, p, ids)
		n = len(gone)
		if err != nil {
			return err
		}
		return c.orphans(ctx, tx, p, gone)
	})
	return n, err
}

// Update gives rows of a table new values. Where the key of a row stays, so does its place; else it
// is taken out and merged anew, after all others.
func (c *KBChange) Update(ctx context.Context, table string, ids []uint64, rows [][]value.Value) error {
	p := c.part(table)
	return c.inView(ctx, func(tx *bbolt.Tx) error {
		var moved []uint64
		var fresh [][]value.Value
		for i, id := range ids {
			if i&1023 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			kept, err := c.updateInPlace(tx, p, id, rows[i])
			if err != nil {
				return err
			}
			if !kept {
				moved, fresh = append(moved, id), append(fresh, rows[i])
			}
		}
		gone, err := c.take(ctx, tx, p, moved)
		if err != nil {
			return err
		}
		for i, row := range fresh {
			if i&1023 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if p.name == Relations {
				row = append(slices.Clone(row[:3]), value.Value{})
			}
			if err := c.add(tx, p, row); err != nil {
				return err
			}
		}
		return c.orphans(ctx, tx, p, gone)
	})
}

// updateInPlace changes a row whose key stays; kept is false for others.
func (c *KBChange) updateInPlace(tx *bbolt.Tx, p *kbPart, id uint64, row []value.Value) (kept bool, err error) {
	if err := checkRow(p.o, row); err != nil {
		return false, err
	}
	old, err := p.row(tx, id)
	if old == nil || err != nil {
		return true, err
	}
	if p.name == Entities || p.name == Types || !slices.Equal(old[:p.key], row[:p.key]) {
		return slices.Equal(old, row), nil
	}
	if p.name != Relations {
		if row, err = p.complete(row); err == nil {
			p.changed[id] = row
		}
		return true, err
	}
	if row[3] != old[3] {
		return false, rowError("column count of %s is the number of triples, it cannot be set", p.o.Name)
	}
	checked, err := p.complete(append(slices.Clone(row[:3]), value.Value{}))
	if err != nil {
		return false, err
	}
	checked[3] = old[3]
	p.changed[id] = checked
	for _, t := range checked[1:3] {
		if err := c.typ(tx, t); err != nil {
			return false, err
		}
	}
	return true, nil
}

// row returns a row in the file, or of the transaction, nil if it is not there.
func (p *kbPart) row(tx *bbolt.Tx, id uint64) ([]value.Value, error) {
	if row, ok := p.changed[id]; ok {
		return row, nil
	}
	if id >= p.st.Next {
		return nil, nil
	}
	raw, known := p.within.rows.row(id)
	if !known {
		raw = tx.Bucket(bucketTable).Get(rowKey(p.o.ID, id))
	}
	if len(raw) == 0 {
		return nil, nil
	}
	return decodeTableRow(p.o, raw)
}

// take takes rows out.
func (c *KBChange) take(ctx context.Context, tx *bbolt.Tx, p *kbPart, ids []uint64) (gone [][]value.Value, err error) {
	for i, id := range ids {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, err := p.row(tx, id)
		if err != nil {
			return nil, err
		}
		if row == nil {
			continue
		}
		p.changed[id] = nil
		gone = append(gone, row)
		if p.name == Triples {
			c.counts[row[1].S]--
		}
	}
	return gone, nil
}

// orphans sees to what named the rows that are gone.
func (c *KBChange) orphans(ctx context.Context, tx *bbolt.Tx, p *kbPart, gone [][]value.Value) error {
	if p.name != Entities && p.name != Relations && p.name != Types {
		return nil
	}
	typed := map[value.Value]bool{}
	for _, row := range gone {
		typed[row[0]] = typed[row[0]] || p.name != Relations && !row[1].IsNull()
	}
	for i, row := range gone {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		left, err := c.group(tx, p, row[:1])
		if err != nil {
			return err
		}
		if len(left) > 0 {
			continue
		}
		by, err := c.namedBy(tx, p, row[0])
		switch {
		case err != nil:
			return err
		case by == "":
		case typed[row[0]]:
			c.append(p, []value.Value{row[0], {}})
		default:
			return &RowError{Msg: fmt.Sprintf("rows of %s name the %s: delete those first", by, p.describe(row)), Needed: true}
		}
	}
	return nil
}

// namedBy returns a table whose rows name an entity, relation or type, "" if none does.
func (c *KBChange) namedBy(tx *bbolt.Tx, p *kbPart, v value.Value) (string, error) {
	type use struct {
		table string
		index int
	}
	uses := map[string][]use{
		Entities:  {{Triples, 0}, {Triples, 2}, {Aliases, 0}},
		Relations: {{Triples, 1}},
		Types:     {{Entities, 1}, {Relations, 1}, {Relations, 2}, {Types, 1}},
	}
	for _, u := range uses[p.name] {
		found, err := c.any(tx, c.part(u.table), u.index, v)
		if err != nil {
			return "", err
		}
		if found {
			return c.part(u.table).o.Name, nil
		}
	}
	return "", nil
}
