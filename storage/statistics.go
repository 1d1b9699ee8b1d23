package storage

import (
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
)

// Statistics are counters and sizes of the file and its caches.
type Statistics struct {
	dbfile.Figures
	CleanFailures              uint64 // failures to remove orphans in the background
	SegmentHits, SegmentMisses uint64 // of the cache of decoded segments
	SegmentBytes               int    // size of that cache, approximately
	Snapshots                  int    // open ones
	Objects                    map[catalog.ObjectKind]int
}

// Statistics returns the present statistics. It does not wait for Compact.
func (s *Store) Statistics() Statistics {
	a := Statistics{Figures: s.Figures(), CleanFailures: s.cleaner.failed.Load(), Objects: map[catalog.ObjectKind]int{}}
	a.SegmentHits, a.SegmentMisses, a.SegmentBytes = s.segments.Figures()
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
