package storage

import (
	"encoding/json"
	"errors"
	"testing"

	"parlance/storage/bbolt"
)

// setVersion changes the format version of a closed file.
func setVersion(t *testing.T, path string, version int) {
	t.Helper()
	b, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	raw, err := json.Marshal(header{magic, version, "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put([]byte("header"), raw) }); err != nil {
		t.Fatal(err)
	}
}

func TestVersions(t *testing.T) {
	s := open(t)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	setVersion(t, s.path, FormatVersion+1)
	if _, err := Open(s.path, Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer file gives %v", err)
	}
	setVersion(t, s.path, 0)
	if _, err := Open(s.path, Options{}); !errors.Is(err, ErrOlder) {
		t.Errorf("an older file gives %v", err)
	}
}
