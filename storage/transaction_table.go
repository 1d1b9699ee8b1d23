package storage

import (
	"maps"
	"slices"

	"parlance/storage/sealed"
)

// tableOverlay is a table with the changes of a transaction. It is immutable.
type tableOverlay struct {
	o     *Object
	state tableState
	rows  versionChain // changes, the latest first; an empty row is deleted

	blockEntries
}

// mostEntryBytes is the memory for index entries of a transaction in a table. Beyond it, lookups scan all changed rows.
// Tables of knowledge bases need the entries and have no limit.
const mostEntryBytes = 64 << 20

// has reports whether the transaction has changed a row.
func (x *tableOverlay) has(id uint64) bool {
	_, known := x.rows.row(id)
	return known
}

// blockRows are the rows of a table for a statement of a transaction: its own changes, over those of earlier
// statements, over the rows in the file.
type blockRows struct {
	file  fileRows
	rows  versionChain
	fresh map[uint64][]byte // its own changes; an empty row is deleted
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

// changeTable runs f on the rows that the transaction sees and adds the changes to it.
func (t *Transaction) changeTable(o *Object, f func(o *Object, c *tableChange) error) error {
	x := t.table(o)
	rows := &blockRows{rows: x.rows, fresh: map[uint64][]byte{}}
	c := tableChange{tableState: x.state, rows: rows}
	err := t.s.view(func(tx *sealed.Tx) error {
		rows.file = fileRows{tx: tx, o: o}
		return f(o, &c)
	})
	if err != nil {
		return err
	}
	latest := &rowVersions{table: o.ID}
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

// overlaid adds a change over others. Changes of similar size are merged, so that n take log n entries.
func overlaid(latest *rowVersions, before versionChain) versionChain {
	for len(before) > 0 && 2*latest.size() >= before[0].size() {
		latest, before = merged(latest, before[0]), before[1:]
	}
	return append(versionChain{latest}, before...)
}

// merged merges two changes; a row of over takes precedence.
func merged(over, under *rowVersions) *rowVersions {
	out := &rowVersions{table: over.table}
	for _, id := range (versionChain{over, under}).between(0, ^uint64(0)) {
		raw, _ := versionChain{over, under}.row(id)
		out.append(id, raw)
	}
	return out
}

// writeTable writes the rows that the transaction has changed, and returns their old versions.
func (t *Transaction) writeTable(tx *sealed.Tx, x tableOverlay) (was rowVersions, err error) {
	o := t.object(t.s.cat, x.o.ID)
	if o == nil {
		o = x.o // dropped after it was changed
	}
	c := tableChange{tableState: t.s.tableState(o), was: rowVersions{table: o.ID}}
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
