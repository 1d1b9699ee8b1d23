package parse_test

import (
	"strings"
	"testing"

	"parlance/query/lex"
	"parlance/query/parse"
)

// FuzzParse checks that no text makes the parser panic, and that what it
// accepts survives printing.
func FuzzParse(f *testing.F) {
	for _, seed := range parse.Statements(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := parse.Parse(text); err == nil {
			checkRoundTrip(t, s)
		}
	})
}

// FuzzScript checks that the statements of a script lie in it where they say,
// and that a script put together from them has the same statements.
func FuzzScript(f *testing.F) {
	for _, seed := range parse.Statements(f) {
		f.Add(seed + ";\n" + seed)
	}
	f.Add("SELECT ';' ; /* ; */ SELECT \";\" -- ;\n;;")
	f.Add("SELECT $$;$$ || $a$;$$'$a$; SELECT $1; $b")
	f.Add("SELECT $; SELECT 12x; SELECT \"\"; #")
	f.Fuzz(func(t *testing.T, text string) {
		statements, err := lex.Script(text)
		var joined strings.Builder
		for _, s := range statements {
			if !strings.HasPrefix(text[s.Pos.Offset:], s.Text) || s.Text == "" {
				t.Fatalf("%q is not at %d", s.Text, s.Pos.Offset)
			}
			joined.WriteString(s.Text + "\n;\n")
		}
		if err != nil {
			return
		}
		again, err := lex.Script(joined.String())
		if err != nil || len(again) != len(statements) {
			t.Fatalf("%d statements, then %d: %v", len(statements), len(again), err)
		}
		for i := range again {
			if again[i].Text != statements[i].Text {
				t.Fatalf("%q became %q", statements[i].Text, again[i].Text)
			}
		}
	})
}
