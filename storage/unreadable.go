package storage

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"parlance/storage/bbolt"
	bolterrors "parlance/storage/bbolt/errors"
)

// unreadable is deferred around code that reads pages, and turns faults into ErrCorrupt. before is the old value of
// SetPanicOnFault. Without it, a page that cannot be read from the memory map, since the file was truncated or its disk
// has failed, would end the process.
func (s *Store) unreadable(err *error, before bool) {
	debug.SetPanicOnFault(before)
	v := recover()
	if v == nil {
		return
	}
	_, fault := v.(interface{ Addr() uintptr })
	page, damaged := v.(*bolterrors.PageError)
	if !fault && !damaged && !withinBolt() {
		panic(v)
	}
	*err = damage(v)
	if damaged {
		*err = fmt.Errorf("%w; it has %s", *err, s.pageContents(page.Page))
	}
}

// damage is the error for the panic of a read of pages.
func damage(v any) error {
	if _, fault := v.(interface{ Addr() uintptr }); fault {
		return fmt.Errorf("%w: the file cannot be read, as if it were cut off", ErrCorrupt)
	}
	if page, ok := v.(*bolterrors.PageError); ok {
		return fmt.Errorf("%w: %w", ErrCorrupt, page)
	}
	return fmt.Errorf("%w: the pages of the file are not what was written", ErrCorrupt) // v would mean nothing to users
}

// withinBolt reports whether a recovered panic came from bbolt, which trusts pages without checksums.
func withinBolt() bool {
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls[:])])
	for panicking := false; ; {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime {
			return strings.HasPrefix(f.Function, boltPackage)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return false
		}
	}
}

var boltPackage = reflect.TypeFor[bbolt.Tx]().PkgPath()

// isOpen reports whether a file is the open file.
func (s *Store) isOpen(info os.FileInfo) bool {
	own, err := s.opened.Stat()
	return err == nil && os.SameFile(info, own)
}

// checkSize compares the size of the file with what a transaction expects.
func (s *Store) checkSize(tx *bbolt.Tx) error {
	info, err := os.Stat(s.bolt.Path())
	if err != nil || !s.isOpen(info) {
		return nil // moved or replaced: the size of the open file cannot be found by name
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes, %d are expected", ErrCorrupt, info.Size(), tx.Size())
	}
	return nil
}
