package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"parlance/db"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// found returns the first column of a query.
func found(t rapid.TB, c *db.Conn, query string, args ...any) (out []string) {
	rows, err := c.Query(context.Background(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// TestIndexesChangeNoResult asks the same of a corpus and a lexicon with indexes and of others
// without, with constants and with parameters of several types.
func TestIndexesChangeNoResult(t *testing.T) {
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	script := `CREATE CORPUS plain (s TEXT, n INTEGER, f FLOAT, b BOOLEAN); CREATE LEXICON bare (id TEXT, s TEXT, n INTEGER, f FLOAT, b BOOLEAN);`
	values := func(i int) string {
		pick := func(k int, from ...string) string { return from[(i/k)%len(from)] }
		return pick(1, "NULL", "''", "'a'", "'ab'", "'b'") + ", " + pick(2, "1", "2", "3", "NULL", "-7") + ", " +
			pick(3, "0.5", "NULL", "2.0", "-1.0") + ", " + pick(5, "true", "NULL", "false")
	}
	for i := range 60 {
		script += fmt.Sprintf(
			"INSERT INTO plain (id, text, s, n, f, b) VALUES ('d%02d', 'x', %s); INSERT INTO bare VALUES ('d%02d', %[2]s);",
			i, values(i), i)
	}
	script += `CREATE CORPUS indexed (s TEXT, n INTEGER, f FLOAT, b BOOLEAN); CREATE INDEX ON indexed (s, n);
		INSERT INTO indexed (id, text, s, n, f, b) SELECT id, text, s, n, f, b FROM plain;
		CREATE LEXICON keyed AS SELECT * FROM bare;`
	for _, cols := range []string{"n", "f, s", "b, n"} {
		script += "CREATE INDEX ON indexed (" + cols + "); CREATE INDEX ON keyed (" + cols + ");"
	}
	if err := c.Script(context.Background(), script, nil); err != nil {
		t.Fatal(err)
	}
	const key = "<key>" // id, or doc of a layer
	arrays := map[string][]any{"s": {"{}", "{a,zz}", `["ab", "", null]`}, "b": {"{t}", "{true,NULL}"},
		"n": {"{1,2,2}", "[-7, 2.0]", "{}", "{NULL}"}, "f": {"{0.5,2}", "[2, 7]", "{NULL,-1}"}}
	rapid.Check(t, func(t *rapid.T) {
		var args []any
		operand := func(column string) string {
			var from []any
			switch column {
			case "s":
				from = []any{"", "a", "ab", "zz"}
			case "b":
				from = []any{true, false}
			default:
				from = []any{1, 2, -7, 0, 2.0, 0.5, 2.5}
			}
			x := rapid.SampledFrom(from).Draw(t, "operand")
			if rapid.Bool().Draw(t, "parameter") {
				args = append(args, x)
				return fmt.Sprintf("$%d", len(args))
			}
			if s, ok := x.(string); ok {
				return "'" + s + "'"
			}
			return fmt.Sprint(x)
		}
		var conds []string
		for range rapid.IntRange(1, 3).Draw(t, "conditions") {
			col := rapid.SampledFrom([]string{"s", "n", "f", "b"}).Draw(t, "column")
			switch rapid.IntRange(0, 7).Draw(t, "condition") {
			case 5:
				args = append(args, rapid.SampledFrom(arrays[col]).Draw(t, "array"))
				conds = append(conds,
					fmt.Sprintf("%s %s ($%d)", col, rapid.SampledFrom([]string{"= ANY", "<> ALL"}).Draw(t, "op"), len(args)))
			case 6:
				conds = append(conds, fmt.Sprintf("%s IN (SELECT %s FROM bare WHERE id < 'd%02d')", col, col,
					rapid.IntRange(0, 12).Draw(t, "rows")))
			case 7:
				ids := fmt.Sprintf("'{d%02d,x,NULL,d%02d}'", rapid.IntRange(0, 60).Draw(t, "id"),
					rapid.IntRange(0, 60).Draw(t, "id"))
				conds = append(conds, key+" = ANY ("+ids+")")
			case 0:
				conds = append(conds, fmt.Sprintf("%s IN (%s, %s)", col, operand(col), operand(col)))
			case 1:
				conds = append(conds, fmt.Sprintf("%s BETWEEN %s AND %s", col, operand(col), operand(col)))
			case 2:
				conds = append(conds,
					fmt.Sprintf("%s %s %s", operand(col), rapid.SampledFrom([]string{"=", "<", ">="}).Draw(t, "op"), col))
			default:
				conds = append(conds,
					fmt.Sprintf("%s %s %s", col, rapid.SampledFrom([]string{"=", "=", "<", "<=", ">", ">=", "<>"}).Draw(t, "op"),
						operand(col)))
			}
		}
		where := " WHERE " + strings.Join(conds, " AND ")
		of := func(name string) string { return strings.ReplaceAll(where, key, name) }
		want := found(t, c, "SELECT id FROM bare"+of("id"), args...)
		for _, table := range []string{"indexed", "plain", "keyed"} {
			if diff := cmp.Diff(want, found(t, c, "SELECT id FROM "+table+of("id"), args...)); diff != "" {
				t.Fatalf("%s%s %v: %s", table, where, args, diff)
			}
		}
		if diff := cmp.Diff(want, found(t, c, "SELECT doc FROM indexed.tokens"+of("doc"), args...)); diff != "" {
			t.Fatalf("tokens%s %v: %s", where, args, diff)
		}
	})
}
