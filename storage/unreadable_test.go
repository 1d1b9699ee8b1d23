package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/value"
)

// TestDamageNamesItsObject damages the leaves that hold something, and reads it.
func TestDamageNamesItsObject(t *testing.T) {
	s := open(t)
	o := tableOf(t, s)
	insert(t, s, o, rowsOf(20000)...)
	insert(t, s, o, rowOf("zebra", 1)) // not compressed
	path := s.Path()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{"zebra": "documents or rows", `"parlance"`: "settings"} {
		bad := bytes.Clone(sound)
		if !bytes.Contains(bad, []byte(what)) {
			t.Fatalf("the file lacks %q", what)
		}
		for at := 0; at >= 0; at = bytes.Index(bad, []byte(what)) { // in free pages too
			bad[at] ^= 1
		}
		bad[0] ^= 1
		path := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{})
		if err == nil {
			err = s.ScanTable(background, o, nil, func([]uint64, *value.Batch) error { return nil })
			s.Close()
		}
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", what, err, want)
		}
	}
}
