package parse_test

import (
	"strings"
	"testing"

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
		if !ok || l.Shape != want.shape || l.Text != want.text || l.Shape[l.At:l.At+2] != "$1" {
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
	if !ok || len(l.Text) != 1<<17 {
		t.Errorf("%v, %d bytes", ok, len(l.Text))
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
