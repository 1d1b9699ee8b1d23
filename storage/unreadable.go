package storage

import (
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
func (s *Store) unreadable(err *error, before bool) {
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
func (s *Store) named(err error) error {
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
func (s *Store) contents(d *sealed.Damage) string {
	if name := s.ownerOf(d.Bucket, d.Key); name != "" {
		return name
	}
	if of := bucketContents[d.Bucket]; of != "" {
		return of
	}
	return "what leads to the data, or to free space"
}

// bucketContents describes the content of buckets.
var bucketContents = map[string]string{
	string(bucketMeta): "settings", string(bucketCatalog): "the catalog", string(bucketModel): "versions of models",
	string(bucketWeights): "weights of models", string(bucketCache): "the cache", string(bucketJob): "jobs",
	string(bucketUser): "users", string(bucketSegment): "documents or rows", string(bucketDir): "names of documents",
	string(bucketDead): "marks of deleted documents", string(bucketIndex): "index entries",
}

// ownerOf names the object that a key belongs to; "" if there is none.
func (s *Store) ownerOf(bucket string, key []byte) string {
	switch bucket {
	case string(bucketSegment), string(bucketDir), string(bucketDead), string(bucketIndex):
	default:
		return ""
	}
	if len(key) < 4 || s.cat == nil || !s.mu.TryRLock() { // the goroutine that reads the page may hold it
		return ""
	}
	defer s.mu.RUnlock()
	o := s.cat.byID(binary.BigEndian.Uint32(key))
	if o == nil {
		return ""
	}
	return bucketContents[bucket] + " of " + o.Name
}

// isOpen reports whether a file is the open file.
func (s *Store) isOpen(info os.FileInfo) bool {
	own, err := s.opened.Stat()
	return err == nil && os.SameFile(info, own)
}

// checkSize compares the size of the file with what a transaction expects.
func (s *Store) checkSize(tx *sealed.Tx) error {
	info, err := os.Stat(s.bolt.Path())
	if err != nil || !s.isOpen(info) {
		return nil // moved or replaced: the size of the open file cannot be found by name
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes, %d are expected", ErrCorrupt, info.Size(), tx.Size())
	}
	return nil
}
