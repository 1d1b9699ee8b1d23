package storage

import (
	"context"

	"parlance/storage/sealed"
	"parlance/storage/table"
)

// The changes of a transaction to tables are states of its own, as they would be committed. Their large generations are
// in the file, where no committed state names them; the small ones are in memory until Commit.

// table returns the state of a table as the transaction sees it.
func (t *Transaction) table(o *Object) table.State {
	if st, ok := t.tables[o.ID]; ok {
		return st
	}
	return t.s.tableState(o)
}

// adopt makes changes of tables part of the transaction.
func (t *Transaction) adopt(drafts []*table.Draft) error {
	for _, d := range drafts {
		if err := d.MergeOwn(context.Background()); err != nil {
			return err
		}
	}
	for _, d := range drafts {
		if d.Made != nil || !d.State.Same(t.table(d.Object)) {
			t.tables[d.Object.ID] = d.State
		}
		t.blocks = append(t.blocks, wasteOf(d.Object, d.Made)...)
		d.Made = nil
	}
	return nil
}

// writeTable writes the state of a table that the transaction has changed, and keeps it as it was written. It returns
// what it no longer names.
func (t *Transaction) writeTable(tx *sealed.Tx, id uint32) error {
	o := t.object(t.s.cat, id)
	if o == nil {
		return nil // dropped after it was changed
	}
	d := table.NewDraft(t.s.tables, o, t.tables[id])
	if err := d.WriteState(tx); err != nil {
		return err
	}
	t.tables[id] = d.State
	return nil
}

// unused are the generations that the transaction has put into the file and that its states do not name.
func (t *Transaction) unused() (out []garbage) {
	for _, x := range t.blocks {
		named := false
		st := t.tables[x.corpus]
		for _, g := range st.Gens {
			named = named || g.ID == x.gen
		}
		if !named {
			out = append(out, x)
		}
	}
	return out
}
