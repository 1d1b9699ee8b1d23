package storage

import (
	"context"

	"parlance/storage/relation"
	"parlance/storage/sealed"
	"parlance/storage/table"
)

// draft begins a change of a locked table.
func (s *Store) draft(ctx context.Context, o *Object) *table.Draft {
	if t := transaction(ctx); t != nil {
		return table.NewDraft(s.tables, o, t.table(o))
	}
	if l := rowLockOf(ctx, o); l != nil {
		st, _ := s.waitingState(l.g, o)
		return table.NewDraft(s.tables, o, st)
	}
	return table.NewDraft(s.tables, o, s.tableState(o))
}

// wasteOf is the garbage of generations of a table.
func wasteOf(o *Object, gens []uint32) (out []garbage) {
	for _, id := range gens {
		out = append(out, garbage{corpus: o.ID, gen: id, all: true})
	}
	return out
}

// discardDrafts removes what drafts have put into the file. If that takes long, the rest is left to the background.
func (s *Store) discardDrafts(drafts ...*table.Draft) {
	var waste []garbage
	for _, d := range drafts {
		if d != nil {
			waste = append(waste, wasteOf(d.Object, d.Made)...)
			d.Made = nil
		}
	}
	if len(waste) > 0 {
		s.discard(waste...)
	}
}

// commitDrafts publishes changes of tables in one transaction, or adds them to the transaction of the context.
func (s *Store) commitDrafts(ctx context.Context, drafts ...*table.Draft) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t := transaction(ctx)
	for _, d := range drafts {
		if err := d.Seal(t != nil); err != nil {
			return err
		}
	}
	if t != nil {
		return t.adopt(drafts)
	}
	return s.publishDrafts(nil, drafts...)
}

// publishDrafts commits drafts and makes their states visible. waste is what these do not name besides.
func (s *Store) publishDrafts(waste []garbage, drafts ...*table.Draft) error {
	states := map[uint32]table.State{}
	err := s.Update(func(tx *sealed.Tx) error {
		for _, d := range drafts {
			if err := d.Commit(tx); err != nil {
				return err
			}
			states[d.Object.ID], waste = d.State, append(waste, wasteOf(d.Object, d.Unused())...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.publishTables(states, waste)
	return nil
}

// mergeTable is the compaction of a table: it keeps the number of generations small. The table must be locked. The
// change before it is committed already, so a failure is left to the next change.
func (s *Store) mergeTable(ctx context.Context, o *Object) {
	for ctx.Err() == nil {
		d, old, err := table.Merge(ctx, s.tables, o, s.tableState(o))
		if d == nil {
			return
		}
		if err == nil {
			err = s.publishDrafts(wasteOf(o, numbersOf(old)), d)
		}
		if err != nil {
			s.discardDrafts(d)
			return
		}
	}
}

func numbersOf(gens []*relation.Generation) []uint32 {
	out := make([]uint32, len(gens))
	for i, g := range gens {
		out[i] = g.ID
	}
	return out
}

// mergeAfter merges generations of a locked table after a committed change, and removes what snapshots do not read any
// more. In a transaction its Commit does so.
func (s *Store) mergeAfter(ctx context.Context, o *Object) {
	if transaction(ctx) != nil {
		return
	}
	s.mergeTable(ctx, o)
	s.collectIfAny(ctx)
}

// collectIfAny collects garbage if there is any that nobody reads.
func (s *Store) collectIfAny(ctx context.Context) {
	if len(s.corpora.ready()) > 0 {
		s.collectSoon(ctx)
	}
}
