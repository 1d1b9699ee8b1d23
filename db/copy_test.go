package db_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parlance/db"
)

// TestCompressedCopy writes compressed files and loads them again.
func TestCompressedCopy(t *testing.T) {
	c := open(t, "").Conn()
	ctx, dir := context.Background(), t.TempDir()
	script := "CREATE CORPUS a; CREATE CORPUS b; INSERT INTO a (id, text) VALUES ('x', 'Ann left.'), ('y', 'Bob stayed.');"
	if err := c.Script(ctx, script, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"} {
		path := filepath.Join(dir, name)
		if err := c.Script(ctx, "COPY a TO '"+path+"' FORMAT jsonl; DELETE FROM b; LOAD '"+path+"' INTO b FORMAT jsonl",
			nil); err != nil {
			t.Fatal(err)
		}
		if got, want := text(t, c, "SELECT id, text FROM b"), text(t, c, "SELECT id, text FROM a"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if plain := raw[0] == '{'; plain != (name == "a.jsonl") {
			t.Errorf("%s begins with %q", name, raw[:4])
		}
	}
}

// TestCopyOfDocumentsAsRows writes a corpus in a format of rows.
func TestCopyOfDocumentsAsRows(t *testing.T) {
	c := open(t, "").Conn()
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := c.Script(context.Background(),
		"CREATE CORPUS a (year INTEGER); INSERT INTO a (id, text, year) VALUES ('x', 'Ann left.', 1990); COPY a TO '"+path+
			"' FORMAT csv", nil); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || string(raw) != "id,text,year\nx,Ann left.,1990\n" {
		t.Errorf("%q %v", raw, err)
	}
}

// refusing is a stream that takes nothing.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

// TestCopyToNobody keeps the error of a stream apart from what a format cannot write.
func TestCopyToNobody(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, "CREATE CORPUS a; INSERT INTO a (id, text) VALUES ('x', 'Ann left.')")
	c.Stdout(refusing{})
	for _, s := range []string{"COPY a TO STDOUT FORMAT jsonl", "COPY (SELECT id FROM a) TO STDOUT FORMAT csv"} {
		_, err := c.Exec(context.Background(), s)
		var e *db.Error
		if !errors.As(err, &e) || e.Code != "58000" || e.Message != "nobody listens" {
			t.Errorf("%s: %v", s, err)
		}
	}
}
