package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"parlance/storage/guard"
	"parlance/storage/sealed"
)

// Orphans are data that a statement has written and not committed. No reader sees them: rows with numbers beyond the
// state of their table, pending rows of a change that no state names, generations in no manifest. They are found when a
// file is opened after its process was killed, or are left by an Abort that would take too long. A background goroutine
// removes them, some thousand keys a transaction; a writer removes those of its table first.

// orphans are the orphans of tables, besides pending rows.
type orphans struct {
	rows    map[uint32]bool     // tables with rows beyond their state
	entries map[uint32][][]byte // prefixes of index entries that no index has, by table
}

// noteOrphans records that tables may have rows beyond their state.
func (s *Store) noteOrphans(tables ...uint32) {
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

// orphanTables returns the tables with orphans, in order.
func (s *Store) orphanTables() []uint32 {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := slices.AppendSeq(slices.Collect(maps.Keys(c.left.rows)), maps.Keys(c.left.entries))
	slices.Sort(ids)
	return slices.Compact(ids)
}

// hasOrphans reports whether there is anything for removeOrphans.
func (s *Store) hasOrphans() bool {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.garbage)+len(c.pending)+len(c.left.rows)+len(c.left.entries) > 0
}

// removeOrphansOf removes the orphans of a table that the caller has locked.
func (s *Store) removeOrphansOf(ctx context.Context, o *Object) error {
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
		s.forgetOrphans(o.ID)
	}
	return nil
}

func (s *Store) forgetOrphans(table uint32) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.left.rows, table)
	delete(c.left.entries, table)
}

// removeOrphans removes all orphans. It waits for running writers.
func (s *Store) removeOrphans(ctx context.Context) error {
	if err := errors.Join(s.Collect(ctx), s.MergePending(ctx)); err != nil {
		return err
	}
	for _, id := range s.orphanTables() {
		s.mu.RLock()
		o := s.cat.byID(id)
		s.mu.RUnlock()
		if o == nil { // dropped with its rows
			s.forgetOrphans(id)
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

// orphanCleaner runs removeOrphans in a goroutine, which ends when there are no orphans.
type orphanCleaner struct {
	mu      sync.Mutex
	ctx     context.Context // ends with the store
	cancel  context.CancelFunc
	running bool
	again   bool
	failed  atomic.Uint64 // number of failures
	report  func(error)   // is called with failures; may be nil
	ended   sync.WaitGroup
}

// note counts and reports a failure, unless the store is closing.
func (k *orphanCleaner) note(err error) {
	if err == nil || k.ctx.Err() != nil {
		return
	}
	k.failed.Add(1)
	if k.report != nil {
		k.report(err)
	}
}

// removeOrphansSoon removes orphans in the background. Failures are reported, and left to the next writer or opening.
func (s *Store) removeOrphansSoon() {
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
			k.note(guard.Call("cleaning up", func() error { return s.removeOrphans(k.ctx) }))
		}
	}()
}

// goOn reports whether removeOrphansSoon was called since the last run began.
func (k *orphanCleaner) goOn() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = k.again && k.ctx.Err() == nil
	k.again = false
	return k.running
}

// stop ends the goroutine and waits for it.
func (k *orphanCleaner) stop() {
	k.mu.Lock()
	k.cancel()
	k.mu.Unlock()
	k.ended.Wait()
}

// readOrphans finds the orphans of a killed process: rows of loads and of dropped tables, and entries of no index in
// the catalog. Identifiers that occur in them are not reused.
func (s *Store) readOrphans() error {
	tables, indexes := map[uint32]*Object{}, map[string]bool{}
	for _, o := range s.tableObjects() {
		tables[o.ID] = o
		for _, cols := range o.Indexes {
			indexes[string(indexPrefix(o, cols))] = true
		}
	}
	gone := map[uint32]bool{}
	s.corpora.left.entries = map[uint32][][]byte{}
	err := s.view(func(tx *sealed.Tx) error {
		for id := range tables {
			if hasRowsFrom(tx, id, s.corpora.tables[id].Next) {
				s.noteOrphans(id)
			}
		}
		has := func(k []byte) bool { return tables[binary.BigEndian.Uint32(k)] != nil }
		lost := groups(tx.Bucket(bucketTable), 4, has)
		if b := pendingBucket(tx); b != nil {
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
