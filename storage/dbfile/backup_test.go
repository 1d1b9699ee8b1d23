package dbfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"parlance/storage/files"
	"parlance/storage/sealed"
)

// TestCompactKeepsModeAndLink compacts through a symbolic link.
func TestCompactKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	s, err := Open(link, Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v", info.Mode())
	}
}

// TestCompactOfAMovedFile compacts a database whose name is gone, and one whose name another has.
func TestCompactOfAMovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s, err := Open(path, Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Skip("open files keep their names here: ", err)
	}
	if err := s.Compact(t.Context()); !errors.Is(err, ErrFileMoved) {
		t.Errorf("without its name: %v", err)
	}
	if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Compact(t.Context()); !errors.Is(err, ErrFileMoved) {
		t.Errorf("another has its name: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "another" {
		t.Errorf("the other file has %q, %v", b, err)
	}
	if err := os.Rename(path+".moved", path); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time it is the file that the first one made
		if err := s.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(path + "?*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestWritesToAMovedFile writes to a database whose name is gone, to one whose name another has, and to one
// below a working directory that was left.
func TestWritesToAMovedFile(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	path := filepath.Join(folder, "file")
	s, err := Open("file", Options{}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	write := func() error {
		return s.Update(func(tx *sealed.Tx) error { return tx.Bucket(Meta).Put([]byte("key"), []byte("64")) })
	}
	t.Chdir(t.TempDir())
	if err := write(); err != nil {
		t.Error(err)
	}
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Skip("open files keep their names here: ", err)
	}
	if err := write(); !errors.Is(err, ErrFileMoved) {
		t.Errorf("without its name: %v", err)
	}
	if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(); !errors.Is(err, ErrFileMoved) {
		t.Errorf("another has its name: %v", err)
	}
	if err := s.Backup(t.Context(), files.Anywhere, path+".backup"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path+".moved", path); err != nil {
		t.Fatal(err)
	}
	if err := write(); err != nil {
		t.Errorf("a link leads to it: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestCopiesAreTheSameBytes copies a file of some transactions several times.
func TestCopiesAreTheSameBytes(t *testing.T) {
	s := opened(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		err := s.Update(func(tx *sealed.Tx) error {
			for range 400 {
				v := make([]byte, r.IntN(20_000))
				for i := range v {
					v[i] = byte(r.Uint32())
				}
				if err := tx.Bucket(Segment).Put(Key(r.Uint32(), r.Uint32()), v); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var first []byte
	for i := range 10 {
		path := filepath.Join(t.TempDir(), "copy")
		if err := s.Backup(t.Context(), files.Anywhere, path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = b
		} else if !bytes.Equal(b, first) {
			t.Fatalf("copy %d has other bytes than the first", i)
		}
	}
}
