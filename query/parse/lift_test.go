package parse_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/query/ast"
	"parlance/query/parse"
)

func TestLift(t *testing.T) {
	for statement, want := range map[string]struct{ shape, text string }{
		"SELECT text FROM entities(TEXT 'Ann') USING ner":             {"SELECT text FROM entities(TEXT $1) USING ner", "Ann"},
		"SELECT text FROM entities(text'it''s') USING ner;":           {"SELECT text FROM entities(text$1) USING ner;", "it's"},
		"SELECT * FROM f ( TEXT\n''  , 'b')":                          {"SELECT * FROM f ( TEXT\n$1  , 'b')", ""},
		"SELECT 'a', 'b''' FROM f(TEXT 'x') -- it's":                  {"SELECT 'a', 'b''' FROM f(TEXT $1) -- it's", "x"},
		"SELECT * FROM f(TEXT 'a ' || 17 ||' ''b' || '' || 0 || 'c')": {"SELECT * FROM f(TEXT $1)", "a 17 'b0c"},
		"SELECT * FROM f(TEXT 'é\n\\' || 999999999999999999 , x)":     {"SELECT * FROM f(TEXT $1 , x)", "é\n\\999999999999999999"},
		"SELECT * FROM f(TEXT 'a', 'b') JOIN g(TEXT 'c')":             {"SELECT * FROM f(TEXT $1, 'b') JOIN g(TEXT 'c')", "a"},
	} {
		l, ok := parse.Lift(statement)
		if !ok || l.Shape != want.shape || l.Values[0] != want.text || l.Shape[l.At(1):l.At(1)+2] != "$1" {
			t.Errorf("%s: %v, %+v", statement, ok, l)
		}
	}
	for _, statement := range []string{
		"", "SELECT 1", "SELECT 'a'", "SELECT TEXT 'a'", "SELECT * FROM f(TEXT $1)", "SELECT * FROM f(TEXT 'a", "SELECT * FROM f(TEXT 'a'",
		"SELECT * FROM f(TEXT 'a' 'b')", "SELECT * FROM f(TEXT 'a'::text)", "SELECT * FROM f(TEXT 'a' || b)", "SELECT * FROM f(TEXT 'a' || 1.5)",
		"SELECT * FROM f(TEXT 'a' || 07)", "SELECT * FROM f(TEXT 'a' || 1234567890123456789)", "SELECT * FROM f(TEXT 'a' || 'b)",
		"SELECT * FROM f(TEXT 'a' ||)", "SELECT * FROM f(CONTEXT 'a')", "SELECT * FROM f(TEXT E'a')", "SELECT * FROM f(TEXT 'a\x00')",
		"SELECT * FROM f(TEXT '\xff')", "TEXT 'a')",
	} {
		if l, ok := parse.Lift(statement); ok {
			t.Errorf("%s: lifted: %+v", statement, l)
		}
	}
}

// TestLiftLong takes time in proportion to the statement, however many literals are joined.
func TestLiftLong(t *testing.T) {
	l, ok := parse.Lift("SELECT * FROM f(TEXT ''" + strings.Repeat(" || 'a'", 1<<17) + ")")
	if !ok || len(l.Values[0].(string)) != 1<<17 {
		t.Errorf("%v, %.20q", ok, l.Values)
	}
}

// TestLiftPlaces maps places of what follows the text, in the text and before it.
func TestLiftPlaces(t *testing.T) {
	const statement = "SELECT *\nFROM f(TEXT 'é\n' || 7,\n é, b)"
	l, ok := parse.Lift(statement)
	if !ok {
		t.Fatal("not lifted")
	}
	for shape, want := range map[string]ast.Pos{
		"FROM": {Line: 2, Col: 1, Offset: 9}, "$1": {Line: 2, Col: 13, Offset: 21}, "1,": {Line: 2, Col: 13, Offset: 21},
		",\n": {Line: 3, Col: 7, Offset: 31}, "b)": {Line: 4, Col: 5, Offset: 38},
	} {
		offset := strings.Index(l.Shape, shape)
		before := l.Shape[:offset]
		line := strings.Count(before, "\n")
		at := ast.Pos{Line: 1 + line, Col: 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:])), Offset: offset}
		if got := l.Place(at); got != want {
			t.Errorf("%q at %+v: %+v, want %+v", shape, at, got, want)
		}
	}
}

