package dbfile

import (
	"time"

	"parlance/storage/sealed"
)

// Figures are counters and sizes of the file.
type Figures struct {
	// like the next three, 0 while Compact replaces the file; pending pages are free pages too
	FileBytes, FreeBytes, PendingBytes int64
	Reads                              int64         // read transactions since the file was opened or compacted
	OpenReads                          int           // open read transactions
	WriteTime                          time.Duration // for writing pages to disk, since the file was opened or compacted
	Writes                             uint64        // write transactions
}

// Figures returns the present figures. It does not wait for Compact.
func (s *File) Figures() Figures {
	a := Figures{Writes: s.writes.Load()}
	if !s.lock.TryRLock() {
		return a
	}
	defer s.lock.RUnlock()
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
	return a
}
