package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"parlance/db"
	"parlance/storage/value"
)

// writtenDocument is a document as a naive reader of layers has it.
type writtenDocument struct {
	id, text string
	year     int64 // 0 for NULL
}

// tokens are the rows of the layer of tokens of a text without sentence ends: what stands between blanks.
func (d *writtenDocument) tokens(keep func(tok int, form string) bool) (rows []string) {
	at := 0
	year := "NULL"
	if d.year > 0 {
		year = fmt.Sprint(d.year)
	}
	for i, form := range strings.Split(d.text, " ") {
		end := at + utf8.RuneCountInString(form)
		if keep(i+1, form) {
			rows = append(rows, fmt.Sprint(d.id, " ", i+1, " ", form, " ", at, " ", end, " ", year))
		}
		at = end + 1
	}
	return rows
}

// TestOverlappingSegments reads a layer whose documents were changed at random, so that their segments lie across each
// other, and compares it with a naive reader: all rows, rows of some documents, rows under a condition, the first rows.
// They come in the order in which the documents came into the corpus.
func TestOverlappingSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, err := db.Open(filepath.Join(t.TempDir(), "a.parlance"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	conn := d.Conn()
	all := []*writtenDocument{}
	words := []string{"ann", "bob", "größe", "日本", "tree", "x"}
	content := func() string {
		out := make([]string, 1+rng.IntN(40))
		for i := range out {
			out[i] = words[rng.IntN(len(words))]
			if i%2 == 0 {
				out[i] = words[0] // some texts are ASCII
			}
		}
		if rng.IntN(2) == 0 {
			return strings.TrimSpace(strings.Repeat("ann tree ", 1+rng.IntN(15)))
		}
		return strings.Join(out, " ")
	}
	exec := func(statement string, args ...any) [][]value.Value {
		t.Helper()
		rows, err := conn.Query(context.Background(), statement, args...)
		if err != nil {
			t.Fatal(statement, err)
		}
		var out [][]value.Value
		for rows.Next() {
			out = append(out, append([]value.Value(nil), rows.Values()...))
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(statement, err)
		}
		return out
	}
	exec("CREATE CORPUS docs (year integer, part integer) WITH (tokenizer = 'whitespace')")
	var script strings.Builder
	for i := range 900 {
		x := &writtenDocument{id: fmt.Sprint("d", i), text: content(), year: int64(rng.IntN(3))}
		all = append(all, x)
		year := "NULL"
		if x.year > 0 {
			year = fmt.Sprint(x.year)
		}
		if i > 0 {
			script.WriteString(", ")
		}
		fmt.Fprintf(&script, "('%s', '%s', %s, %d)", x.id, x.text, year, i%7)
	}
	exec("INSERT INTO docs (id, text, year, part) VALUES " + script.String())
	check := func(after string) {
		t.Helper()
		for _, c := range []struct {
			where string
			doc   func(*writtenDocument) bool
			row   func(tok int, form string) bool
			limit int
		}{
			{where: "TRUE"},
			{where: "d.year = 2", doc: func(x *writtenDocument) bool { return x.year == 2 }},
			{where: "d.id >= 'd3' AND d.id < 'd5'", doc: func(x *writtenDocument) bool { return x.id >= "d3" && x.id < "d5" }},
			{where: "t.form = 'größe'", row: func(_ int, form string) bool { return form == "größe" }},
			{where: "t.tok > 38", row: func(tok int, _ string) bool { return tok > 38 }},
			{where: "d.year IS NULL AND t.tok = 2", doc: func(x *writtenDocument) bool { return x.year == 0 },
				row: func(tok int, _ string) bool { return tok == 2 }},
			{where: "TRUE", limit: 1023}, {where: "TRUE", limit: 1024}, {where: "TRUE", limit: 1025},
		} {
			var want []string
			for _, x := range all {
				if c.doc == nil || c.doc(x) {
					want = append(want, x.tokens(func(tok int, form string) bool { return c.row == nil || c.row(tok, form) })...)
				}
			}
			limit := ""
			if c.limit > 0 {
				want = want[:c.limit]
				limit = fmt.Sprint(" LIMIT ", c.limit)
			}
			from := " FROM docs.tokens AS t JOIN docs AS d ON d.id = t.doc WHERE " + c.where + limit
			var got []string
			for _, r := range exec("SELECT t.doc, t.tok, t.form, t.char_start, t.char_end, d.year" + from) {
				year := "NULL"
				if !r[5].IsNull() {
					year = r[5].String()
				}
				got = append(got, fmt.Sprint(r[0], " ", r[1], " ", r[2], " ", r[3], " ", r[4], " ", year))
			}
			if diff := firstDifference(got, want); diff != "" {
				t.Fatalf("%s, %s%s: %s", after, c.where, limit, diff)
			}
		}
	}
	check("as inserted")
	for part := range 4 {
		exec("UPDATE docs SET year = 2 WHERE part = $1", part)
		for i, x := range all {
			if i%7 == part {
				x.year = 2
			}
		}
	}
	check("with fields changed")
	exec("UPDATE docs SET text = 'ann größe ann' WHERE part = 5")
	for i, x := range all {
		if i%7 == 5 {
			x.text = "ann größe ann"
		}
	}
	check("with texts changed")
	exec("DELETE FROM docs WHERE part IN (0, 6)")
	left := all[:0]
	for i, x := range all {
		if i%7 != 0 && i%7 != 6 {
			left = append(left, x)
		}
	}
	all = left
	check("with some deleted")
}

// firstDifference says where two lists differ, "" if they do not.
func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("row %d of %d is %q, not %q", i+1, len(want), got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, not %d", len(got), len(want))
	}
	return ""
}