func TestLiftCompared(t *testing.T) {
	for statement, want := range map[string]struct {
		shape  string
		values []any
	}{
		"SELECT a FROM b WHERE id = 'd17'":                   {"SELECT a FROM b WHERE id = $1", []any{"d17"}},
		"select a from b where id=17 AND \"c\">='it''s';":    {"select a from b where id=$1 AND \"c\">=$2;", []any{int64(17), "it's"}},
		"SELECT 'x = 5' FROM b WHERE x <> 007\nLIMIT 5":      {"SELECT 'x = 5' FROM b WHERE x <> $1\nLIMIT 5", []any{int64(7)}},
		"SELECT a FROM b WHERE é != 'é' OR NOT (c1 < 2)":     {"SELECT a FROM b WHERE é != $1 OR NOT (c1 < $2)", []any{"é", int64(2)}},
		"SELECT a FROM b WHERE x = 1 AND x = -1 AND x = 1.5": {"SELECT a FROM b WHERE x = $1 AND x = -1 AND x = 1.5", []any{int64(1)}},
		"SELECT a FROM b WHERE 1 = 1 AND x = 1 AND f(x) = 2": {"SELECT a FROM b WHERE 1 = 1 AND x = $1 AND f(x) = 2", []any{int64(1)}},
		"SELECT a FROM b@4 WHERE x = 1 AND x => 5 AND y ~ 5": {"SELECT a FROM b@4 WHERE x = $1 AND x => 5 AND y ~ 5", []any{int64(1)}},
		"SELECT a FROM b WHERE \"x = 5'\" = 1":               {"SELECT a FROM b WHERE \"x = 5'\" = $1", []any{int64(1)}},
		"SELECT a FROM b WHERE x = 1 AND x = 1234567890123456789 AND x = 1e3 AND x = 5and": {
			"SELECT a FROM b WHERE x = $1 AND x = 1234567890123456789 AND x = 1e3 AND x = 5and", []any{int64(1)}},
		"SELECT a WHERE b = 1" + strings.Repeat(" AND b = 2", 9): {"SELECT a WHERE b = $1 AND b = $2 AND b = $3 AND b = $4 AND b = $5 AND b = $6 AND b = $7 AND b = $8 AND b = $9 AND b = 2",
			[]any{int64(1), int64(2), int64(2), int64(2), int64(2), int64(2), int64(2), int64(2), int64(2)}},
	} {
		l, ok := parse.LiftCompared(statement)
		if diff := cmp.Diff(want.values, l.Values); !ok || l.Shape != want.shape || diff != "" {
			t.Errorf("%s: %v, %s %s", statement, ok, l.Shape, diff)
			continue
		}
		for i := range l.Values {
			if at := l.At(i + 1); !strings.HasPrefix(l.Shape[at:], "$"+strconv.Itoa(i+1)) {
				t.Errorf("%s: $%d is not at %d", statement, i+1, at)
			}
		}
	}
	for _, statement := range []string{
		"", "SELECT", "SELECT 1", "SELECT a FROM b WHERE id IN (1)", "SELECT a FROM b WHERE id = $1 OR id = 1", "SELECT a FROM b WHERE id = ? OR id = 1",
		"SELECT a FROM b WHERE id = E'a\\'' AND id = 1", "SELECT a FROM b WHERE d = DATE'2026-11-21' AND id = 1", "SELECT a -- x = 5\n FROM b WHERE id = 1",
		"SELECT a /* x = 5 */ FROM b WHERE id = 1", "SELECT a FROM b WHERE id = 'a", "SELECT a FROM b WHERE id = \"a", "DELETE FROM b WHERE id = 1",
		"SELECT a FROM b WHERE id = '\x00'", "SELECT a FROM b WHERE id = '\xff'", "SELECT a FROM b WHERE id = 'a'1", "SELECT a FROM b WHERE id ~= 1",
		"SELECT a FROM b WHERE id = 1 AND t = '" + strings.Repeat("a", 1<<14) + "'",
	} {
		if l, ok := parse.LiftCompared(statement); ok {
			t.Errorf("%s: lifted: %+v", statement, l)
		}
	}
}

