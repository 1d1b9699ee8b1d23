package storage

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"parlance/storage/bbolt"
)

// Transaction is changes of the catalog, corpora and tables by several statements, which are published together or not at all.
// From its first change of an object to its end it is the only writer of it. It holds no transaction of
// the file: what it adds to corpora is written as statements make it, and belongs to nothing until Commit names it.
//
// Changed rows of tables, and of those of knowledge bases, stay in memory until then. Objects that it makes have their
// place in the file from the beginning, and their names when it is published; those that it drops are hidden from itself
// alone until then. One goroutine uses it at a time.
type Transaction struct {
	s      *Store
	frozen *Frozen                 // what it reads below its own changes; nil for the newest state
	held   map[uint32]func()       // objects that it alone writes, with what lets go of them
	states map[uint32]*corpusState // of corpora that it has changed
	tables map[uint32]tableOverlay // that it has changed
	steps  []step

	catalog       catalogOverlay
	made          []*Object // objects that it has prepared, in order
	catalogBase   uint64    // version of the committed catalog under catalogNumber
	catalogNumber uint64    // of the catalog that it sees, among those of all transactions; 0 for none

	indexes map[string]uint32 // what begins the index entries that it has written or will remove, with the object's identifier

	awaits  bool // it waits for the object awaited; guarded by corpora.mu
	awaited uint32

	seen overlay
}

// step is one change of a corpus.
type step struct {
	made  []garbage    // generations and parts that no state names without it
	waste []garbage    // what no state names after it
	next  *corpusState // after it
	write func(*bbolt.Tx) error
}

// firstOverlay is above all versions of committed states.
const firstOverlay = 1 << 62

// overlay is committed states under those of a transaction.
type overlay struct {
	base   uint64 // version of the committed ones
	number uint64 // of this state, among those of all transactions; 0 for none
	states map[uint32]*corpusState
}

// Begin opens a transaction, which Commit or Rollback must end.
func (s *Store) Begin() *Transaction {
	return &Transaction{s: s, held: map[uint32]func(){}, states: map[uint32]*corpusState{}, tables: map[uint32]tableOverlay{}, indexes: map[string]uint32{}}
}

// transactionKey is the key of contexts of statements in a transaction.
type transactionKey struct{}

// Context makes changes under the context changes of the transaction.
func (t *Transaction) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, transactionKey{}, t)
}

// transaction returns the one that a statement is part of, or nil.
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
		sn.tables, sn.rows = maps.Clone(sn.tables), make(map[uint32]history, len(t.tables))
		sn.entries = make(map[uint32]blockEntries, len(t.tables))
		for id, x := range t.tables {
			sn.tables[id], sn.rows[id], sn.entries[id] = x.state, x.rows, x.blockEntries
		}
	}
	if len(t.states) == 0 {
		return sn
	}
	if x := &t.seen; x.number == 0 || x.base != sn.published {
		*x = overlay{base: sn.published, number: firstOverlay + t.s.corpora.overlays.Add(1), states: maps.Clone(sn.states)}
		maps.Copy(x.states, t.states)
	}
	sn.states, sn.overlay = t.seen.states, t.seen.number
	return sn
}

// add notes a change that makes next the state of a corpus.
func (t *Transaction) add(prev, next *corpusState, waste []garbage, write func(*bbolt.Tx) error) {
	known := map[uint32]bool{}
	for _, g := range prev.gens {
		known[g.id] = true
	}
	x := step{waste: waste, next: next, write: write}
	before, fresh := prev.parts(), next.parts()
	maps.DeleteFunc(fresh, func(part uint16, _ bool) bool { return before[part] })
	for _, g := range next.gens {
		if !known[g.id] {
			x.made = append(x.made, garbage{corpus: next.id, gen: g.id, all: true})
			continue
		}
		for _, part := range slices.Sorted(maps.Keys(fresh)) {
			x.made = append(x.made, garbage{corpus: next.id, gen: g.id, part: part})
		}
	}
	t.steps, t.states[next.id], t.seen = append(t.steps, x), next, overlay{}
}

// parts are the numbers of layers and indexes of a corpus that the transaction, which may be nil, could come back to.
func (t *Transaction) parts(id uint32) map[uint16]bool {
	used := map[uint16]bool{}
	if t == nil {
		return used
	}
	maps.Copy(used, t.s.state(context.Background(), id).parts())
	for _, x := range t.steps {
		if x.next.id == id {
			maps.Copy(used, x.next.parts())
		}
	}
	return used
}

// parts are the numbers of the layers and indexes of a state.
func (c *corpusState) parts() map[uint16]bool {
	used := map[uint16]bool{}
	for _, l := range c.layers {
		used[l.Part] = true
	}
	for _, x := range c.indexes {
		used[x.Part] = true
	}
	return used
}

