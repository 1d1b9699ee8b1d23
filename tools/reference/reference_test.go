package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parlance/query/ast"
)

// root is the folder of the repository.
var root = filepath.Join("..", "..")

// whole is the reference and the statements that ran for it.
type whole struct {
	text                string
	statements, formats []ast.Statement // of chapters, of the examples of formats
	err                 error
}

var runManual = sync.OnceValue(func() (w whole) {
	w.text, w.err = reference(context.Background(), root, func(format string, s ast.Statement) {
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

// TestReferenceIsFresh compares docs/REFERENCE.md with the declarations and the examples of the manual.
func TestReferenceIsFresh(t *testing.T) {
	want := wholeManual(t).text
	path := filepath.Join(root, "docs", "REFERENCE.md")
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
