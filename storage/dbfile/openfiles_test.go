package dbfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenTwice: the second store of a file in one process is told so, also by a link; after the first is closed there
// is nothing in the way.
func TestOpenTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parlance")
	s, err := Open(path, Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	link := path + ".link"
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, link} {
		if _, err := Open(p, Options{}, nothing); !errors.Is(err, ErrOpen) || !errors.Is(err, ErrLocked) {
			t.Errorf("%s opens again: %v", p, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(link, Options{}, nothing); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(openFiles.open); n > 0 {
		for p := range openFiles.open {
			if filepath.Dir(p) == filepath.Dir(path) {
				t.Errorf("%s is taken for open", p)
			}
		}
	}
}
