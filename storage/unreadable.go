package storage

import (
	"fmt"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// unreadable is deferred around what reads pages; before is what SetPanicOnFault was. Pages that are not there,
// since the file was cut off or its disk has failed, would end the process; they are ErrCorrupt.
func unreadable(err *error, before bool) {
	debug.SetPanicOnFault(before)
	v := recover()
	if v == nil {
		return
	}
	if _, fault := v.(interface{ Addr() uintptr }); !fault {
		panic(v)
	}
	*err = fmt.Errorf("%w: the file cannot be read, as if it were cut off", ErrCorrupt)
}

// isOpen reports whether a file is the one that is open.
func (s *Store) isOpen(info os.FileInfo) bool {
	own, err := s.opened.Stat()
	return err == nil && os.SameFile(info, own)
}

// checkSize compares the size of the file with what a transaction expects.
func (s *Store) checkSize(tx *bbolt.Tx) error {
	info, err := os.Stat(s.bolt.Path())
	if err != nil || !s.isOpen(info) {
		return nil // moved or replaced: what is open cannot be measured by name
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes, %d are expected", ErrCorrupt, info.Size(), tx.Size())
	}
	return nil
}
