package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/db"
)

// TestCursorOutlivesItsStatement reads a cursor over segments that are decoded ahead, each time in a
// context of its own, and closes the database with one open.
func TestCursorOutlivesItsStatement(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	var docs strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&docs, "document %d has some words, among them its number and a few more\n", i)
	}
	c.Stdin(strings.NewReader(docs.String()))
	exec := func(statement string) db.Result {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, err := c.Exec(ctx, statement)
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		return r
	}
	exec("CREATE CORPUS docs")
	exec("LOAD STDIN INTO docs FORMAT lines")
	exec("DECLARE words CURSOR WITH HOLD FOR SELECT form FROM docs.tokens")
	total := int64(0)
	for {
		r := exec("FETCH 1000 FROM words")
		if total += r.Rows; r.Rows < 1000 {
			break
		}
	}
	if want := int64(3000 * 14); total != want {
		t.Errorf("%d rows, want %d", total, want)
	}
	if err := c.Reset(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), "FETCH 1 FROM words"); code(err) != "34000" {
		t.Error(err)
	}
	exec("DECLARE words CURSOR WITH HOLD FOR SELECT form FROM docs.tokens")
	exec("FETCH 10 FROM words")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Exec(cancelled, "FETCH ALL FROM words"); code(err) != "57014" {
		t.Error(err)
	}
	exec("DECLARE more CURSOR WITH HOLD FOR SELECT form FROM docs.tokens")
	exec("FETCH 10 FROM more")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCursorsAreBounded opens cursors until there are too many, and again after the end of them all.
func TestCursorsAreBounded(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	for range 2 {
		script(t, c, "BEGIN")
		for i := range 250 {
			script(t, c, fmt.Sprintf("DECLARE c%d CURSOR FOR SELECT 1", i))
		}
		if _, err := c.Exec(t.Context(), "DECLARE more CURSOR FOR SELECT 1"); code(err) != "54000" {
			t.Error(err)
		}
		script(t, c, "ROLLBACK")
	}
}
