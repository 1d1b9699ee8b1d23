// Package dbfile opens the one bbolt file of a database, and reads and writes it in short transactions. It knows the
// names of the buckets, not what is in them. Faults of pages, which bbolt meets with panics, become ErrCorrupt.
package dbfile

import (
	"errors"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"parlance/storage/failing"
	"parlance/storage/sealed"
)

// FormatVersion is the version of the file format, the only one that this program reads. In files of 1 to 6, values
// have no checksums of their own; in 7, blocks of indexes are compressed.
const FormatVersion = 8

// TransactionBytes is about how much one transaction of a large change writes.
const TransactionBytes = 8 << 20

// TransactionKeys is how many keys one transaction of a removal deletes. Each transaction writes the whole list of free
// pages, which grows with the removed pages.
const TransactionKeys = 1 << 14

// Options of Open.
type Options struct {
	ReadOnly  bool
	Temporary bool   // the file need not keep its name
	Program   string // version of the program, stored in new files

	Empty bool // makes a database of a file of 0 bytes, which else is refused

	RemoveUnwritten bool // Close removes a file that this Open created and nothing was written to

	Owner func(object uint32) string // names an object for messages, "" if there is none; must not wait; may be nil
}

// File is an open database file. It is safe for concurrent use.
type File struct {
	path      string
	absolute  string // absolute path
	listed    string // in openFiles
	closed    sync.Once
	bolt      *sealed.DB
	opened    *os.File    // the file of bolt, which closes it
	found     os.FileInfo // of the file when it was opened
	readOnly  bool
	temporary bool
	unwritten bool         // Close removes the file if there was no write
	lock      sync.RWMutex // held by transactions; Compact changes the file under them
	writes    atomic.Uint64
	waiting   atomic.Int32 // number of waiting write transactions
	owner     func(object uint32) string
}

// Path returns the file's path.
func (s *File) Path() string { return s.path }

// ReadOnly reports whether writes are refused.
func (s *File) ReadOnly() bool { return s.readOnly }

// Close releases the file.
func (s *File) Close() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	defer s.closed.Do(func() { openFiles.remove(s.listed) })
	var err error
	if s.unwritten && s.writes.Load() == 0 && !s.fileMoved(s.absolute) {
		err = os.Remove(s.absolute) // before the lock is released, so that nobody can have written to it
	}
	return errors.Join(err, s.bolt.Close())
}

// View runs a read transaction.
func (s *File) View(f func(*sealed.Tx) error) (err error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	defer s.unreadable(&err, debug.SetPanicOnFault(true))
	if err := failing.At(failing.Read); err != nil {
		return err
	}
	return s.bolt.View(f)
}

// Update runs a write transaction; ErrFileMoved if the file is no longer under its name.
func (s *File) Update(f func(*sealed.Tx) error) (err error) {
	if s.readOnly {
		return ErrReadOnly
	}
	if err := failing.At(failing.Write); err != nil {
		return err
	}
	s.lock.RLock()
	defer s.lock.RUnlock()
	defer s.unreadable(&err, debug.SetPanicOnFault(true))
	s.writes.Add(1)
	s.waiting.Add(1)
	begun := false
	defer func() {
		if !begun {
			s.waiting.Add(-1)
		}
	}()
	return s.withDatabaseName(s.bolt.Update(func(tx *sealed.Tx) (err error) {
		begun = true
		s.waiting.Add(-1)
		// inside the transaction: bbolt reads pages to roll it back after a panic
		defer s.unreadable(&err, debug.SetPanicOnFault(true))
		if !s.temporary && s.fileMoved(s.absolute) {
			return ErrFileMoved
		}
		if err := f(tx); err != nil {
			return err
		}
		return failing.At(failing.Commit)
	}))
}

// shortSlice is how long a merge or removal may block other writers.
const shortSlice = 20 * time.Millisecond

// ShouldYield reports whether a write transaction that began at a time should end, since another one waits.
func (s *File) ShouldYield(began time.Time) bool {
	return s.waiting.Load() > 0 && time.Since(began) > shortSlice
}

// withDatabaseName replaces the file name in errors of the file system by that of the database: COMPACT opens the file
// under a temporary name.
func (s *File) withDatabaseName(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == s.bolt.Path() {
		p.Path = s.path
	}
	return err
}