// Mark is a moment of a transaction to go back to; the zero one is its beginning.
type Mark struct {
	steps  int
	states map[uint32]*corpusState
	tables map[uint32]tableOverlay

	catalog catalogOverlay
	made    int
}

// Mark returns the present moment.
func (t *Transaction) Mark() Mark {
	return Mark{len(t.steps), maps.Clone(t.states), maps.Clone(t.tables), t.catalog, len(t.made)}
}

// Back undoes what was changed after a moment. Objects stay held, but for those made after it.
func (t *Transaction) Back(m Mark) {
	var made []garbage
	for _, x := range t.steps[m.steps:] {
		made = append(made, x.made...)
	}
	t.steps, t.states, t.seen = slices.Clip(t.steps[:m.steps]), map[uint32]*corpusState{}, overlay{}
	t.tables = map[uint32]tableOverlay{}
	maps.Copy(t.states, m.states)
	maps.Copy(t.tables, m.tables)
	if len(made) > 0 {
		t.s.publish(nil, made) // snapshots of the transaction may still read them
	}
	t.backTo(m.made, m.catalog)
}

// Rollback undoes all changes and ends the transaction. After Commit it does nothing.
func (t *Transaction) Rollback(ctx context.Context) {
	t.Back(Mark{})
	t.tidyIndexes()
	t.release()
	t.s.collectSoon(ctx)
}

// Commit publishes all changes in one transaction of the file and ends the transaction, also if it fails:
// then nothing has changed. ErrNotFound if something that it changes was dropped in the meantime.
func (t *Transaction) Commit(ctx context.Context) error {
	if err := t.publish(); err != nil {
		t.Rollback(ctx)
		return err
	}
	for id := range t.states {
		t.s.mu.RLock()
		o := t.s.cat.byID(id)
		t.s.mu.RUnlock()
		if o != nil {
			t.s.tidy(ctx, o)
		}
	}
	t.steps, t.states, t.tables, t.seen = nil, map[uint32]*corpusState{}, map[uint32]tableOverlay{}, overlay{}
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
	for id := range t.held {
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
	var was []*former
	err = s.update(func(tx *bbolt.Tx) (err error) {
		was, err = t.write(tx, revealed)
		return err
	})
	if err != nil {
		s.takeBack(was...)
		return err
	}
	t.makeKnown(revealed, was)
	return nil
}

// write writes all changes and returns what rows of tables were.
func (t *Transaction) write(tx *bbolt.Tx, revealed []*Object) (was []*former, err error) {
	for _, x := range t.steps {
		if err := x.write(tx); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.states)) {
		if err := t.states[id].write(tx); err != nil {
			return nil, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.tables)) {
		f, err := t.writeTable(tx, t.tables[id])
		if err != nil {
			return nil, err
		}
		was = append(was, &f)
	}
	if err := t.writeCatalog(tx, revealed); err != nil {
		return nil, err
	}
	t.s.note(was...)
	return was, nil
}

// makeKnown makes what was written seen by others; the lock of the store is held.
func (t *Transaction) makeKnown(revealed []*Object, was []*former) {
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
	tables := map[uint32]tableState{}
	for id, x := range t.tables {
		tables[id] = x.state
	}
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	if len(t.steps)+len(lost)+len(revealed) > 0 { // also where plans of older snapshots find other entries
		c.publish(states, waste)
	}
	c.publishTables(tables, was)
	t.publishCatalog(revealed, lost, c.version)
}

// release lets go of what it holds and reads.
func (t *Transaction) release() {
	if t.frozen != nil {
		t.frozen.Close()
	}
	c := &t.s.corpora
	c.mu.Lock()
	for id := range t.held {
		delete(c.owners, id)
	}
	c.mu.Unlock()
	for _, unlock := range t.held {
		unlock()
	}
	clear(t.held)
	t.s.mu.Lock()
	maps.DeleteFunc(t.s.cat.taken, func(_ string, other *Transaction) bool { return other == t })
	t.s.mu.Unlock()
}

// await notes that the transaction waits for an object, unless somebody it would wait for waits for it. The
// corpora must be locked.
func (t *Transaction) await(id uint32) error {
	owners := t.s.corpora.owners
	for o := owners[id]; o != nil; o = owners[o.awaited] {
		if o == t {
			return ErrDeadlock
		}
		if !o.awaits {
			break
		}
	}
	t.awaits, t.awaited = true, id
	return nil
}

// got notes that the transaction waits no more, and holds the object if unlock is not nil.
func (t *Transaction) got(id uint32, unlock func()) {
	c := &t.s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	t.awaits = false
	if unlock != nil {
		t.held[id], c.owners[id] = unlock, t
	}
}
