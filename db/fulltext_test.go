package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"parlance/db"
)

const articles = `LOAD '../testdata/quickstart/people.train.conll' INTO %[1]s FORMAT conll WITH (columns = (form, entities)) SET split = 'train';
LOAD '../testdata/quickstart/people.test.conll' INTO %[1]s FORMAT conll WITH (columns = (form, entities)) SET split = 'test';
INSERT INTO %[1]s (id, text) VALUES ('x1', 'Ännchen doesn''t like well-known cities. Elena Moreau does!'), ('x2', '');`

// vocabulary is the forms of a corpus.
func vocabulary(t *testing.T, c *db.Conn) []string {
	return strings.Split(strings.TrimSpace(text(t, c, "SELECT DISTINCT form FROM a.tokens ORDER BY form")), "\n")[1:]
}

func draw(r *rand.Rand, words []string, depth int) string {
	w := words[r.IntN(len(words))]
	switch r.IntN(8) {
	case 0:
		return `"` + w + " " + words[r.IntN(len(words))] + `"`
	case 1:
		return "-" + w
	case 2:
		if first := []rune(w)[0]; (first|32 >= 'a') && (first|32 <= 'z') {
			return string(first) + "*"
		}
	case 3, 4:
		if depth > 0 {
			return "(" + draw(r, words, depth-1) + []string{" ", " OR ", " | "}[r.IntN(3)] + draw(r, words, depth-1) + ")"
		}
	}
	return `"` + w + `"`
}

// TestSearchByIndexAndByScan asks two corpora with the same documents, one of which has
// indexes, while documents change.
func TestSearchByIndexAndByScan(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	c.OnNotice(func(string) {})
	ctx := context.Background()
	both := func(s string) {
		t.Helper()
		for _, corpus := range []string{"a", "b"} {
			if err := c.Script(ctx, fmt.Sprintf(s, corpus), nil); err != nil {
				t.Fatalf(s+": %v", corpus, err)
			}
		}
	}
	both("CREATE CORPUS %s (split TEXT)")
	if err := c.Script(ctx, "CREATE FULLTEXT INDEX ON a (text)", nil); err != nil {
		t.Fatal(err)
	}
	both(articles)
	if err := c.Script(ctx, "CREATE FULLTEXT INDEX ON a.entities (text); CREATE FULLTEXT INDEX ON a.sentences (text)",
		nil); err != nil {
		t.Fatal(err)
	}
	words := vocabulary(t, c)
	r := rand.New(rand.NewPCG(1, 2))
	for _, change := range []string{
		"", "DELETE FROM %[1]s WHERE match(text, 'in')",
		"UPDATE %[1]s SET text = text || ' Elena again.' WHERE match(text, 'the')",
		"UPDATE %[1]s.entities SET label = 'X' WHERE match(text, 'elena')",
		"DELETE FROM %[1]s.entities WHERE match(document.text, 'and')",
	} {
		if change != "" {
			both(change)
		}
		found := 0
		for range 25 {
			q := strings.ReplaceAll(draw(r, words, 2), "'", "''")
			for _, s := range []string{
				"SELECT id FROM %s d WHERE match(text, '" + q + "')",
				"SELECT id FROM %s d WHERE split = 'train' AND NOT match(d.text, '" + q + "')",
				"SELECT doc, char_start, label FROM %s.entities WHERE match(text, '" + q + "')",
				"SELECT doc, char_start, label FROM %s.entities WHERE match(document.text, '" + q + "') AND label <> 'X'",
				"SELECT doc, sent FROM %s.sentences WHERE match(text, '" + q + "')",
				"SELECT count(*), min(form) FROM %s.tokens WHERE match(form, '" + q + "')",
			} {
				got, want := text(t, c, fmt.Sprintf(s, "a")), text(t, c, fmt.Sprintf(s, "b"))
				if got != want {
					t.Fatalf("after %q: %s\nby index:\n%s\nby scan:\n%s", change, s, got, want)
				}
				found += strings.Count(got, "\n") - 1
			}
		}
		if found < 100 {
			t.Errorf("after %q: only %d rows are found", change, found)
		}
	}
	if got := text(t, c, "CHECK DATABASE"); !strings.Contains(got, "ok") && got != "\n" {
		t.Error(got)
	}
}

// TestOnlyMatchingDocumentsAreAnnotated counts what a model annotates.
func TestOnlyMatchingDocumentsAreAnnotated(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	ctx := context.Background()
	prepare := "CREATE CORPUS a (split TEXT); " + fmt.Sprintf(articles, "a") + " TRAIN crf AS ner ON a WHERE split = " +
		"'train' WITH (iterations = 5); CREATE FULLTEXT INDEX ON a (text); SET cache = off"
	if err := c.Script(ctx, prepare, nil); err != nil {
		t.Fatal(err)
	}
	n := strings.Count(text(t, c, "SELECT id FROM a WHERE match(text, 'elena')"), "\n") - 1
	all := strings.Count(text(t, c, "SELECT id FROM a"), "\n") - 1
	plan := text(t, c, "EXPLAIN ANALYZE SELECT text FROM a.entities USING ner WHERE match(document.text, 'elena')")
	if n == 0 || n == all || !strings.Contains(plan, fmt.Sprintf("misses=%d\n", n)) ||
		!strings.Contains(plan, fmt.Sprintf("estimated documents=%d ", n)) {
		t.Errorf("%d of %d documents match:\n%s", n, all, plan)
	}
}

// TestSearchParameters searches for what parameters say.
func TestSearchParameters(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	ctx := context.Background()
	if err := c.Script(ctx, "CREATE CORPUS a; INSERT INTO a (id, text) VALUES ('x', 'one two'), ('y', 'two three'); "+
		"CREATE FULLTEXT INDEX ON a (text)", nil); err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{"one": "x", "two": "xy", "two -one": "y",
		`"three`: "the phrase is not closed"} {
		rows, err := c.Query(ctx, "SELECT id FROM a WHERE match(text, $1)", q)
		got := ""
		if err == nil {
			for rows.Next() {
				got += rows.Values()[0].String()
			}
			err = rows.Close()
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s gives %s", q, got)
		}
	}
}

// TestShowIndexes lists each index with the bytes that it takes in the file.
func TestShowIndexes(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'New York'); "+
		"CREATE FULLTEXT INDEX ON docs (text)")
	want := regexp.MustCompile(`^object\tlayer\tcolumns\tkind\tcase\tstem\tbytes\ndocs\t∅\ttext\tfulltext\tlower\t∅\t[1-9][0-9]*\n$`)
	if got := text(t, c, "SHOW INDEXES"); !want.MatchString(got) {
		t.Errorf("%q", got)
	}
}
