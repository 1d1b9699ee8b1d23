// Package knowledge changes knowledge bases: rows of their six tables are merged by key, what rows name is made known,
// and relations keep the number of their triples.
package knowledge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/relation"
	"parlance/storage/table"
	"parlance/storage/value"
)

// Change changes the tables of a knowledge base. New and changed rows are in memory until there are many; then they go
// to the file as generations of a draft for each table. Its caller has locked the knowledge base, and commits the
// drafts or discards them. A change is for one goroutine.
type Change struct {
	KeepExisting   bool // existing rows stay as they are; else new values replace the old ones
	RefuseExisting bool // a row that exists or comes twice is an error
	Duplicates     int  // number of triples and rules that existed or came twice
	Memory         int  // for new rows, in bytes, approximately; when it is full, they go to the file

	env    *table.Env
	kb     *catalog.Object
	parts  []*part
	counts map[string]int // change of the number of triples, by relation, without that which words has
	words  *words         // of the new rows, and some others
	over   bool
}

// part is a table under change.
type part struct {
	*catalog.KBTable
	o       *catalog.Object
	d       *table.Draft
	fresh   newRows
	room    []value.Value            // for a row
	stored  *keyFilter               // of the keys of stored rows; nil where rows were stored before the change
	changed map[uint64][]value.Value // new values of stored rows, nil for deleted rows

	moved   []uint64        // rows whose keys change; they are removed after all changes have come
	becomes [][]value.Value // new values of each of moved
	gone    [][]value.Value // removed rows, which other rows may name
}

// New begins a change. draft begins that of a table.
func New(env *table.Env, kb *catalog.Object, draft func(o *catalog.Object) *table.Draft) *Change {
	c := &Change{env: env, kb: kb, counts: map[string]int{}, words: newWords(), Memory: defaultMemory}
	for i, o := range kb.Tables {
		p := &part{KBTable: &catalog.KBSchema[i], o: o, d: draft(o), changed: map[uint64][]value.Value{}}
		p.fresh = newRowsOf(o, p.Key, c.words)
		if len(p.d.State.Gens) == 0 {
			p.stored = &keyFilter{}
		}
		c.parts = append(c.parts, p)
	}
	return c
}

// Table returns the catalog entry of a table that is under change.
func (c *Change) Table(name string) *catalog.Object { return c.kb.Table(name) }

func (c *Change) part(name string) *part {
	for _, p := range c.parts {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// defaultMemory is that of a change for new rows, in bytes.
const defaultMemory = 96 << 20

// Add merges rows into a table. A row whose key is there replaces the old one, unless Keep or Unique is set;
// entities, relations and types that it names are added. places, which may be nil, name the origin of each row in
// errors.
func (c *Change) Add(ctx context.Context, table string, rows [][]value.Value, places []string) error {
	p := c.part(table)
	if p == nil {
		return fmt.Errorf("table %s of %s %w", table, c.kb.Name, dbfile.ErrNotFound)
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

// rowsPerView is the number of rows that are looked up in one transaction.
const rowsPerView = 2048

// inView runs f, which looks up and merges rows, in a read transaction, and then writes rows if many are in memory.
func (c *Change) inView(ctx context.Context, f func(r relation.Reader) error) error {
	if c.over {
		return errors.New("the change is over")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.env.Read(f); err != nil {
		return err
	}
	return c.spill(ctx)
}

// changedAtOnce is the number of changed rows that wait in memory.
const changedAtOnce = 1 << 15

// mostChanged is the number of changed rows that wait in memory.
func (c *Change) mostChanged() int {
	if c.env.FewRows > 0 {
		return c.env.FewRows
	}
	return changedAtOnce
}

// spill writes changed rows if there are many, and all rows if the memory is full.
func (c *Change) spill(ctx context.Context) error {
	size, most := c.words.size, c.mostChanged()
	for _, p := range c.parts {
		size += p.fresh.size()
		if len(p.changed) > most {
			if err := errors.Join(p.writeChanged(ctx), p.d.End()); err != nil {
				return err
			}
		}
	}
	if size < c.Memory {
		return nil
	}
	for _, p := range c.parts {
		if p.stored != nil {
			p.keepKeys()
		}
	}
	if err := c.write(ctx); err != nil {
		return err
	}
	if c.words.size > c.Memory/2 {
		c.foldCounts()
		c.words = newWords()
	}
	for _, p := range c.parts {
		p.fresh.words = c.words
		if err := p.d.End(); err != nil {
			return err
		}
	}
	return nil
}

// keepKeys adds the keys of the rows in memory to the filter.
func (p *part) keepKeys() {
	p.stored.begin(p.fresh.len())
	key := make([]value.Value, p.Key)
	for i := range p.fresh.len() {
		for k, code := range p.fresh.keyOf(i) {
			if k < p.Key {
				key[k] = p.fresh.words.value(code)
			}
		}
		p.stored.add(key)
	}
}

// foldCounts moves the changes of the numbers of triples from the words to their names.
func (c *Change) foldCounts() {
	for code, n := range c.words.triples {
		if n != 0 {
			c.counts[c.words.texts[code]] += int(n)
			c.words.triples[code] = 0
		}
	}
}

// write moves the rows in memory to the drafts of their tables.
func (c *Change) write(ctx context.Context) error {
	rows := 0
	for _, p := range c.parts {
		rows += p.fresh.len()
	}
	dict := c.words.dict(rows > rowsPerView) // few rows are sorted faster than words
	for _, p := range c.parts {
		if err := p.writeChanged(ctx); err != nil {
			return err
		}
		for from := 0; from < p.fresh.len(); from += rowsPerView {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			to := min(from+rowsPerView, p.fresh.len())
			cols := make([]*value.Vec, p.o.Slots())
			for i, v := range p.fresh.columns(from, to, dict) {
				cols[p.o.Slot(i)] = &v
			}
			if err := p.d.AddRows(to-from, cols); err != nil {
				return err
			}
		}
		p.fresh = newRowsOf(p.o, p.Key, c.words)
	}
	return nil
}

// writeChanged moves changed rows to the draft.
func (p *part) writeChanged(ctx context.Context) error {
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
	return p.d.Change(ctx, &table.Edit{IDs: ids, Fresh: fresh, Gone: gone})
}

// Drafts completes the change and returns the drafts of its tables. Nothing may be added afterwards.
func (c *Change) Drafts(ctx context.Context) ([]*table.Draft, error) {
	if c.over {
		return nil, errors.New("the change is over")
	}
	err := c.Finish(ctx)
	if err == nil {
		err = c.env.Read(c.recount)
	}
	if err == nil {
		err = c.write(ctx)
	}
	return c.all(), err
}

func (c *Change) all() []*table.Draft {
	out := make([]*table.Draft, len(c.parts))
	for i, p := range c.parts {
		out[i] = p.d
	}
	return out
}

// End ends the change and returns its drafts, nil if it was over.
func (c *Change) End() []*table.Draft {
	if c.over {
		return nil
	}
	c.over = true
	return c.all()
}
