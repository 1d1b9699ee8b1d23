package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"parlance/db"
)

// numberOf is the number that a query gives.
func numberOf(t *testing.T, c *db.Conn, query string) (n int64) {
	t.Helper()
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Error(err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// sqlstate is the code of an error, "" for none.
func sqlstate(err error) string {
	var e *db.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return err.Error()
}

// TestDropWaitsForBlocks has a block change an object, while another session tries to take it, or a part of it, away.
func TestDropWaitsForBlocks(t *testing.T) {
	const docs = `CREATE CORPUS docs (year INTEGER); INSERT INTO docs (id, text, year) VALUES ('a', 'one two', 1)`
	for _, c := range []struct{ name, make, change, count, take, after string }{
		{"corpus", docs, "INSERT INTO docs (id, text) VALUES ('b', 'three')", "SELECT count(*) FROM docs", "DROP CORPUS docs",
			"42P01"},
		{"corpus renamed", docs, "INSERT INTO docs (id, text) VALUES ('b', 'three')", "SELECT count(*) FROM docs",
			"ALTER CORPUS docs RENAME TO others", "42P01"},
		{"corpus by its layer", docs, "INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES " +
			"('a', 1, 1, 1, 'X'), ('a', 1, 2, 2, 'Y')", "SELECT count(*) FROM docs.entities", "DROP CORPUS docs", "42P01"},
		{"column", docs, "INSERT INTO docs (id, text, year) VALUES ('b', 'three', 3)", "SELECT count(year) FROM docs",
			"ALTER CORPUS docs DROP COLUMN year", "42703"},
		{"index", docs + "; CREATE INDEX ON docs (year)", "INSERT INTO docs (id, text, year) VALUES ('b', 'three', 3)",
			"SELECT count(*) FROM docs WHERE year > 0", "DROP INDEX ON docs (year)", ""},
		{"full-text index", docs + "; CREATE FULLTEXT INDEX ON docs (text)",
			"INSERT INTO docs (id, text) VALUES ('b', 'two')",
			"SELECT count(*) FROM docs WHERE match(text, 'two')", "DROP INDEX ON docs (text)", ""},
		{"gazetteer", "CREATE GAZETTEER places; INSERT INTO places VALUES ('Oslo', 'LOC')",
			"INSERT INTO places VALUES ('Rome', 'LOC')", "SELECT count(*) FROM places", "DROP GAZETTEER places", "42P01"},
		{"lexicon", "CREATE LEXICON terms (word TEXT, n INTEGER); INSERT INTO terms VALUES ('x', 1)",
			"INSERT INTO terms VALUES ('y', 2)", "SELECT count(*) FROM terms", "DROP LEXICON terms", "42P01"},
		{"knowledge base", "CREATE KB facts; INSERT INTO facts.triples (subject, relation, object) VALUES ('a', 'r', 'b')",
			"INSERT INTO facts.triples (subject, relation, object) VALUES ('a', 'r', 'c')",
			"SELECT count(*) FROM facts.triples", "DROP KB facts", "42P01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, "")
			block, other := d.Conn(), d.Conn()
			script(t, block, c.make)
			script(t, block, "BEGIN; "+c.change)
			script(t, other, "SET lock_timeout = 20")
			if _, err := other.Exec(t.Context(), c.take); sqlstate(err) != "55P03" {
				t.Errorf("%s does not wait: %v", c.take, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			if _, err := d.Conn().Exec(ctx, c.take); sqlstate(err) != "57014" {
				t.Errorf("%s does not end when it is cancelled: %v", c.take, err)
			}
			done := make(chan error, 1)
			go func() {
				_, err := d.Conn().Exec(context.Background(), c.take)
				done <- err
			}()
			if n := numberOf(t, block, c.count); n != 2 {
				t.Errorf("the block sees %d rows, want 2", n)
			}
			if _, err := block.Exec(t.Context(), "COMMIT"); err != nil {
				t.Error(err)
			}
			if err := <-done; err != nil {
				t.Errorf("%s after COMMIT: %v", c.take, err)
			}
			rows, err := d.Conn().Query(t.Context(), c.count)
			if err == nil {
				err = rows.Close()
			}
			if sqlstate(err) != c.after {
				t.Errorf("%s afterwards: %v, want %q", c.count, err, c.after)
			}
		})
	}
}

// TestDropAfterBlocks drops by a name that means something else when the block has ended.
func TestDropAfterBlocks(t *testing.T) {
	for _, c := range []struct{ name, block, want, left string }{
		{"renamed", "ALTER LEXICON terms RENAME TO others", "42704", "SELECT count(*) FROM others"},
		{"dropped", "DROP LEXICON terms", "42704", "SELECT 1"},
		{"made again", "DROP LEXICON terms; CREATE LEXICON terms (word TEXT)", "", "SELECT 1"},
		{"rolled back", "INSERT INTO terms VALUES ('y'); ROLLBACK; BEGIN", "", "SELECT 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := open(t, "")
			block := d.Conn()
			script(t, block, "CREATE LEXICON terms (word TEXT); INSERT INTO terms VALUES ('x')")
			script(t, block, "BEGIN; INSERT INTO terms VALUES ('z')")
			done := make(chan error, 1)
			go func() {
				_, err := d.Conn().Exec(context.Background(), "DROP LEXICON terms")
				done <- err
			}()
			for numberOf(t, d.Conn(), "SELECT count(*) FROM system.activity WHERE kind LIKE 'DROP%'") == 0 {
			}
			script(t, block, c.block)
			script(t, block, "COMMIT")
			if err := <-done; sqlstate(err) != c.want {
				t.Errorf("DROP: %v, want %q", err, c.want)
			}
			_ = numberOf(t, d.Conn(), c.left)
			if rows, err := d.Conn().Query(t.Context(), "SELECT word FROM terms"); sqlstate(err) != "42P01" {
				t.Errorf("terms is there: %v, %v", err, rows.Close())
			}
		})
	}
}
