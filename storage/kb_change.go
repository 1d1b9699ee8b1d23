package storage

import (
	"context"
	"errors"
	"fmt"
	"math"

	"parlance/storage/sealed"
	"parlance/storage/value"
)

// KBChange changes the tables of a knowledge base. The change is visible after Commit, all at once. New rows are
// written to the file as they are added, and so are changes of many old rows; in a transaction all stay in memory. A
// knowledge base has one change at a time. A change is for one goroutine, and must be ended by Commit or Abort.
type KBChange struct {
	KeepExisting   bool // existing rows stay as they are; else new values replace the old ones
	RefuseExisting bool // a row that exists or comes twice is an error
	Duplicates     int  // number of triples and rules that existed or came twice

	s          *Store
	kb         *Object
	parts      []*kbPart
	counts     map[string]int  // change of the number of triples, by relation
	known      map[string]bool // some entities that are known to have a row
	values     *valueCodes     // of the new rows
	waiting    int             // approximate size of the rows that are not written yet, in bytes
	rows       int             // limit of waiting
	limit      int             // limit of all memory
	entryBytes int             // approximate size of the index entries of a transaction
	unlock     func()
	within     *Transaction // nil outside one
	done       bool
}

// kbPart is a table under change. Its state is the state after the change.
type kbPart struct {
	*kbTable
	o       *Object
	st      tableState
	first   uint64 // number of the first new row
	indexed bool   // the indexes name rows
	fresh   newRows
	was     rowVersions              // the changed ones
	changed map[uint64][]value.Value // new values of rows in the file, nil for deleted rows
	pending *pendingRows             // changed rows that are written; nil if there are few
	wait    int                      // limit of the changed rows in memory
	within  tableOverlay             // changes of earlier statements of the transaction

	moved   []uint64        // rows whose keys change; they are removed after all changes have come
	becomes [][]value.Value // new values of each of moved
	gone    [][]value.Value // removed rows, which other rows may name
}

// ChangeKB begins a change. It waits until no other statement writes the knowledge base.
func (s *Store) ChangeKB(ctx context.Context, kb *Object) (*KBChange, error) {
	if s.readOnly {
		return nil, ErrReadOnly
	}
	now, unlock, err := s.lockTable(ctx, kb)
	if err != nil {
		return nil, err
	}
	c := &KBChange{s: s, kb: now, counts: map[string]int{}, known: map[string]bool{}, values: newValueCodes(),
		rows: transactionBytes, limit: kbBytes, entryBytes: entryBytes, unlock: unlock, within: transaction(ctx)}
	for i, o := range now.Tables {
		if was := kb.Table(o.Part); was == nil || !sameColumns(was, o) {
			err = fmt.Errorf("kb %s: %w", kb.Name, ErrChanged)
		}
		st, over := s.tableState(o), tableOverlay{}
		if c.within != nil {
			over = c.within.table(o)
			st = over.state
		}
		c.parts = append(c.parts, &kbPart{kbTable: &kbTables[i], o: o, st: st, within: over, first: st.Next,
			indexed: st.Count > 0, fresh: newRowsOf(o, st.Next), was: rowVersions{table: o.ID},
			changed: map[uint64][]value.Value{}, wait: s.mostRows()})
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
		if p.name == name {
			return p
		}
	}
	return nil
}

// kbBytes is the memory of a change for new rows, approximately. When it is full, index entries are written, to most
// pages of the indexes: the more rows at a time, the better.
const kbBytes = 96 << 20

