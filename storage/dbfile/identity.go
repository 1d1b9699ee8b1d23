package dbfile

import (
	"fmt"
	"os"
	"time"

	"parlance/storage/sealed"
)

// Modified is when the file was last written, as it was when it was opened.
func (s *File) Modified() time.Time { return s.found.ModTime() }

// Unchanged reports whether the path leads to the file that was opened, as it was then: one that has been written over
// in place is another file.
func (s *File) Unchanged() bool {
	info, err := os.Stat(s.absolute)
	return err == nil && os.SameFile(info, s.found) && info.Size() == s.found.Size() &&
		info.ModTime().Equal(s.found.ModTime())
}

// Content tells files apart by what is in them: copies of the same state that BACKUP made have the same 16 hexadecimal
// digits. The cache does not count.
func (s *File) Content() (string, error) {
	sum := uint64(0)
	err := s.View(func(tx *sealed.Tx) error {
		sum = tx.Fingerprint(Cache)
		return nil
	})
	return fmt.Sprintf("%016x", sum), err
}
