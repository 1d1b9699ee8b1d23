package server

import (
	"context"
	"testing"
)

// TestChangesUnderFullNames changes tables with the name of the database that the client asked for, and with another
// one.
func TestChangesUnderFullNames(t *testing.T) {
	_, _, addr := start(t, Options{})
	c := connect(t, addr, "")
	ctx := context.Background()
	var name string
	if err := c.QueryRow(ctx, "SELECT current_database()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		statement, code string
		args            []any
	}{
		{"CREATE LEXICON shades (word TEXT, n INTEGER)", "", nil},
		{"CREATE CORPUS papers", "", nil},
		{"INSERT INTO " + name + ".public.shades VALUES ($1, $2)", "", []any{"red", 1}},
		{"UPDATE " + name + ".public.shades SET n = n + $1 WHERE word = $2", "", []any{1, "red"}},
		{"INSERT INTO " + name + ".public.papers (id, text) VALUES ($1, $2)", "", []any{"a", "Ann flew."}},
		{"INSERT INTO " + name + ".papers.entities (doc, char_start, char_end, label) VALUES ($1, $2, $3, $4)", "",
			[]any{"a", 0, 3, "PER"}},
		{"DELETE FROM " + name + ".papers.entities WHERE label = $1", "", []any{"PER"}},
		{"DELETE FROM elsewhere.public.shades", "0A000", nil},
		{"INSERT INTO elsewhere.papers.entities (doc) VALUES ('a')", "0A000", nil},
		{"DELETE FROM " + name + ".public.shades WHERE n = $1", "", []any{2}},
	} {
		tag, err := c.Exec(ctx, x.statement, x.args...)
		if sqlstate(err) != x.code || x.args != nil && tag.RowsAffected() != 1 {
			t.Errorf("%s: %v, %v, want %q", x.statement, tag, err, x.code)
		}
	}
}
