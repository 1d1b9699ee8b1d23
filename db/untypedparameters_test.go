package db_test

import (
	"fmt"
	"strings"
	"testing"

	"parlance/db"
)

// TestUntypedParameters gives arguments as texts, as clients of the server do, and as they are. A parameter has the
// type of the column that it stands in; a column of parameters alone has the type of their values.
func TestUntypedParameters(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	script(t, c, `CREATE LEXICON l (w TEXT, n INTEGER, f FLOAT);
		INSERT INTO l VALUES ('a', 2, 2), ('b', 10, 2.5), ('c', NULL, NULL);
		CREATE CORPUS p (year INTEGER); INSERT INTO p (id, text, year) VALUES ('x', 'one', 2001), ('y', 'two', 9)`)
	for _, test := range []struct {
		statement string
		args      []any
		types     string
		want      string
	}{
		{"SELECT max(x) FROM (VALUES (9), ($1)) v(x)", []any{"10"}, "integer", "10"},
		{"SELECT min(x) FROM (VALUES ($1), (10)) v(x)", []any{"9"}, "integer", "9"},
		{"SELECT x FROM (VALUES (9), ($1)) v(x) ORDER BY x", []any{"10"}, "integer", "9 10"},
		{"SELECT sum(y) FROM (VALUES ($1::int), ($2)) v(y)", []any{"9", "10"}, "integer integer", "19"},
		{"SELECT max(y) FROM (VALUES ($1::int), ($2)) v(y)", []any{int64(9), int64(10)}, "integer integer", "10"},
		{"SELECT 9 AS x UNION SELECT $1", []any{"9"}, "integer", "9"},
		{"SELECT $1 UNION SELECT 9", []any{"9"}, "integer", "9"},
		{"SELECT 2 INTERSECT SELECT $1", []any{"2"}, "integer", "2"},
		{"SELECT 2 EXCEPT SELECT $1", []any{"2"}, "integer", ""},
		{"SELECT f FROM l UNION SELECT $1 ORDER BY f LIMIT 2", []any{"2"}, "float", "2.0 2.5"},
		{"SELECT year FROM p UNION ALL (SELECT $1 LIMIT 1) ORDER BY year", []any{"10"}, "integer", "9 10 2001"},
		{"SELECT id FROM p WHERE year IN (SELECT $1)", []any{"2001"}, "integer", "x"},
		{"SELECT id FROM p WHERE year NOT IN (SELECT $1)", []any{"2001"}, "integer", "y"},
		{"SELECT id FROM p WHERE year IN (VALUES ($1), ($2))", []any{"2001", "7"}, "null null", "x"},
		{"SELECT id FROM p WHERE year = ANY (SELECT $1)", []any{"2001"}, "integer", "x"},
		{"SELECT id FROM p WHERE year > ALL (SELECT $1)", []any{"10"}, "integer", "x"},
		{"SELECT id FROM p WHERE (id, year) IN (SELECT 'x', $1)", []any{"2001"}, "null", "x"},
		{"SELECT w FROM l WHERE $1 IN (SELECT year FROM p) AND n = 2", []any{"9"}, "integer", "a"},
		{"SELECT w FROM l WHERE $1 IN (n, f)", []any{"2.5"}, "integer", "error"},
		{"SELECT w FROM l JOIN (VALUES ($1), ($2)) v(y) ON l.n = v.y", []any{"10", "3"}, "null null", "b"},
		{"SELECT w FROM l JOIN (VALUES ($1, 'p'), ($2, 'q')) v(n, k) USING (n)", []any{"10", "3"}, "null null", "b"},
		{"SELECT w FROM l JOIN (VALUES ($1), ($2)) v(y) ON l.n = v.y", []any{int64(10), int64(3)}, "null null", "b"},
		{"SELECT w FROM l JOIN (SELECT $1 AS y) v ON l.n = v.y", []any{"10"}, "null", "b"},
		{"SELECT max(x) FROM (VALUES ($1), ($2)) v(x)", []any{int64(9), int64(10)}, "null null", "10"},
		{"SELECT max(x) FROM (VALUES ($1), ($2)) v(x)", []any{"9", "10"}, "null null", "9"},
		{"SELECT x FROM (VALUES ($1), ($2)) v(x) ORDER BY x", []any{int64(9), "10"}, "null null", "10 9"},
		{"SELECT COALESCE(n, $1) FROM l ORDER BY 1", []any{"7"}, "integer", "2 7 10"},
		{"SELECT CASE WHEN w = 'a' THEN n ELSE $1 END FROM l ORDER BY 1 DESC LIMIT 1", []any{"10"}, "integer", "10"},
		{"SELECT GREATEST(9, $1)", []any{"10"}, "integer", "10"},
		{"SELECT NULLIF(n, $1) FROM l WHERE n = 2", []any{"2"}, "integer", "NULL"},
		{"SELECT max(n) FROM (WITH RECURSIVE r(n) AS (VALUES (9) UNION ALL SELECT $1 FROM r WHERE n = 9) SELECT n FROM r) q",
			[]any{"10"}, "integer", "10"},
		{"SELECT max(a) FROM unnest(ARRAY[9, $1]) a", []any{"10"}, "integer", "10"},
		{"INSERT INTO l (w, n) SELECT $1, $2 RETURNING n", []any{"d", "11"}, "text integer", "11"},
		{"INSERT INTO l (w, n) SELECT * FROM (VALUES ($1, $2::bigint), ($3, $4)) v RETURNING n", []any{"e", "12", "f", "13"},
			"null integer null integer", "12 13"},
		{"UPDATE l SET n = v.n FROM (VALUES ($1, $2::bigint), ($3, $4)) v(w, n) WHERE l.w = v.w RETURNING l.n",
			[]any{"a", "3", "b", "4"}, "null integer null integer", "3 4"},
		{"DELETE FROM l USING (VALUES (3), ($1)) v(n) WHERE l.n = v.n RETURNING w", []any{"4"}, "integer", "a b"},
	} {
		got, types, err := withArguments(t, c, test.statement, test.args)
		if err != nil {
			got = "error"
		}
		if got != test.want || types != test.types {
			t.Errorf("%s: parameters %s, rows %s (%v), want %s, %s", test.statement, types, got, err, test.types, test.want)
		}
	}
}

// withArguments describes a statement and runs it.
func withArguments(t *testing.T, c *db.Conn, statement string, args []any) (got, types string, err error) {
	s, err := c.Prepare(statement)
	if err != nil {
		return "", "", err
	}
	desc, err := s.Describe(t.Context())
	if err != nil {
		return "", "", err
	}
	var told, rows []string
	for _, p := range desc.Params {
		told = append(told, fmt.Sprint(p.Type))
	}
	types = strings.Join(told, " ")
	result, err := s.Query(t.Context(), args...)
	if err != nil {
		return "", types, err
	}
	defer result.Close()
	for result.Next() {
		for _, v := range result.Values() {
			if rows = append(rows, v.String()); v.IsNull() {
				rows[len(rows)-1] = "NULL"
			}
		}
	}
	return strings.Join(rows, " "), types, result.Err()
}