// TestCompares takes shapes whose parameters are compared with columns in WHERE, and no others.
func TestCompares(t *testing.T) {
	for statement, want := range map[string]bool{
		"SELECT a FROM b WHERE x = 1":                                   true,
		"SELECT a FROM b WHERE x = 1 AND (y < 'a' OR NOT z=3)":          true,
		"SELECT 2, 'a' FROM b, c WHERE x.y = 1 GROUP BY 1":              true,
		"SELECT x = 1 FROM b":                                           false,
		"SELECT a FROM b WHERE x = 1 + 1":                               false,
		"SELECT a FROM b WHERE x = '1'::INTEGER":                        false,
		"SELECT a FROM b WHERE y + x = 1":                               false,
		"SELECT a FROM b WHERE x = 1 COLLATE \"C\"":                     false,
		"SELECT a FROM b WHERE x = 1 HAVING x = 2":                      false,
		"SELECT a FROM b WHERE CASE WHEN x = 1 THEN y END":              false,
		"SELECT a FROM b JOIN c ON x = 1":                               false,
		"SELECT a FROM b WHERE x IN (SELECT y FROM c WHERE z = 1)":      false,
		"SELECT a FROM b WHERE x = 1 UNION SELECT a FROM b WHERE x = 2": false,
		"SELECT a FROM b WHERE (x = 1) IS TRUE":                         false,
	} {
		l, ok := parse.LiftCompared(statement)
		if !ok {
			t.Errorf("%s is not lifted", statement)
			continue
		}
		stmt, err := parse.Parse(l.Shape)
		if err != nil || l.Compares(stmt) != want {
			t.Errorf("%s: %v, %v", l.Shape, !want, err)
		}
	}
}

// TestLiftComparedPlaces maps the place of each character that stays, and of parameters.
func TestLiftComparedPlaces(t *testing.T) {
	const statement = "SELECT a\nFROM b WHERE é = 'é\nx' AND b = 1 OR\nc = 'long text' LIMIT é"
	l, ok := parse.LiftCompared(statement)
	if !ok {
		t.Fatal("not lifted")
	}
	at := func(text string, offset int) ast.Pos {
		before := text[:offset]
		return ast.Pos{Line: 1 + strings.Count(before, "\n"), Col: 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:])), Offset: offset}
	}
	for _, part := range []struct{ shape, statement string }{
		{"FROM", "FROM"}, {"$1", "'é"}, {"1 AND", "'é"}, {" AND", " AND"}, {"$2", "1 OR"}, {"2 OR", "1 OR"}, {"OR", "OR"}, {"$3", "'long"}, {"LIMIT", "LIMIT"}, {"é", "é"},
	} {
		shape, want := strings.LastIndex(l.Shape, part.shape), at(statement, strings.LastIndex(statement, part.statement))
		if got := l.Place(at(l.Shape, shape)); got != want {
			t.Errorf("%q: %+v, want %+v", part.shape, got, want)
		}
	}
}

func TestSingle(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1": true, "SELECT 1; \n": true, "é": true, "": false, " SELECT 1": false, "-- a\nSELECT 1": false, "SELECT 1; SELECT 2": false,
		"SELECT ';'": false, ";": false, "SELECT 1;;": false, "(SELECT 1)": false,
	} {
		if parse.Single(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
		if list, err := parse.Script(text); want && (err != nil || len(list) != 1 || list[0].Pos.Offset != 0) {
			t.Errorf("%q is not a single statement", text)
		}
	}
}
