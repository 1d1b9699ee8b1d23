package db

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReferenceIsFresh compares docs/REFERENCE.md with the declarations and the examples of the
// manual; with UPDATE=1 it writes the file.
func TestReferenceIsFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the whole manual: not for a short run")
	}
	path := filepath.Join("..", "docs", "REFERENCE.md")
	want, err := Reference(t.Context(), "..")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the program declares; run make update", path)
	}
}
