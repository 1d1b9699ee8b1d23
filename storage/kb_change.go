package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/relation"
	"parlance/storage/value"
)

// KBChange changes the tables of a knowledge base. The change is visible after Commit, all at once. New and changed
// rows are in memory until there are many; then they go to the file. A knowledge base has one change at a time. A
// change is for one goroutine, and must be ended by Commit or Abort.
type KBChange struct {
	KeepExisting   bool // existing rows stay as they are; else new values replace the old ones
	RefuseExisting bool // a row that exists or comes twice is an error
	Duplicates     int  // number of triples and rules that existed or came twice

	s      *Store
	kb     *Object
	parts  []*kbPart
	counts map[string]int  // change of the number of triples, by relation
	known  map[string]bool // some entities that are known to have a row
	values *valueCodes     // of the new rows
	limit  int             // of the memory for new rows, in bytes
	unlock func()
	done   bool
}

// kbPart is a table under change.
type kbPart struct {
	*catalog.KBTable
	o       *Object
	d       *tableDraft
	fresh   newRows
	stored  *keyFilter               // of the keys of stored rows; nil where rows were stored before the change
	changed map[uint64][]value.Value // new values of stored rows, nil for deleted rows

	moved   []uint64        // rows whose keys change; they are removed after all changes have come
	becomes [][]value.Value // new values of each of moved
	gone    [][]value.Value // removed rows, which other rows may name
}

// ChangeKB begins a change. It waits until no other statement writes the knowledge base.
func (s *Store) ChangeKB(ctx context.Context, kb *Object) (*KBChange, error) {
	if s.ReadOnly() {
		return nil, ErrReadOnly
	}
	now, unlock, err := s.lockTable(ctx, kb)
	if err != nil {
		return nil, err
	}
	c := &KBChange{s: s, kb: now, counts: map[string]int{}, known: map[string]bool{}, values: newValueCodes(),
		limit: kbBytes, unlock: unlock}
	for i, o := range now.Tables {
		if was := kb.Table(o.Part); was == nil || !catalog.SameColumns(was, o) {
			err = fmt.Errorf("kb %s: %w", kb.Name, ErrChanged)
		}
		p := &kbPart{KBTable: &catalog.KBSchema[i], o: o, d: s.draft(ctx, o), fresh: newRowsOf(o),
			changed: map[uint64][]value.Value{}}
		if len(p.d.st.gens) == 0 {
			p.stored = &keyFilter{}
		}
		c.parts = append(c.parts, p)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return c, nil
}

// Table returns the catalog entry of a table that is under change.
func (c *KBChange) Table(name string) *Object { return c.kb.Table(name) }

func (c *KBChange) part(name string) *kbPart {
	for _, p := range c.parts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// kbBytes is the memory of a change for new rows, approximately. When it is full, they go to the file as generations.
const kbBytes = 96 << 20

// Add merges rows into a table. A row whose key is there replaces the old one, unless Keep or Unique is set;
// entities, relations and types that it names are added. places, which may be nil, name the origin of each row in
// errors.
func (c *KBChange) Add(ctx context.Context, table string, rows [][]value.Value, places []string) error {
	p := c.part(table)
	if p == nil {
		return fmt.Errorf("table %s of %s %w", table, c.kb.Name, ErrNotFound)
	}
	for from := 0; from < len(rows); from += rowsPerView {
		to := min(from+rowsPerView, len(rows))
		err := c.inView(ctx, func(r relation.Reader) error {
			for i := from; i < to; i++ {
				if err := c.add(r, p, rows[i]); err != nil {
					if places != nil {
						return fmt.Errorf("%s: %w", places[i], err)
					}
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inView runs f, which looks up and merges rows, in a read transaction, and then writes rows if many are in memory.
func (c *KBChange) inView(ctx context.Context, f func(r relation.Reader) error) error {
	if c.done {
		return errors.New("the change is over")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.s.readBlocks(f); err != nil {
		return err
	}
	return c.spill(ctx)
}

// changedAtOnce is the number of changed rows that wait in memory.
const changedAtOnce = 1 << 15

// mostRows is the number of changed rows that wait in memory.
func (s *Store) mostRows() int {
	if s.fewRows > 0 {
		return s.fewRows
	}
	return changedAtOnce
}

// spill writes changed rows if there are many, and all rows if the memory is full.
func (c *KBChange) spill(ctx context.Context) error {
	size, most := c.values.size, c.s.mostRows()
	for _, p := range c.parts {
		size += p.fresh.size
		if len(p.changed) > most {
			if err := errors.Join(p.writeChanged(ctx), p.d.end()); err != nil {
				return err
			}
		}
	}
	if size < c.limit {
		return nil
	}
	if err := c.draft(ctx); err != nil {
		return err
	}
	for _, p := range c.parts {
		if err := p.d.end(); err != nil {
			return err
		}
	}
	return nil
}

// draft moves the rows in memory to the drafts of their tables.
func (c *KBChange) draft(ctx context.Context) error {
	for _, p := range c.parts {
		if err := p.writeChanged(ctx); err != nil {
			return err
		}
		if p.stored != nil {
			p.stored.begin(len(p.fresh.rows))
		}
		for i, row := range p.fresh.rows {
			if p.stored != nil {
				p.stored.add(row[:p.Key])
			}
			if i&255 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := p.d.add(p.o.BySlot(row)); err != nil {
				return err
			}
		}
		p.fresh = newRowsOf(p.o)
	}
	c.values = newValueCodes()
	return nil
}

// writeChanged moves changed rows to the draft.
func (p *kbPart) writeChanged(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(p.changed))
	rows, gone := make([][]value.Value, len(ids)), make([]bool, len(ids))
	for i, id := range ids {
		row := p.changed[id]
		if gone[i] = row == nil; gone[i] {
			row = make([]value.Value, len(p.o.Columns))
		}
		rows[i] = p.o.BySlot(row)
	}
	clear(p.changed)
	fresh := value.FromRows(p.o.SlotTypes(), rows).Columns()
	return p.d.change(ctx, &rowsEdit{ids: ids, fresh: fresh, gone: gone})
}

// Commit publishes the change in one transaction.
func (c *KBChange) Commit(ctx context.Context) error {
	if c.done {
		return errors.New("the change is over")
	}
	err := c.Finish(ctx)
	if err == nil {
		err = c.s.readBlocks(c.recount)
	}
	if err == nil {
		err = c.draft(ctx)
	}
	drafts := make([]*tableDraft, len(c.parts))
	for i, p := range c.parts {
		drafts[i] = p.d
	}
	if err == nil {
		err = c.s.commitDrafts(ctx, drafts...)
	}
	if err != nil {
		c.Abort()
		return err
	}
	c.done = true
	if transaction(ctx) == nil {
		for _, p := range c.parts {
			c.s.mergeTable(ctx, p.o)
		}
		c.s.collectIfAny(ctx)
	}
	c.unlock()
	return nil
}

// Abort discards the change and removes what it has written. If that takes long, the rest is left to the background.
func (c *KBChange) Abort() {
	if c.done {
		return
	}
	c.done = true
	for _, p := range c.parts {
		c.s.discardDrafts(p.d)
	}
	c.unlock()
}
