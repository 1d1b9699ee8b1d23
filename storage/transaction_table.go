package storage

import (
	"maps"
	"slices"

	"parlance/storage/bbolt"
)

// tableOverlay is a table with the changes of a transaction. It is not changed: others take its place.
type tableOverlay struct {
	o     *Object
	state tableState
	rows  history // what was changed, the latest change first; a row without bytes is deleted

	blockEntries
}

// mostEntryBytes bounds the index entries of a transaction in a table that is not of a knowledge base, which needs
// them: beyond it, looking up its rows reads all that it has changed.
const mostEntryBytes = 64 << 20

// has reports whether the transaction has changed a row.
func (x *tableOverlay) has(id uint64) bool {
	_, known := x.rows.row(id)
	return known
}

// blockRows is rows that a statement of a transaction changes: over those of the statements before it, over those
// in the file.
type blockRows struct {
	file  fileRows
	rows  history
	fresh map[uint64][]byte // an empty row is deleted
}

func (b *blockRows) get(id uint64) []byte {
	raw, known := b.fresh[id]
	if !known {
		raw, known = b.rows.row(id)
	}
	switch {
	case !known:
		return b.file.get(id)
	case len(raw) == 0:
		return nil
	}
	return raw
}

func (b *blockRows) put(id uint64, _, fresh []byte) error {
	b.fresh[id] = fresh
	return nil
}

// table returns a table as the transaction sees it.
func (t *Transaction) table(o *Object) tableOverlay {
	if x, ok := t.tables[o.ID]; ok {
		return x
	}
	return tableOverlay{o: o, state: t.s.tableState(o)}
}

// changeTable runs f on the rows that the transaction sees and keeps what it changes.
func (t *Transaction) changeTable(o *Object, f func(o *Object, c *tableChange) error) error {
	x := t.table(o)
	rows := &blockRows{rows: x.rows, fresh: map[uint64][]byte{}}
	c := tableChange{tableState: x.state, rows: rows}
	err := t.s.view(func(tx *bbolt.Tx) error {
		rows.file = fileRows{tx: tx, o: o}
		return f(o, &c)
	})
	if err != nil {
		return err
	}
	latest := &former{table: o.ID}
	for _, id := range slices.Sorted(maps.Keys(rows.fresh)) {
		latest.append(id, rows.fresh[id])
	}
	next := tableOverlay{o, c.tableState, overlaid(latest, x.rows), x.blockEntries}
	if len(x.rows) == 0 {
		next.indexed = o.Indexes
	}
	if o.Owner != 0 || len(next.indexed) > 0 {
		entries, err := rows.entries(o)
		if err != nil {
			return err
		}
		next.add(o, entries)
	}
	if next.rows.size()+next.entries.size() > historyBytes {
		return ErrManyRows
	}
	t.tables[o.ID] = next
	return nil
}

// overlaid puts a change over others. Changes of like size become one, so that n take log n places.
func overlaid(latest *former, before history) history {
	for len(before) > 0 && 2*latest.size() >= before[0].size() {
		latest, before = merged(latest, before[0]), before[1:]
	}
	return append(history{latest}, before...)
}

// merged is two changes as one; where both have a row that of over counts.
func merged(over, under *former) *former {
	out := &former{table: over.table}
	for _, id := range (history{over, under}).between(0, ^uint64(0)) {
		raw, _ := history{over, under}.row(id)
		out.append(id, raw)
	}
	return out
}

// writeTable writes the rows that the transaction has changed, and returns what they were.
func (t *Transaction) writeTable(tx *bbolt.Tx, x tableOverlay) (was former, err error) {
	o := t.object(t.s.cat, x.o.ID)
	if o == nil {
		o = x.o // dropped after it was changed
	}
	c := tableChange{tableState: t.s.tableState(o), was: former{table: o.ID}}
	err = c.write(tx, o, func(_ *Object, c *tableChange) error {
		for _, id := range x.rows.between(0, x.state.Next) {
			old := slices.Clone(c.rows.get(id))
			fresh, _ := x.rows.row(id)
			if len(fresh) == 0 {
				fresh = nil
			}
			if old == nil && fresh == nil {
				continue
			}
			if old != nil {
				c.was.add(id, old)
			}
			if err := c.rows.put(id, old, fresh); err != nil {
				return err
			}
		}
		c.tableState = x.state
		return nil
	})
	return c.was, err
}
