package db_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopyToFiles writes a file for each document, all or none, and loads them again.
func TestCopyToFiles(t *testing.T) {
	c := open(t, "").Conn()
	c.Stdout(io.Discard)
	ctx, dir := context.Background(), t.TempDir()
	run := func(script string) error { return c.Script(ctx, strings.ReplaceAll(script, "DIR", dir), nil) }
	const made = "CREATE CORPUS a; CREATE CORPUS b; " +
		"INSERT INTO a (id, text) VALUES ('x', 'Ann left.'), ('y', 'Bob stayed.'); " +
		"INSERT INTO a.entities (doc, char_start, char_end, label) VALUES ('x', 0, 3, 'PER'), ('y', 0, 3, 'PER');"
	if err := run(made); err != nil {
		t.Fatal(err)
	}
	names := func() string {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range list {
			out = append(out, e.Name())
		}
		return strings.Join(out, " ")
	}
	if err := run("COPY a TO 'DIR/one.txt' FORMAT brat"); err == nil ||
		!strings.Contains(err.Error(), "a file holds one document, and there are x and y; "+filepath.Join(dir, "*.txt")+
			" writes files for each, named by its id") || names() != "" {
		t.Errorf("%v, left %q", err, names())
	}
	if err := run("COPY a TO STDOUT FORMAT brat"); err == nil || !strings.Contains(err.Error(), "a path is wanted") {
		t.Error(err)
	}
	for _, ext := range []string{"txt", "ann.gz"} {
		if err := run(strings.ReplaceAll("COPY a TO 'DIR/*.EXT' FORMAT brat; DELETE FROM b; LOAD 'DIR/*.EXT' INTO b",
			"EXT", ext)); err != nil {
			t.Fatal(err)
		}
		if got, want := text(t, c, "SELECT doc, char_start, label, text FROM b.entities"),
			text(t, c, "SELECT doc, char_start, label, text FROM a.entities"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if names() != "x.ann x.ann.gz x.txt x.txt.gz y.ann y.ann.gz y.txt y.txt.gz" {
		t.Error(names())
	}
	if err := os.Mkdir(filepath.Join(dir, "x.html"), 0o755); err != nil { // nothing to do with it
		t.Fatal(err)
	}
	if err := run("COPY (SELECT * FROM a.entities) TO 'DIR/z.txt' FORMAT brat"); err == nil ||
		!strings.Contains(err.Error(), "holds documents, not rows") {
		t.Error(err)
	}
}
