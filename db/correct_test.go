package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parlance/db"

	"pgregory.net/rapid"
)

// TestCorrectionsKeepSpansWhole inserts, moves and deletes spans with any numbers: what is refused
// breaks a rule and changes nothing, and what is stored agrees with tokens and text.
func TestCorrectionsKeepSpansWhole(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		d, err := db.Open("", db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		c := d.Conn()
		if err := c.Script(ctx,
			"CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ünal sah Köln. 日本 ist weit!'), ('b', '')",
			nil); err != nil {
			t.Fatal(err)
		}
		number := func() int { return rapid.IntRange(-1, 9).Draw(t, "number") }
		state := func() string {
			return strings.Join(found(t, c, "SELECT doc || ' ' || sent || ' ' || tok_start || ' ' || tok_end || ' ' || "+
				"char_start || ' ' || char_end || ' ' || label || ' ' || text FROM docs.entities"), "\n")
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			doc := rapid.SampledFrom([]string{"a", "a", "a", "b", "z"}).Draw(t, "doc")
			conflict := rapid.SampledFrom([]string{"", " ON CONFLICT SKIP", " ON CONFLICT REPLACE"}).Draw(t, "conflict")
			label := rapid.SampledFrom([]string{"X", "Y", ""}).Draw(t, "label")
			var s string
			switch rapid.IntRange(0, 5).Draw(t, "statement") {
			case 0, 1:
				s = fmt.Sprintf("INSERT INTO docs.entities (doc, sent, tok_start, tok_end, label) VALUES ('%s', %d, %d, %d, "+
					"'%s'), ('a', 1, 1, 1, 'X')%s", doc, number(), number(), number(), label, conflict)
			case 2:
				s = fmt.Sprintf("INSERT INTO docs.entities (doc, char_start, char_end, label) VALUES ('%s', %d, %d, '%s')%s", doc,
					number(), 3*number(), label, conflict)
			case 3:
				s = fmt.Sprintf("UPDATE docs.entities SET %s = %d WHERE doc = 'a'",
					rapid.SampledFrom([]string{"sent", "tok_start", "tok_end", "char_start", "char_end"}).Draw(t, "column"), number())
			case 4:
				s = fmt.Sprintf(
					"UPDATE docs.entities SET sent = %d, tok_start = %d, tok_end = %d, label = '%s' WHERE tok_start = 1", number(),
					number(), number(), label)
			case 5:
				s = fmt.Sprintf("DELETE FROM docs.entities WHERE tok_end = %d", number())
			}
			before := ""
			if stored(t, c) {
				before = state()
			}
			if _, err := c.Exec(ctx, s); err != nil {
				var e *db.Error
				if !errors.As(err, &e) || e.Code[:2] != "23" && e.Code != "22003" && e.Code != "42P01" {
					t.Fatalf("%s: %v", s, err)
				}
				if stored(t, c) && state() != before {
					t.Fatalf("%s fails and changes rows", s)
				}
			}
			if !stored(t, c) {
				continue
			}
			odd := found(t, c, `SELECT e.doc || ' ' || e.text FROM docs.entities e
				LEFT JOIN docs.tokens f ON f.doc = e.doc AND f.sent = e.sent AND f.tok = e.tok_start
				LEFT JOIN docs.tokens l ON l.doc = e.doc AND l.sent = e.sent AND l.tok = e.tok_end
				JOIN docs d ON d.id = e.doc
				WHERE f.char_start IS DISTINCT FROM e.char_start OR l.char_end IS DISTINCT FROM e.char_end
				OR e.text <> substr(d.text, e.char_start + 1, e.char_end - e.char_start) OR e.label IS NULL`)
			if len(odd) > 0 {
				t.Fatalf("after %s: %v", s, odd)
			}
		}
		if _, err := c.Exec(ctx, "CHECK DATABASE"); err != nil {
			t.Fatal(err)
		}
	})
}

// stored reports whether the corpus has entities.
func stored(t *rapid.T, c *db.Conn) bool {
	_, err := c.Exec(context.Background(), "SELECT count(*) FROM docs.entities")
	return err == nil
}
