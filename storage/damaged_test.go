package storage

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parlance/storage/dbfile"
)

// TestDamagedPages overwrites pages of a file, which must open or give an error.
func TestDamagedPages(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.parlance")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for page := 2; page < 8 && (page+1)*4096 <= len(sound); page++ {
		for _, fill := range []byte{0, 0x5a, 0xff} {
			bad := bytes.Clone(sound)
			copy(bad[page*4096:], bytes.Repeat([]byte{fill}, 4096))
			path := filepath.Join(dir, fmt.Sprintf("%d-%d", page, fill)) // a file that failed to open may stay locked
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path, Options{})
			if err != nil {
				if refused++; !errors.Is(err, ErrCorrupt) && !errors.Is(err, dbfile.ErrNotDatabase) {
					t.Errorf("page %d of %#x: %v", page, fill, err)
				}
				continue
			}
			if err := s.Close(); err != nil {
				t.Errorf("page %d of %#x closes with %v", page, fill, err)
			}
		}
	}
	if refused == 0 {
		t.Error("every damaged file opens")
	}
}
