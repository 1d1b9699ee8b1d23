package db

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parlance/query/ast"
)

// whole is the reference and the statements that ran for it.
type whole struct {
	text                string
	statements, formats []ast.Statement // of chapters, of the examples of formats
	err                 error
}

var runManual = sync.OnceValue(func() (w whole) {
	w.text, w.err = reference(context.Background(), "..", func(format string, s ast.Statement) {
		if format == "" {
			w.statements = append(w.statements, s)
		} else {
			w.formats = append(w.formats, s)
		}
	})
	return w
})

// wholeManual runs the whole manual, once for all tests that ask.
func wholeManual(t *testing.T) whole {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the whole manual: not for a short run")
	}
	w := runManual()
	if w.err != nil {
		t.Fatal(w.err)
	}
	return w
}

// TestReferenceIsFresh compares docs/REFERENCE.md with the declarations and the examples of the
// manual; with UPDATE=1 it writes the file.
func TestReferenceIsFresh(t *testing.T) {
	want := wholeManual(t).text
	path := filepath.Join("..", "docs", "REFERENCE.md")
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
	if strings.Contains(want, "Source: .") {
		t.Error("a kind has a source without words")
	}
}
