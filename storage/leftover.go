package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"parlance/storage/bbolt"
	"parlance/storage/guard"
)

// What a statement has written and not committed lies where no reader looks: rows beyond the state of their table,
// staged changes that no state names, generations in no manifest. Opening a file only notes what a killed process has left,
// and Abort what takes too long. It goes in the background, some thousand keys a transaction; who writes a table
// removes what lies there before.

// leftovers are what statements have left in tables, besides staged changes.
type leftovers struct {
	rows    map[uint32]bool     // tables with rows beyond their state
	entries map[uint32][][]byte // prefixes of index entries that no index has, by table
}

// leaveRows notes that tables may have rows beyond their state.
func (s *Store) leaveRows(tables ...uint32) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left.rows == nil {
		c.left.rows = map[uint32]bool{}
	}
	for _, id := range tables {
		c.left.rows[id] = true
	}
}

// leftIn returns the tables in which something is left, in order.
func (s *Store) leftIn() []uint32 {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := slices.AppendSeq(slices.Collect(maps.Keys(c.left.rows)), maps.Keys(c.left.entries))
	slices.Sort(ids)
	return slices.Compact(ids)
}

// dirty reports whether anything is left that clean removes.
func (s *Store) dirty() bool {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.garbage)+len(c.staged)+len(c.left.rows)+len(c.left.entries) > 0
}

// removeLeft removes what is left in a table that the caller has locked.
func (s *Store) removeLeft(ctx context.Context, o *Object) error {
	c := &s.corpora
	c.mu.Lock()
	rows, entries, next := c.left.rows[o.ID], c.left.entries[o.ID], c.tables[o.ID].Next
	c.mu.Unlock()
	if rows {
		if err := s.deleteRowsFrom(ctx, o, next); err != nil {
			return err
		}
	}
	for _, prefix := range entries {
		if err := s.deletePrefix(ctx, bucketIndex, prefix); err != nil {
			return err
		}
	}
	if rows || entries != nil {
		s.forgetLeft(o.ID)
	}
	return nil
}

func (s *Store) forgetLeft(table uint32) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.left.rows, table)
	delete(c.left.entries, table)
}

// clean removes all leftovers. What is being written is waited for.
func (s *Store) clean(ctx context.Context) error {
	if err := errors.Join(s.Collect(ctx), s.Settle(ctx)); err != nil {
		return err
	}
	for _, id := range s.leftIn() {
		s.mu.RLock()
		o := s.cat.byID(id)
		s.mu.RUnlock()
		if o == nil { // dropped, with all that it had
			s.forgetLeft(id)
			continue
		}
		_, unlock, err := s.lockTable(ctx, o)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		unlock()
	}
	return nil
}

// cleaner runs clean in a goroutine, which ends when nothing is left.
type cleaner struct {
	mu      sync.Mutex
	ctx     context.Context // ends with the store
	cancel  context.CancelFunc
	running bool
	again   bool
	failed  atomic.Uint64 // times that it gave up
	report  func(error)   // told of what fails, may be nil
	ended   sync.WaitGroup
}

// note counts and reports what fails while the store is open.
func (k *cleaner) note(err error) {
	if err == nil || k.ctx.Err() != nil {
		return
	}
	k.failed.Add(1)
	if k.report != nil {
		k.report(err)
	}
}

// cleanSoon removes leftovers in the background. What fails is reported, and left to the next writer or the next opening.
func (s *Store) cleanSoon() {
	k := &s.cleaner
	k.mu.Lock()
	defer k.mu.Unlock()
	k.again = true
	if k.running || k.ctx.Err() != nil {
		return
	}
	k.running = true
	k.ended.Add(1)
	go func() {
		defer k.ended.Done()
		for k.goOn() {
			k.note(guard.Call("cleaning up", func() error { return s.clean(k.ctx) }))
		}
	}()
}

// goOn reports whether clean was asked for since it last began.
func (k *cleaner) goOn() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = k.again && k.ctx.Err() == nil
	k.again = false
	return k.running
}

// stop ends the goroutine and waits for it.
func (k *cleaner) stop() {
	k.mu.Lock()
	k.cancel()
	k.mu.Unlock()
	k.ended.Wait()
}

// readLeftovers notes what killed statements left behind: rows of loads, of dropped tables, and index entries
// that no index of the catalog names. Identifiers that occur there are not given again.
func (s *Store) readLeftovers() error {
	tables, indexes := map[uint32]*Object{}, map[string]bool{}
	for _, o := range s.tableObjects() {
		tables[o.ID] = o
		for _, cols := range o.Indexes {
			indexes[string(indexPrefix(o, cols))] = true
		}
	}
	gone := map[uint32]bool{}
	s.corpora.left.entries = map[uint32][][]byte{}
	err := s.view(func(tx *bbolt.Tx) error {
		for id := range tables {
			if hasRowsFrom(tx, id, s.corpora.tables[id].Next) {
				s.leaveRows(id)
			}
		}
		has := func(k []byte) bool { return tables[binary.BigEndian.Uint32(k)] != nil }
		lost := groups(tx.Bucket(bucketTable), 4, has)
		if b := stagedIn(tx); b != nil {
			lost = append(lost, groups(b, 4, has)...)
		}
		for _, k := range groups(tx.Bucket(bucketIndex), 8, func(k []byte) bool { return indexes[string(k)] }) {
			if id := binary.BigEndian.Uint32(k); tables[id] != nil {
				s.corpora.left.entries[id] = append(s.corpora.left.entries[id], k)
			} else {
				lost = append(lost, k)
			}
		}
		for _, k := range lost {
			gone[binary.BigEndian.Uint32(k)] = true
		}
		for _, id := range tableStates(tx) {
			gone[id] = gone[id] || tables[id] == nil
		}
		return nil
	})
	for _, id := range slices.Sorted(maps.Keys(gone)) {
		if gone[id] {
			s.corpora.garbage = append(s.corpora.garbage, garbage{corpus: id, table: true})
			s.cat.nextID = max(s.cat.nextID, id+1)
		}
	}
	return err
}
