package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parlance/db"
)

// TestStalledReader stops reading after a batch while others load, delete, merge and compact: nobody waits
// for the reader, and what it reads afterwards is the state of its start.
func TestStalledReader(t *testing.T) {
	dir := t.TempDir()
	generated(t, dir+"/texts", "\n\n", 3000, 20)
	generated(t, dir+"/more", "\n\n", 200, 20)
	first := open(t, dir+"/first.parlance")
	script(t, first.Conn(),
		fmt.Sprintf(`CREATE CORPUS docs; LOAD '%s/texts' INTO docs FORMAT lines; TRAIN length_rank AS m ON docs;
CREATE FULLTEXT INDEX ON docs (text)`, dir))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	filled, err := os.ReadFile(first.Path())
	if err != nil {
		t.Fatal(err)
	}
	for name, query := range map[string]string{
		"tokens":    "SELECT doc, form FROM docs.tokens",
		"documents": "SELECT id, text FROM docs",
		"condition": "SELECT doc, tok FROM docs.tokens WHERE form ~ '^w1'",
		"search":    "SELECT id FROM docs WHERE match(text, 'w1* OR w2*')",
		"join":      "SELECT a.doc, b.tok FROM docs.tokens a JOIN docs.tokens b ON a.doc = b.doc AND a.tok = b.tok",
		"sort":      "SELECT doc, form FROM docs.tokens ORDER BY form, doc, tok",
		"window":    "SELECT doc, row_number() OVER (PARTITION BY doc ORDER BY tok) FROM docs.tokens",
		"union":     "SELECT doc, form FROM docs.tokens UNION ALL SELECT id, text FROM docs",
		"kwic":      "SELECT * FROM kwic(docs, 'w1')",
		"annotate":  "SELECT doc, label FROM docs.labels USING m",
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"tokens", "search", "join", "annotate"}, name) {
				t.Skip("changes all documents: left out by -short, as others do so")
			}
			file := filepath.Join(t.TempDir(), "s.parlance")
			if err := os.WriteFile(file, filled, 0o600); err != nil {
				t.Fatal(err)
			}
			d := open(t, file)
			want := rowsOf(t, d.Conn(), query, nil)
			got := rowsOf(t, d.Conn(), query, func() { disturb(t, d, dir) })
			if !slices.Equal(got, want) {
				t.Errorf("%d rows, undisturbed %d, or others", len(got), len(want))
			}
		})
	}
}

// rowsOf returns the rows as texts; between runs after the first batch.
func rowsOf(t *testing.T, c *db.Conn, query string, between func()) []string {
	t.Helper()
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for b := rows.NextBatch(); b != nil; b = rows.NextBatch() {
		if out == nil && between != nil {
			between()
		}
		for i := range b.N {
			out = append(out, fmt.Sprint(b.Row(nil, i)))
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// disturb changes everything that a reader might look at.
func disturb(t *testing.T, d *db.DB, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := d.Conn()
	for _, s := range []string{
		"UPDATE docs SET text = 'w1 changed' WHERE text ~ 'w10 '",
		"DELETE FROM docs WHERE text ~ 'w11 '",
		"INSERT INTO docs (id, text) VALUES ('x1', 'w1 new')",
		"INSERT INTO docs (id, text) VALUES ('x2', 'w1 new')",
		"INSERT INTO docs (id, text) VALUES ('x3', 'w1 new')",
		"LOAD '" + dir + "/more' INTO docs FORMAT lines",
		"COMPACT",
		"DELETE FROM docs",
		"COMPACT",
		"CHECK DATABASE",
	} {
		if _, err := c.Exec(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// TestStalledTableReader stops reading a lexicon: nobody waits for the reader.
func TestStalledTableReader(t *testing.T) {
	d := open(t, t.TempDir()+"/s.parlance")
	script(t, d.Conn(), "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'w'); CREATE LEXICON l (word "+
		"TEXT); INSERT INTO l VALUES ('1'), ('2'), ('3'), ('4'), ('5'), ('6'), ('7'), ('8')")
	for range 10 {
		script(t, d.Conn(), "INSERT INTO l (word) SELECT word || 'x' FROM l")
	}
	rows, err := d.Query(context.Background(), "SELECT word FROM l")
	if err != nil {
		t.Fatal(err)
	}
	rows.NextBatch()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, s := range []string{"INSERT INTO l VALUES ('0')", "UPDATE l SET word = '0' WHERE word = '1'",
		"CREATE INDEX ON l (word)", "DELETE FROM l WHERE word = '2'", "COMPACT", "DROP LEXICON l"} {
		if _, err := d.Exec(ctx, s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}
