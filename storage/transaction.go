package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/documents"
	"parlance/storage/sealed"
	"parlance/storage/table"
)

// Transaction collects changes of the catalog, corpora and tables by several statements, which are committed together
// or rolled back. It locks an object at its first change and holds the lock until its end. It holds no transaction of
// the file: documents are written to the file as statements add them, and are visible when Commit names them.
//
// Few changed rows of tables and knowledge bases stay in memory until Commit, many go to the file as well. Objects that
// it makes are in the file from the beginning, and get their names at Commit; objects that it drops are visible to
// others until then. A Transaction is for one goroutine at a time.
type Transaction struct {
	s      *Store
	frozen *Frozen                      // the state that it reads below its own changes; nil for the newest state
	locks  map[uint32]func()            // functions that release its locks, by object
	states map[uint32]*documents.Corpus // changed corpora
	tables map[uint32]table.State       // changed tables
	blocks []garbage                    // generations of tables that it has put into the file
	steps  []step

	catalog       catalogOverlay
	made          []*Object // objects that it has prepared, in order
	catalogBase   uint64    // version of the committed catalog under catalogNumber
	catalogNumber uint64    // identifies the catalog of this transaction; 0 before a change

	indexes map[string]uint32 // prefixes of index entries that it has written or will remove, with the object's identifier

	waiting bool // for the lock of the object awaited; guarded by corpora.mu
	awaited uint32

	seen overlay
}

// step is one change of a corpus.
type step struct {
	made  []garbage         // new generations and parts, garbage if it is undone
	waste []garbage         // generations and parts that are garbage after it
	next  *documents.Corpus // state after it
	write func(*sealed.Tx) error
}

// firstOverlayVersion is greater than all versions of committed states.
const firstOverlayVersion = 1 << 62

// overlay identifies the state of a transaction: committed states below its changes.
type overlay struct {
	base   uint64 // version of the committed ones
	number uint64 // identifies the changes; 0 for none
	states map[uint32]*documents.Corpus
}

// Begin opens a transaction, which Commit or Rollback must end.
func (s *Store) Begin() *Transaction {
	return &Transaction{s: s, locks: map[uint32]func(){}, states: map[uint32]*documents.Corpus{},
		tables: map[uint32]table.State{}, indexes: map[string]uint32{}}
}

// transactionKey is the key of contexts of statements in a transaction.
type transactionKey struct{}

// Context returns a context under which changes are part of the transaction.
func (t *Transaction) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, transactionKey{}, t)
}

// transaction returns the transaction of a context, or nil.
func transaction(ctx context.Context) *Transaction {
	t, _ := ctx.Value(transactionKey{}).(*Transaction)
	return t
}

// Capture makes sn, which is not open, a snapshot of the committed state with the changes of the
// transaction and returns it.
func (t *Transaction) Capture(sn *Snapshot) *Snapshot {
	if t.frozen != nil {
		t.frozen.Capture(sn)
	} else {
		t.s.Capture(sn)
	}
	t.captureCatalog(sn)
	if len(t.tables) > 0 {
		sn.tables = maps.Clone(sn.tables)
		maps.Copy(sn.tables, t.tables)
	}
	if len(t.states) == 0 {
		return sn
	}
	if x := &t.seen; x.number == 0 || x.base != sn.published {
		*x = overlay{base: sn.published, number: firstOverlayVersion + t.s.corpora.overlays.Add(1),
			states: maps.Clone(sn.states)}
		maps.Copy(x.states, t.states)
	}
	sn.states, sn.overlay = t.seen.states, t.seen.number
	return sn
}

// add adds a change, after which the state of a corpus is next.
func (t *Transaction) add(prev, next *documents.Corpus, waste []garbage, write func(*sealed.Tx) error) {
	known := map[uint32]bool{}
	for _, g := range prev.Gens {
		known[g.ID] = true
	}
	x := step{waste: waste, next: next, write: write}
	before, fresh := prev.Parts(), next.Parts()
	maps.DeleteFunc(fresh, func(part uint16, _ bool) bool { return before[part] })
	for _, g := range next.Gens {
		if !known[g.ID] {
			x.made = append(x.made, garbage{corpus: next.ID, gen: g.ID, all: true})
			continue
		}
		for _, part := range slices.Sorted(maps.Keys(fresh)) {
			x.made = append(x.made, garbage{corpus: next.ID, gen: g.ID, part: part})
		}
	}
	t.steps, t.states[next.ID], t.seen = append(t.steps, x), next, overlay{}
}

// parts are the part numbers of a corpus that the transaction, which may be nil, could roll back to.
func (t *Transaction) parts(id uint32) map[uint16]bool {
	used := map[uint16]bool{}
	if t == nil {
		return used
	}
	maps.Copy(used, t.s.state(context.Background(), id).Parts())
	for _, x := range t.steps {
		if x.next.ID == id {
			maps.Copy(used, x.next.Parts())
		}
	}
	return used
}

// Savepoint is a state of a transaction to roll back to. The zero value is its beginning.
type Savepoint struct {
	steps  int
	states map[uint32]*documents.Corpus
	tables map[uint32]table.State
	blocks int

	catalog catalogOverlay
	made    int
}

