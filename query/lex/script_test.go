package lex_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/query/ast"
	"parlance/query/lex"
)

func TestScript(t *testing.T) {
	const script = "-- first;\nSELECT ';', \"a;\"\"b\", 'it''s;' ;;\n" +
		"/* ; /* nested; */ ; */ SELECT é; SELECT\n  $; SELECT 2 -- no end;"
	want := []lex.Located{
		{Text: `SELECT ';', "a;""b", 'it''s;'`, Pos: ast.Pos{Line: 2, Col: 1, Offset: 10}},
		{Text: "SELECT é", Pos: ast.Pos{Line: 3, Col: 25, Offset: 67}},
		{Text: "SELECT\n  $", Pos: ast.Pos{Line: 3, Col: 35, Offset: 78}},
		{Text: "SELECT 2", Pos: ast.Pos{Line: 4, Col: 6, Offset: 90}},
	}
	got, err := lex.Script(script)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if place, want := want[2].Place(ast.Pos{Line: 2, Col: 3, Offset: 9}), (ast.Pos{Line: 4, Col: 3, Offset: 87}); place != want {
		t.Errorf("placed at %+v, want %+v", place, want)
	}
	if place, want := want[2].Place(ast.Pos{Line: 1, Col: 1}), want[2].Pos; place != want {
		t.Errorf("placed at %+v, want %+v", place, want)
	}
}

// TestScriptDollars splits behind texts between dollars.
func TestScriptDollars(t *testing.T) {
	got, err := lex.Script("SELECT $$;'$$; SELECT $a$;$$\n--$a$, $1; SELECT 2")
	if err != nil || len(got) != 3 || got[1].Text != "SELECT $a$;$$\n--$a$, $1" || got[2].Pos.Line != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestScriptUnfinished(t *testing.T) {
	got, err := lex.Script("SELECT 1; SELECT 'x")
	if err == nil || len(got) != 1 {
		t.Errorf("%d statements, error %v", len(got), err)
	}
}

func TestComplete(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "SELECT 1": false, "SELECT 1;": true, "SELECT 1; -- done": true, "SELECT 1; SELECT": false,
		"SELECT ';": false, "SELECT ';'": false, "SELECT 1 /* ;": false, "SELECT \"a;": false, "SELECT $;": true,
		";": true, "SELECT 1 -- ;": false, "SELECT $$;": false, "SELECT $$;$$": false, "SELECT $a$;$$;$a$;": true, "SELECT $1;": true,
	} {
		if got := lex.Complete(text); got != want {
			t.Errorf("Complete(%q) = %v", text, got)
		}
	}
}

func TestSingle(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1": true, "SELECT 1; \n": true, "é": true, "": false, " SELECT 1": false, "-- a\nSELECT 1": false, "SELECT 1; SELECT 2": false,
		"SELECT ';'": false, ";": false, "SELECT 1;;": false, "(SELECT 1)": false,
	} {
		if lex.Single(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
		if list, err := lex.Script(text); want && (err != nil || len(list) != 1 || list[0].Pos.Offset != 0) {
			t.Errorf("%q is not a single statement", text)
		}
	}
}
