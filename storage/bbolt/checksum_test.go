package bbolt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	berrors "parlance/storage/bbolt/errors"
	"parlance/storage/bbolt/internal/common"
)

// written is a file with branches, leaves, a long value, a bucket within a bucket and free pages, and its page size.
func written(t *testing.T) ([]byte, int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	db, err := Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		err := db.Update(func(tx *Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("rows"))
			if err != nil {
				return err
			}
			in, err := b.CreateBucketIfNotExists([]byte("within"))
			for i := 0; i < 600 && err == nil; i++ {
				err = errors.Join(b.Put(fmt.Appendf(nil, "key%d", i), fmt.Appendf(nil, "value %d of round %d", i, round)),
					in.Put(fmt.Appendf(nil, "%d", i), nil))
			}
			return errors.Join(err, b.Put([]byte("long"), bytes.Repeat([]byte("long"), 5000)))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file, os.Getpagesize()
}

// read opens a file and returns all that is in it; a PageError is returned, other panics are not.
func read(t *testing.T, file []byte) (all string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if v := recover(); v != nil {
			page, ok := v.(*berrors.PageError)
			if !ok {
				t.Fatalf("panics with %v", v)
			}
			err = page
		}
	}()
	db, err := Open(path, 0o600, &Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.View(func(tx *Tx) error {
		return tx.ForEach(func(name []byte, b *Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				all += fmt.Sprintf("%s=%s\n", k, v)
				if v != nil {
					return nil
				}
				return b.Bucket(k).ForEach(func(k, _ []byte) error { all += string(k) + "\n"; return nil })
			})
		})
	})
	return all, err
}

// TestEachPageIsVerified changes a bit of each page, in its header and somewhere behind it: what is read is what was
// written, or a PageError, and of a description of a state ErrMeta.
func TestEachPageIsVerified(t *testing.T) {
	file, size := written(t)
	want, err := read(t, file)
	if err != nil || len(want) < 20000 {
		t.Fatalf("%d bytes, %v", len(want), err)
	}
	refused := 0
	for at := 0; at < len(file); at += size {
		for _, place := range []int{0, 5, 10, 16, 24, 1000 + at/size} {
			bad := bytes.Clone(file)
			bad[at+place] ^= 1 << (at / size % 8)
			got, err := read(t, bad)
			page := (*berrors.PageError)(nil)
			switch {
			case err == nil && got != want:
				t.Errorf("byte %d of page %d: other data is read", place, at/size)
			case err != nil && !errors.As(err, &page) && !errors.Is(err, berrors.ErrMeta):
				t.Errorf("byte %d of page %d: %v", place, at/size, err)
			case err != nil:
				refused++
			}
		}
	}
	if refused < 60 {
		t.Errorf("only %d changes are refused", refused)
	}
}

// TestPagesWithoutChecksums reads a file whose pages have none, as bbolt writes them, and gives those their checksums
// that it writes.
func TestPagesWithoutChecksums(t *testing.T) {
	file, size := written(t)
	want, err := read(t, file)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(file []byte) (n int) {
		for at := 2 * size; at+size <= len(file); at += size {
			if p := pageAt(file, at); p.Id() == common.Pgid(at/size) && p.Sealed() {
				n++
			}
		}
		return n
	}
	for at := 0; at+size <= len(file); at += size {
		p := pageAt(file, at)
		if m := p.Meta(); at < 2*size {
			m.SetVersion(common.UncheckedVersion)
			m.SetChecksum(m.Sum64())
		} else if p.Id() == common.Pgid(at/size) {
			p.SetId(p.Id())
		}
	}
	if got, err := read(t, file); err != nil || got != want {
		t.Fatalf("%d bytes of %d, %v", len(got), len(want), err)
	}
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *Tx) error { return tx.Bucket([]byte("rows")).Put([]byte("key1"), []byte("x")) })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(path)
	if err != nil || sealed(file) != 0 || sealed(now) == 0 {
		t.Errorf("%d pages had checksums, %d have; %v", sealed(file), sealed(now), err)
	}
	if got, err := read(t, now); err != nil || len(got) == 0 {
		t.Error(err)
	}
}

func pageAt(file []byte, at int) *common.Page {
	return (&DB{pageSize: 1}).pageInBuffer(file, common.Pgid(at))
}
