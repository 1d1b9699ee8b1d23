package columnar

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoGRPC: the library's package of Arrow arrays, which imports gRPC, is for tests alone.
func TestNoGRPC(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) < 8 {
		t.Fatal(paths, err)
	}
	for _, p := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, "pqarrow") && !strings.HasSuffix(p, "_test.go") {
				t.Errorf("%s imports %s", p, i.Path.Value)
			}
		}
	}
}
