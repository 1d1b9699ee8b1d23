package dbfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"parlance/storage/sealed"
)

// unreadable is deferred around code that reads pages, and turns faults into ErrCorrupt. before is the old value of
// SetPanicOnFault. Without it, a page that cannot be read from the memory map, since the file was truncated or its disk
// has failed, would end the process.
func (s *File) unreadable(err *error, before bool) {
	debug.SetPanicOnFault(before)
	v := recover()
	if v == nil {
		*err = s.named(*err)
		return
	}
	_, fault := v.(interface{ Addr() uintptr })
	found, damaged := v.(*sealed.Damage)
	if !fault && !damaged && !withinBolt() {
		panic(v)
	}
	if *err = damage(v); damaged {
		*err = s.named(found)
	}
}

// named makes damage ErrCorrupt, and says what it is a part of. Other errors stay as they are.
func (s *File) named(err error) error {
	found := (*sealed.Damage)(nil)
	if !errors.As(err, &found) || errors.Is(err, ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: %w; it has %s", ErrCorrupt, found, s.contents(found))
}

// damage is the error for the panic of a read of pages.
func damage(v any) error {
	if _, fault := v.(interface{ Addr() uintptr }); fault {
		return fmt.Errorf("%w: the file cannot be read, as if it were cut off", ErrCorrupt)
	}
	if found, ok := v.(*sealed.Damage); ok {
		return fmt.Errorf("%w: %w", ErrCorrupt, found)
	}
	return fmt.Errorf("%w: the pages of the file are not what was written", ErrCorrupt) // v would mean nothing to users
}

// withinBolt reports whether a recovered panic came from bbolt or from what reads its pages, which trust those that
// this process has written.
func withinBolt() bool {
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(1, calls[:])])
	for panicking := false; ; {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime {
			return strings.HasPrefix(f.Function, "go.etcd.io/bbolt") ||
				strings.HasPrefix(f.Function, "parlance/storage/sealed.")
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return false
		}
	}
}

// contents describes what is damaged, for a message.
func (s *File) contents(d *sealed.Damage) string {
	of := contents[d.Bucket]
	if of == "" {
		return "what leads to the data, or to free space"
	}
	if ofObject(d.Bucket) && len(d.Key) >= 4 && s.owner != nil {
		if name := s.owner(binary.BigEndian.Uint32(d.Key)); name != "" {
			return of + " of " + name
		}
	}
	return of
}

// isOpen reports whether a file is the open file.
func (s *File) isOpen(info os.FileInfo) bool {
	own, err := s.opened.Stat()
	return err == nil && os.SameFile(info, own)
}

// checkSize compares the size of the file with what a transaction expects.
func (s *File) checkSize(tx *sealed.Tx) error {
	info, err := os.Stat(s.bolt.Path())
	if err != nil || !s.isOpen(info) {
		return nil // moved or replaced: the size of the open file cannot be found by name
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes, %d are expected", ErrCorrupt, info.Size(), tx.Size())
	}
	return nil
}

// triesForAState bounds how often Check tries again since a later state has overwritten the description of one.
const triesForAState = 100

// Check verifies the pages of the file, as one transaction sees them, and calls say for each fault. Writers are not
// blocked.
func (s *File) Check(ctx context.Context, say func(string, ...any)) error {
	for range triesForAState {
		ok := false
		err := s.View(func(tx *sealed.Tx) error {
			if err := s.checkSize(tx); err != nil {
				return err
			}
			var err error
			ok, err = tx.Check(ctx, func(d *sealed.Damage) { say("pages: %v; it has %s", d, s.contents(d)) })
			return err
		})
		if ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: no description of the present state", ErrCorrupt)
}
