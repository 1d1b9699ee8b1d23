package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"parlance/storage/bbolt"
)

// pagesOf walks the pages of a file and returns what is said.
func pagesOf(t *testing.T, file []byte, meta []byte) []string {
	t.Helper()
	var said []string
	w := &pageWalk{ctx: background, file: bytes.NewReader(file), size: int64(os.Getpagesize()),
		say: func(f string, a ...any) { said = append(said, fmt.Sprintf(f, a...)) }}
	if err := w.run(meta); err != nil {
		t.Fatal(err)
	}
	return said
}

// TestPagesFindsFaults damages pages one at a time; bbolt agrees that the file was sound.
func TestPagesFindsFaults(t *testing.T) {
	s := filled(t)
	if err := s.update(func(tx *bbolt.Tx) error { // branches with several children
		for i := range 3000 {
			if err := tx.Bucket(bucketDir).Put(be32([]byte("filler"), uint32(i)), make([]byte, 20)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var meta, whole []byte
	err := s.view(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Error(err)
		}
		var ok bool
		var err error
		if meta, ok, err = stateOf(s.opened, int64(os.Getpagesize()), tx); !ok || err != nil {
			t.Fatal(ok, err)
		}
		whole, err = os.ReadFile(s.Path())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if said := pagesOf(t, whole, meta); len(said) > 0 {
		t.Fatalf("a sound file: %q", said)
	}
	size := uint64(os.Getpagesize())
	// Leaves and branches with several elements, and a free page.
	find := func(flags uint16) uint64 {
		w := &pageWalk{ctx: background, file: bytes.NewReader(whole), size: int64(size), say: t.Logf}
		if err := w.run(meta); err != nil {
			t.Fatal(err)
		}
		for id := uint64(2); id < w.end; id++ {
			p := whole[id*size:]
			if flags == freePage && w.free.has(id) ||
				!w.free.has(id) && word64(p, 0)&pageNumber == id && binary.NativeEndian.Uint16(p[8:]) == flags &&
					binary.NativeEndian.Uint16(p[10:]) > 2 {
				return id
			}
		}
		t.Fatalf("no page with flags %d", flags)
		return 0
	}
	leaf, branch, list, end := find(leafPage), find(branchPage), word64(meta, metaFree), word64(meta, metaEnd)
	runTo := func(last uint64) func([]byte) {
		return func(p []byte) { binary.NativeEndian.PutUint32(p[12:], uint32(last-leaf)) }
	}
	for name, c := range map[string]struct {
		page   uint64
		damage func(p []byte)
		want   string
	}{
		"another page":   {leaf, func(p []byte) { p[0]++ }, "it says that it is page"},
		"another sort":   {leaf, func(p []byte) { p[8] = 4 }, "neither branch nor leaf"},
		"run to the end": {leaf, runTo(end - 1), "reached twice"}, // by what else leads to its pages
		"run beyond":     {leaf, runTo(end), "continued by"},
		"keys": {leaf, func(p []byte) { copy(p[pageHeader+4:], p[pageHeader+pageElement+4:][:12]) },
			"out of order"},
		"beyond": {leaf, func(p []byte) { p[pageHeader+15] = 0xff }, "out of order"},
		"child": {branch, func(p []byte) { copy(p[pageHeader+8:], p[pageHeader+pageElement+8:][:8]) },
			"reached twice"},
		"out of bounds": {branch, func(p []byte) { p[pageHeader+14] = 1 }, "out of bounds"},
		"free list":     {list, func(p []byte) { p[8] = 2 }, "no list of free pages"},
		"lost page": {list,
			func(p []byte) { binary.NativeEndian.PutUint16(p[10:], binary.NativeEndian.Uint16(p[10:])-1) },
			"in no tree and not free"},
		"used and free": {list, func(p []byte) { binary.NativeEndian.PutUint64(p[pageHeader:], leaf) },
			"in a tree, but free"},
	} {
		damaged := bytes.Clone(whole)
		p := damaged[c.page*size:][:size]
		c.damage(p)
		binary.NativeEndian.PutUint64(p, word64(p, 0)&pageNumber) // as before pages had checksums
		if said := strings.Join(pagesOf(t, damaged, meta), "\n"); !strings.Contains(said, c.want) {
			t.Errorf("%s: %q does not say %q", name, said, c.want)
		}
	}
}

// TestPagesHaveChecksums changes a bit of each page of a state.
func TestPagesHaveChecksums(t *testing.T) {
	s := filled(t)
	var meta []byte
	err := s.view(func(tx *bbolt.Tx) (err error) {
		meta, _, err = stateOf(s.opened, int64(os.Getpagesize()), tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	size := os.Getpagesize()
	w := &pageWalk{ctx: background, file: bytes.NewReader(whole), size: int64(size), say: t.Errorf}
	if err := w.run(meta); err != nil {
		t.Fatal(err)
	}
	for id := 2; id < int(w.end); id++ {
		if w.free.has(uint64(id)) {
			continue
		}
		at := id*size + id*7919%size
		whole[at] ^= 1 << (id % 8)
		if said := pagesOf(t, whole, meta); len(said) == 0 {
			t.Errorf("a bit of byte %d of page %d: nothing is said", at-id*size, id)
		}
		whole[at] ^= 1 << (id % 8)
	}
}

// TestCheckLetsWritersGo commits while the walk is among the pages.
func TestCheckLetsWritersGo(t *testing.T) {
	s := filled(t)
	wrote := false
	err := s.checkPages(onLook{background, func() {
		if wrote {
			return
		}
		wrote = true
		if err := s.update(
			func(tx *bbolt.Tx) error { return tx.Bucket(bucketWeights).Put([]byte("written"), make([]byte, 100)) }); err != nil {
			t.Error(err)
		}
	}}, t.Errorf)
	if err != nil || !wrote {
		t.Errorf("%v, wrote %v", err, wrote)
	}
}

// onLook is a context that does something when it is looked at.
type onLook struct {
	context.Context
	do func()
}

func (c onLook) Err() error { c.do(); return nil }

// TestPagesStop ends between pages.
func TestPagesStop(t *testing.T) {
	s := filled(t)
	stopped, cancel := context.WithCancel(background)
	cancel()
	if err := s.checkPages(stopped, t.Errorf); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
