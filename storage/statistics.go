package storage

import (
	"time"

	"parlance/storage/sealed"
)

// Statistics are counters and sizes of the file and its caches.
type Statistics struct {
	// like the next three, 0 while Compact replaces the file; pending pages are free pages too
	FileBytes, FreeBytes, PendingBytes int64
	Reads                              int64         // read transactions since the file was opened or compacted
	OpenReads                          int           // open read transactions
	WriteTime                          time.Duration // for writing pages to disk, since the file was opened or compacted
	Writes                             uint64        // write transactions
	CleanFailures                      uint64        // failures to remove orphans in the background
	SegmentHits, SegmentMisses         uint64        // of the cache of decoded segments
	SegmentBytes                       int           // size of that cache, approximately
	Snapshots                          int           // open ones
	Objects                            map[ObjectKind]int
}

// Statistics returns the present statistics. It does not wait for Compact.
func (s *Store) Statistics() Statistics {
	a := Statistics{Writes: s.writes.Load(), CleanFailures: s.cleaner.failed.Load(), Objects: map[ObjectKind]int{}}
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

// fileFigures reads the statistics of the file, unless it is being compacted or closed.
func (s *Store) fileFigures(a *Statistics) {
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
	_ = s.bolt.View(func(tx *sealed.Tx) error { // a closed file has no size
		a.FileBytes = tx.Size()
		return nil
	})
}
