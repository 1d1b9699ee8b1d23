package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"parlance/storage/files"
)

// TestTogether: files appear at Commit, or not at all; a name may not come twice.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.WriteFile(a, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	put := func(g *files.Together, name string) error {
		return g.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
	}
	left := func() int {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	g := files.NewTogether(files.Anywhere)
	if err := errors.Join(put(g, a), put(g, b)); err != nil {
		t.Fatal(err)
	}
	if err := put(g, b); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if raw, err := os.ReadFile(a); err != nil || string(raw) != "old" || left() != 3 {
		t.Errorf("%q %v, %d files", raw, err, left())
	}
	if err := g.Discard(); err != nil || left() != 1 {
		t.Error(err, left())
	}
	g = files.NewTogether(files.Anywhere)
	if err := errors.Join(put(g, a), put(g, b), g.Commit()); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(a); err != nil || string(raw) != "new" || left() != 2 {
		t.Errorf("%q %v, %d files", raw, err, left())
	}
	g = files.NewTogether(files.Anywhere)
	err := g.Write(b, func(io.Writer) error { return io.ErrShortWrite })
	if !errors.Is(err, io.ErrShortWrite) || left() != 2 {
		t.Error(err, left())
	}
}
