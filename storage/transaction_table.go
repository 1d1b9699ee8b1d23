package storage

import (
	"context"

	"parlance/storage/sealed"
)

// The changes of a transaction to tables are states of its own, as they would be committed. Their large generations are
// in the file, where no committed state names them; the small ones are in memory until Commit.

// table returns the state of a table as the transaction sees it.
func (t *Transaction) table(o *Object) tableState {
	if st, ok := t.tables[o.ID]; ok {
		return st
	}
	return t.s.tableState(o)
}

// adopt makes changes of tables part of the transaction.
func (t *Transaction) adopt(drafts []*tableDraft) error {
	for _, d := range drafts {
		if err := d.mergeOwn(context.Background()); err != nil {
			return err
		}
	}
	for _, d := range drafts {
		if d.made != nil || !d.st.same(t.table(d.o)) {
			t.tables[d.o.ID] = d.st
		}
		t.blocks = append(t.blocks, d.waste(nil)...)
		d.made = nil
	}
	return nil
}

// same reports whether both states have the same generations.
func (st *tableState) same(o tableState) bool {
	if len(st.gens) != len(o.gens) || st.Next != o.Next {
		return false
	}
	for i, g := range st.gens {
		if g != o.gens[i] {
			return false
		}
	}
	return true
}

// writeTable writes the state of a table that the transaction has changed, and keeps it as it was written. It returns
// what it no longer names.
func (t *Transaction) writeTable(tx *sealed.Tx, id uint32) error {
	o := t.object(t.s.cat, id)
	if o == nil {
		return nil // dropped after it was changed
	}
	d := &tableDraft{s: t.s, o: o, st: t.tables[id]}
	if err := d.mergeSmall(tx); err != nil {
		return err
	}
	t.tables[id] = d.st
	return d.st.put(tx, id)
}

// unused are the generations that the transaction has put into the file and that its states do not name.
func (t *Transaction) unused() (out []garbage) {
	for _, x := range t.blocks {
		named := false
		st := t.tables[x.corpus]
		for _, g := range st.gens {
			named = named || g.ID == x.gen
		}
		if !named {
			out = append(out, x)
		}
	}
	return out
}