// rowsPerView is the number of rows that are looked up in one transaction.
const rowsPerView = 2048

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
		err := c.inView(ctx, func(tx *sealed.Tx) error {
			for i := from; i < to; i++ {
				if err := c.add(tx, p, rows[i]); err != nil {
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
func (c *KBChange) inView(ctx context.Context, f func(tx *sealed.Tx) error) error {
	if c.done {
		return errors.New("the change is over")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.s.view(f); err != nil {
		return err
	}
	return c.spill(ctx)
}

// spill writes new rows if there are many, and their index entries if the memory is full.
func (c *KBChange) spill(ctx context.Context) error {
	if c.within != nil {
		return c.spillWithin()
	}
	size := c.waiting + c.values.size
	for _, p := range c.parts {
		size += p.fresh.size()
		if err := c.flushPending(ctx, p); err != nil {
			return err
		}
	}
	if c.waiting < c.rows && size < c.limit {
		return nil
	}
	err := c.s.update(func(tx *sealed.Tx) error { return c.putRows(ctx, tx) })
	if err != nil || size < c.limit {
		return err
	}
	return c.putEntries(ctx)
}

// entries prepares to write the index entries of the new rows.
func (c *KBChange) entries(ctx context.Context) (*entryWriter, error) {
	w, err := newEntryWriter(ctx, c.values)
	for _, p := range c.parts {
		fill := 0.95
		if p.indexed {
			fill = 0.85 // they are inserted between others
		}
		w.add(p.o, &p.fresh.codedRows, fill)
	}
	return w, err
}

// putRows writes the new rows in memory, with numbers beyond those that readers see.
func (c *KBChange) putRows(ctx context.Context, tx *sealed.Tx) error {
	if err := exists(tx, c.kb); err != nil {
		return err
	}
	b := tx.Bucket(bucketTable)
	b.FillPercent = 0.95 // rows are appended
	for _, p := range c.parts {
		if err := p.putRows(ctx, b); err != nil {
			return err
		}
	}
	c.waiting = 0
	return nil
}

func (p *kbPart) putRows(ctx context.Context, b *sealed.Bucket) error {
	var buf []byte // bbolt refers to it until the transaction ends
	for i, row := range p.fresh.waiting {
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := len(buf)
		buf = p.o.appendPacked(buf, row)
		raw := buf[from:len(buf):len(buf)]
		if err := b.Put(rowKey(p.o.ID, p.st.Next), raw); err != nil {
			return err
		}
		rowSum(&p.st.Sum, raw, true)
		p.st.Next++
		p.st.Count++
	}
	p.fresh.written += len(p.fresh.waiting)
	p.fresh.waiting = nil
	return nil
}

// putEntries writes the index entries of rows that are in the file, some megabytes a transaction.
func (c *KBChange) putEntries(ctx context.Context) error {
	w, err := c.entries(ctx)
	if err != nil {
		return err
	}
	for done := false; !done; {
		err := c.s.update(func(tx *sealed.Tx) (err error) {
			if err = exists(tx, c.kb); err == nil {
				done, err = w.put(ctx, tx, c.entryBytes)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	c.forget()
	return nil
}

// entryBytes is the size of the index entries that one transaction writes.
const entryBytes = 16 << 20

// forget drops new rows from memory after their index entries are written.
func (c *KBChange) forget() {
	c.values = newValueCodes()
	for _, p := range c.parts {
		p.indexed = p.indexed || p.fresh.count() > 0
		p.fresh = newRowsOf(p.o, p.st.Next)
	}
}

// Commit publishes the change in one transaction.
func (c *KBChange) Commit(ctx context.Context) error {
	if c.done {
		return errors.New("the change is over")
	}
	err := c.Finish(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = c.s.view(c.recount)
	}
	if c.within != nil {
		if err == nil {
			err = c.commitWithin(ctx)
		}
		if err != nil {
			c.Abort()
		}
		return err
	}
	if err == nil && c.many() {
		err = c.s.update(func(tx *sealed.Tx) error { return c.putRows(ctx, tx) })
		if err == nil {
			err = c.putEntries(ctx)
		}
	}
	if err == nil {
		err = c.s.update(func(tx *sealed.Tx) error { return c.publish(ctx, tx) })
	}
	if err != nil {
		c.s.discardVersions(c.formers()...)
		c.Abort()
		return err
	}
	states := map[uint32]tableState{}
	for _, p := range c.parts {
		states[p.o.ID] = p.st
	}
	c.s.publishPending(states, c.pendingChanges(), c.formers()...)
	c.done = true
	c.unlock()
	return nil
}

// many reports whether the new rows are too many for one transaction.
func (c *KBChange) many() bool {
	rows := 0
	for _, p := range c.parts {
		rows += p.fresh.count() * len(p.o.Indexes)
	}
	return rows > c.entryBytes/128
}

func (c *KBChange) publish(ctx context.Context, tx *sealed.Tx) error {
	if err := c.putRows(ctx, tx); err != nil {
		return err
	}
	w, err := c.entries(ctx)
	if err != nil {
		return err
	}
	if _, err := w.put(ctx, tx, math.MaxInt); err != nil {
		return err
	}
	for _, p := range c.parts {
		if p.pending != nil {
			if err := p.putPending(ctx, tx); err != nil {
				return err
			}
		}
		if err := p.apply(ctx, tx); err != nil {
			return err
		}
		if err := putJSON(tx, tableKey(p.o.ID), p.st); err != nil {
			return err
		}
		p.was.tx = tx.ID()
	}
	c.s.recordVersions(c.formers()...)
	return nil
}

// formers are the old versions of the changed rows.
func (c *KBChange) formers() []*rowVersions {
	out := make([]*rowVersions, len(c.parts))
	for i, p := range c.parts {
		out[i] = &p.was
	}
	return out
}

// Abort discards the change and removes what it has written. If that takes long, the rest is left as orphans, which
// readers do not see.
func (c *KBChange) Abort() {
	if c.done {
		return
	}
	c.done = true
	c.s.abandonPending(c.pendingChanges()...)
	ctx, cancel := context.WithTimeout(context.Background(), abortTime)
	defer cancel()
	for _, p := range c.parts {
		if c.within == nil {
			c.s.noteOrphans(p.o.ID)
		}
	}
	if err := c.s.mergePendingOf(ctx, c.kb); err != nil {
		defer c.s.removeOrphansSoon()
	}
	c.unlock()
}
