package storage

import (
	"time"

	"parlance/storage/bbolt"
)

// Figures are what the file and the memory around it have done and hold.
type Figures struct {
	FileBytes, FreeBytes, PendingBytes int64         // 0 while Compact changes the file, like the next three; pending is a part of free
	Reads                              int64         // read transactions, since the opening or Compact
	OpenReads                          int           // under way
	WriteTime                          time.Duration // of pages to the disk, since the opening or Compact
	Writes                             uint64        // write transactions
	CleanFailures                      uint64        // times that leftovers could not be removed in the background
	SegmentHits, SegmentMisses         uint64        // of the cache of decoded segments
	SegmentBytes                       int           // in that cache, roughly
	Snapshots                          int           // open ones
	Objects                            map[ObjectKind]int
}

// Figures returns the present figures. It does not wait for Compact.
func (s *Store) Figures() Figures {
	a := Figures{Writes: s.writes.Load(), CleanFailures: s.cleaner.failed.Load(), Objects: map[ObjectKind]int{}}
	s.fileFigures(&a)
	s.segments.mu.Lock()
	a.SegmentHits, a.SegmentMisses, a.SegmentBytes = s.segments.hits, s.segments.misses, s.segments.size
	s.segments.mu.Unlock()
	s.corpora.mu.Lock()
	a.Snapshots = s.corpora.open
	s.corpora.mu.Unlock()
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, o := range s.cat.byName {
		a.Objects[o.Kind]++
	}
	return a
}

// fileFigures reads the figures of the file, unless it is being compacted or closed.
func (s *Store) fileFigures(a *Figures) {
	if !s.file.TryRLock() {
		return
	}
	defer s.file.RUnlock()
	st := s.bolt.Stats()
	a.FreeBytes = int64(st.FreeAlloc)
	if n := st.FreePageN + st.PendingPageN; n > 0 {
		a.PendingBytes = a.FreeBytes / int64(n) * int64(st.PendingPageN)
	}
	a.Reads, a.OpenReads, a.WriteTime = int64(st.TxN), st.OpenTxN, st.TxStats.GetWriteTime()
	_ = s.bolt.View(func(tx *bbolt.Tx) error { // a closed file has no size
		a.FileBytes = tx.Size()
		return nil
	})
}