// Savepoint returns the present state.
func (t *Transaction) Savepoint() Savepoint {
	return Savepoint{len(t.steps), maps.Clone(t.states), maps.Clone(t.tables), len(t.blocks), t.catalog, len(t.made)}
}

// RollbackTo undoes the changes after a savepoint. Locks are kept, except those of objects made after it.
func (t *Transaction) RollbackTo(m Savepoint) {
	var made []garbage
	for _, x := range t.steps[m.steps:] {
		made = append(made, x.made...)
	}
	made, t.blocks = append(made, t.blocks[m.blocks:]...), slices.Clip(t.blocks[:m.blocks])
	t.steps, t.states, t.seen = slices.Clip(t.steps[:m.steps]), map[uint32]*documents.Corpus{}, overlay{}
	t.tables = map[uint32]table.State{}
	maps.Copy(t.states, m.states)
	maps.Copy(t.tables, m.tables)
	if len(made) > 0 {
		t.s.publish(nil, made) // snapshots of the transaction may still read them
	}
	t.backTo(m.made, m.catalog)
}

// Rollback undoes all changes and ends the transaction. After Commit it does nothing.
func (t *Transaction) Rollback(ctx context.Context) {
	t.RollbackTo(Savepoint{})
	t.tidyIndexes()
	t.release()
	t.s.collectSoon(ctx)
}

// Commit commits all changes in one transaction of the file and ends the transaction. If it fails, all are rolled back.
// ErrNotFound if a changed object was dropped in the meantime.
func (t *Transaction) Commit(ctx context.Context) error {
	if err := t.publish(); err != nil {
		t.Rollback(ctx)
		return err
	}
	for id := range t.states {
		if o := t.s.byID(id); o != nil {
			t.s.mergeGenerations(ctx, o)
		}
	}
	for id := range t.tables {
		if o := t.s.byID(id); o != nil {
			t.s.mergeTable(ctx, o)
		}
	}
	t.steps, t.states, t.tables, t.seen = nil, map[uint32]*documents.Corpus{}, map[uint32]table.State{}, overlay{}
	t.blocks = nil
	t.made, t.catalog = nil, catalogOverlay{}
	t.tidyIndexes()
	t.release()
	t.s.collectSoon(ctx)
	return nil
}

func (t *Transaction) publish() error {
	s := t.s
	if len(t.steps)+len(t.tables)+len(t.made)+len(t.catalog.names) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range t.locks {
		if s.cat.byID(id) == nil {
			return fmt.Errorf("what the transaction has changed was dropped: %w", ErrNotFound)
		}
	}
	if t.frozen != nil {
		if err := t.frozen.validate(); err != nil {
			return err
		}
	}
	revealed, err := t.revealed()
	if err != nil {
		return err
	}
	if err := s.Update(func(tx *sealed.Tx) error { return t.write(tx, revealed) }); err != nil {
		return err
	}
	t.makeKnown(revealed)
	return nil
}

// write writes all changes.
func (t *Transaction) write(tx *sealed.Tx, revealed []*Object) error {
	for _, x := range t.steps {
		if err := x.write(tx); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.states)) {
		if err := t.states[id].Write(tx); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.tables)) {
		if err := t.writeTable(tx, id); err != nil {
			return err
		}
	}
	return t.writeCatalog(tx, revealed)
}

// makeKnown makes the written changes visible. The lock of the store must be held.
func (t *Transaction) makeKnown(revealed []*Object) {
	s := t.s
	var waste []garbage
	for _, x := range t.steps {
		waste = append(waste, x.waste...)
	}
	states, lost := maps.Clone(t.states), t.lost()
	for _, o := range lost {
		waste = append(waste, s.remains(t.Context(context.Background()), o)...)
		states[o.ID] = nil
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	if len(t.steps)+len(lost)+len(revealed) > 0 { // also if older plans would find other catalog entries
		c.publish(states, waste)
	}
	c.publishTables(t.tables, t.unused())
	t.publishCatalog(revealed, lost, c.version)
}

// release releases the locks and the frozen state.
func (t *Transaction) release() {
	if t.frozen != nil {
		t.frozen.Close()
	}
	c := &t.s.corpora
	c.mu.Lock()
	for id := range t.locks {
		delete(c.owners, id)
	}
	c.mu.Unlock()
	for _, unlock := range t.locks {
		unlock()
	}
	clear(t.locks)
	t.s.mu.Lock()
	maps.DeleteFunc(t.s.cat.reserved, func(_ string, other *Transaction) bool { return other == t })
	t.s.mu.Unlock()
}

// await records that the transaction waits for the lock of an object, or returns ErrDeadlock if the holder waits for
// this transaction.
func (t *Transaction) await(id uint32) error {
	c := &t.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	owners := c.owners
	for o := owners[id]; o != nil; o = owners[o.awaited] {
		if o == t {
			return ErrDeadlock
		}
		if !o.waiting {
			break
		}
	}
	t.waiting, t.awaited = true, id
	return nil
}

// got records that the transaction no longer waits, and has the lock if unlock is not nil.
func (t *Transaction) got(id uint32, unlock func()) {
	c := &t.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	t.waiting = false
	if unlock != nil {
		t.locks[id], c.owners[id] = unlock, t
	}
}
