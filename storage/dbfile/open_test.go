package dbfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/sealed"

	bolt "go.etcd.io/bbolt"
)

// nothing reads nothing of a file.
func nothing(*File) error { return nil }

// opened is a new file, which the test closes.
func opened(t *testing.T) *File {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "test.parlance"), Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// setVersion changes the format version of a closed file.
func setVersion(t *testing.T, path string, version int) {
	t.Helper()
	b, err := sealed.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	raw, err := json.Marshal(header{magic, version, "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Update(func(tx *sealed.Tx) error { return tx.Bucket(Meta).Put([]byte("header"), raw) }); err != nil {
		t.Fatal(err)
	}
}

func TestVersions(t *testing.T) {
	s := opened(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, s.Path(), FormatVersion+1)
	if _, err := Open(s.Path(), Options{}, nothing); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer file gives %v", err)
	}
	setVersion(t, s.Path(), 0)
	if _, err := Open(s.Path(), Options{}, nothing); !errors.Is(err, ErrOlder) {
		t.Errorf("an older file gives %v", err)
	}
	if _, err := Open(s.Path(), Options{}, nothing); err == nil || !strings.Contains(err.Error(), "its format is 0") {
		t.Errorf("it says %v", err)
	}
}

// TestEarlierFormats opens files of formats whose values have no checksums: plain ones of bbolt, and those whose meta
// pages have another version.
func TestEarlierFormats(t *testing.T) {
	for name, write := range map[string]func(path string) error{
		"format 4": func(path string) error { return plainFile(path, header{magic, 4, "test"}) },
		"format 6": func(path string) error {
			return errors.Join(plainFile(path, header{magic, 6, "test"}), otherVersion(path))
		},
	} {
		for _, readOnly := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), "old")
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path, Options{ReadOnly: readOnly}, nothing); !errors.Is(err, ErrOlder) {
				t.Errorf("%s, read only %t: %v", name, readOnly, err)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("%s, read only %t: the file has changed, %v", name, readOnly, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "another")
	if err := plainFile(path, header{"another", 1, "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}, nothing); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("a file of another program: %v", err)
	}
}

// plainFile writes a file of bbolt with a header.
func plainFile(path string, h header) error {
	b, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(h)
	err = errors.Join(err, b.Update(func(tx *bolt.Tx) error {
		m, err := tx.CreateBucket(Meta)
		if err != nil {
			return err
		}
		return m.Put([]byte("header"), raw)
	}))
	return errors.Join(err, b.Close())
}

// otherVersion sets the version of both meta pages to 3.
func otherVersion(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	for i := range int64(2) {
		_, e := f.WriteAt([]byte{3}, i*int64(os.Getpagesize())+20)
		err = errors.Join(err, e)
	}
	return errors.Join(err, f.Close())
}
