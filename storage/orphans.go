package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/sealed"
	"parlance/storage/table"
)

// Orphans are data that a statement has written and not committed. No reader sees them: generations that no manifest or
// state names, states of dropped tables, index entries of no index. They are found when a file is opened after its
// process was killed, or are left by an Abort that would take too long. A background goroutine removes them, some
// thousand keys a transaction.

// hasOrphans reports whether there is anything for removeOrphans.
func (s *Store) hasOrphans() bool {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.garbage)+len(c.left) > 0
}

// removeOrphans removes all orphans. It waits for running writers.
func (s *Store) removeOrphans(ctx context.Context) error {
	if err := s.Collect(ctx); err != nil {
		return err
	}
	for _, prefix := range s.takeLeftEntries() {
		if err := s.removeLeftEntries(ctx, prefix); err != nil {
			s.leaveEntries(prefix)
			return err
		}
	}
	return nil
}

// removeLeftEntries removes index entries of a corpus that no index has.
func (s *Store) removeLeftEntries(ctx context.Context, prefix []byte) error {
	id := binary.BigEndian.Uint32(prefix)
	o := s.byID(id)
	if o == nil {
		return nil // removed with the corpus
	}
	now, unlock, err := s.lockTable(ctx, o)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	if now.HasEntries(prefix) {
		return nil // made since
	}
	return s.DeletePrefix(ctx, bucketIndex, prefix)
}

// leaveEntries notes a prefix of index entries that no index has.
func (s *Store) leaveEntries(prefix []byte) {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = append(c.left, prefix)
}

// takeLeftEntries returns what leaveEntries has noted.
func (s *Store) takeLeftEntries() [][]byte {
	c := &s.corpora
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.left
	c.left = nil
	return out
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

// readDroppedTables finds the states of dropped tables, and index entries of no index, that a killed process has left.
// Identifiers that occur in them are not reused.
func (s *Store) readDroppedTables() error {
	known, gone, indexes := map[uint32]bool{}, map[uint32]bool{}, map[string]bool{}
	for _, o := range s.tableObjects() {
		known[o.ID] = true
		for _, cols := range o.Indexes {
			indexes[string(catalog.IndexPrefix(o, cols))] = true
		}
	}
	err := s.View(func(tx *sealed.Tx) error {
		for _, k := range groups(tx.Bucket(bucketIndex), 8, func(k []byte) bool { return indexes[string(k)] }) {
			if id := binary.BigEndian.Uint32(k); known[id] {
				s.leaveEntries(k)
			} else {
				gone[id] = true
			}
		}
		for _, id := range table.IDs(tx) {
			gone[id] = gone[id] || !known[id]
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
