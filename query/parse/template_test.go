package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"

	"parlance/query/ast"
	"parlance/query/lex"
)

// other writes a statement in another way, with other literals of the same sorts, longer lists and other blanks.
func other(in *Scanned) string {
	var b strings.Builder
	for i := range in.tokens[:len(in.tokens)-1] {
		t := &in.tokens[i]
		end := in.tokens[i+1].Pos.Offset
		word := strings.TrimRight(in.text[t.Pos.Offset:end], " \n\t;")
		b.WriteString([]string{" ", "\n ", "  "}[i%3])
		switch p := placeholder(t); {
		case in.dependsOnPrevious(i):
			b.WriteString(word)
		case p == placeText:
			b.WriteString("'it''s é " + strings.Repeat("x", i%5) + "'")
		case p == placeInteger:
			fmt.Fprint(&b, 3+i%7)
		case p == placeNumber:
			b.WriteString("2.50")
		case p == placeList:
			b.WriteString("'y', -3, NULL, 1.5")
		case p == placeRows:
			columns := in.lists[i].ends[0]
			row := "(" + strings.Repeat("'z', ", columns-1) + "-8)"
			b.WriteString(row + ",\n" + row + ", " + row)
		default:
			b.WriteString(strings.TrimSuffix(word, ";"))
		}
	}
	return b.String()
}

// TestForms gives statements with other literals the tree, or the error, that parsing them gives.
func TestForms(t *testing.T) {
	same := 0
	for _, text := range append(Statements(t), "SELECT a FROM b WHERE x IN (1, f(2), 3, 4) AND y IN (5)",
		"INSERT INTO a VALUES (1, 'b'), (2, f(3)), (4, 'd')",
		"SELECT a[1], 'x' || 2 FROM f(TEXT 'a' || 7) WHERE b = 5 LIMIT 3", "VALUES (1), (2, 3)",
		"SELECT CAST(a AS varchar(7)), $$x$$, E'\\n', 1e3") {
		in, err := Scan(text)
		if err != nil {
			continue
		}
		form, err := in.Parse()
		if err != nil || strings.ContainsAny(text, "-/") && strings.Contains(text, "--") ||
			strings.Contains(text, "/*") {
			continue
		}
		varied := other(in)
		now, err := Scan(varied)
		if err != nil || !bytes.Equal(now.Fingerprint(), in.Fingerprint()) {
			continue // an operator or ? means something else before other blanks
		}
		same++
		want, wantErr := Parse(varied)
		got, gotErr := form.Statement(now)
		if !reflect.DeepEqual(wantErr, gotErr) || !reflect.DeepEqual(want, got) {
			t.Errorf("%s\n as %s: %v, want %v\n%s", text, varied, gotErr, wantErr, cmp.Diff(want, got))
		}
	}
	if same < 300 {
		t.Errorf("only %d statements are written in another way", same)
	}
}

// TestFold gives lists of literals the trees that they have without folding.
func TestFold(t *testing.T) {
	lists := 0
	for _, text := range append(Statements(t), "SELECT a FROM b WHERE x IN (1, -2, 'c', NULL, TRUE, $1, f(2), 3, "+
		"(4), 5 + 6) OR y NOT IN ('z')",
		"INSERT INTO a VALUES (1, 'b'), (-2, f(3)), (4, DEFAULT), (5, 'e'), (6, 'f')",
		"SELECT * FROM (VALUES (1, 2), (3, 4)) v", "VALUES (1), (2), ((3))",
		"SELECT values (1), f(values (2))", "SELECT position('a' IN ('abc'))",
		"SELECT a IN (SELECT b, 1, 2), a IN (VALUES (1), (2))", "INSERT INTO a VALUES (1, ), (2)",
		"INSERT INTO a VALUES (1, 2), ", "SELECT a IN (1, 2, )", "SELECT a IN (1, 2", "SELECT a IN (-, 2)",
		"UPDATE a SET (b, c) = (1, 2)", "VALUES", "VALUES (") {
		tokens, err := lex.ScanStatement(text, nil)
		if err != nil || len(tokens) == 1 {
			continue
		}
		plain := &Scanned{text: text, tokens: tokens}
		in, err := Scan(text)
		if err != nil {
			t.Fatal(err)
		}
		lists += len(in.lists)
		want, wantErr := treeOf(plain)
		got, gotErr := treeOf(in)
		if !reflect.DeepEqual(wantErr, gotErr) || !reflect.DeepEqual(want, got) {
			t.Errorf("%s: %v, want %v\n%s", text, gotErr, wantErr, cmp.Diff(want, got))
		}
	}
	if lists < 30 {
		t.Errorf("only %d lists", lists)
	}
}

func treeOf(in *Scanned) (ast.Statement, error) {
	form, err := in.Parse()
	if err != nil {
		return nil, err
	}
	return form.Statement(in)
}

// TestFingerprint tells apart what has different trees, and nothing else.
func TestFingerprint(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"SELECT a FROM b WHERE c = 'd'", "SELECT a  FROM b -- e\n WHERE c='it''s';", true},
		{"SELECT a WHERE b = 1", "SELECT a WHERE b = 12345678", true},
		{"SELECT a WHERE b = $$c$$", "SELECT a WHERE b = E'\\n'", true},
		{"SELECT a WHERE b IN (1)", "SELECT a WHERE b IN ('c', NULL, -5)", true},
		{"INSERT INTO a VALUES (1, 2)", "INSERT INTO a VALUES (3, 4), (5, 6)", true},
		{"SELECT * FROM f(TEXT 'a')", "SELECT * FROM f(TEXT 'a' || 7 || 'b')", true},
		{"SELECT a WHERE b = 1", "SELECT a WHERE b = 1.5", false},
		{"SELECT a WHERE b = 1", "SELECT a WHERE b = '1'", false},
		{"SELECT a WHERE b = 1", "SELECT a WHERE b = -1", false},
		{"SELECT a WHERE b = 1", "SELECT a WHERE b = 1234567890123456789", false},
		{"SELECT a", "SELECT A", false},
		{"SELECT a", "SELECT \"a\"", false},
		{"SELECT a b", "SELECT ab", false},
		{"SELECT a WHERE b = $1", "SELECT a WHERE b = $2", false},
		{"SELECT a WHERE b = NULL", "SELECT a WHERE b = TRUE", false},
		{"SELECT INTERVAL '1' YEAR", "SELECT INTERVAL '2' YEAR", false},
		{"SELECT a FROM m@4", "SELECT a FROM m@5", false},
	} {
		var prints [2]string
		for i, text := range []string{test.a, test.b} {
			in, err := Scan(text)
			if err != nil {
				t.Fatal(err)
			}
			in.JoinAdHocText()
			prints[i] = string(in.Fingerprint())
		}
		if (prints[0] == prints[1]) != test.same {
			t.Errorf("%s and %s: %q, %q", test.a, test.b, prints[0], prints[1])
		}
	}
}

// TestJoin joins the literals of an ad-hoc text.
func TestJoin(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT * FROM f(TEXT 'a ' || 17 ||' ''b' || '' || 0 || 'c')":      "a 17 'b0c",
		"SELECT * FROM f(TEXT '' || 7, x)":                                 "7",
		"SELECT * FROM f(TEXT 'é' || '')":                                  "é",
		"SELECT * FROM f(TEXT 'a' || b)":                                   "",
		"SELECT * FROM f(TEXT 'a' || 1.5)":                                 "",
		"SELECT * FROM f(TEXT 'a' || 07)":                                  "",
		"SELECT * FROM f(TEXT 'a' || 1234567890123456789)":                 "",
		"SELECT * FROM f(TEXT 'a' || 'b'::text)":                           "",
		"SELECT * FROM f('a' || 'b')":                                      "",
		"SELECT * FROM f(TEXT ''" + strings.Repeat(" || 'a'", 1<<17) + ")": strings.Repeat("a", 1<<17),
	} {
		in, err := Scan(text)
		if err != nil {
			t.Fatal(err)
		}
		before := len(in.tokens)
		in.JoinAdHocText()
		if (len(in.tokens) < before) != (want != "") {
			t.Errorf("%.60s: joined: %v", text, want == "")
			continue
		}
		if i := slices.IndexFunc(in.tokens, func(t lexer.Token) bool { return t.Type == lex.String }); want != "" &&
			unquote(in.tokens[i].Value, "'") != want {
			t.Errorf("%.60s: %.60s", text, in.tokens[i].Value)
		}
	}
}

// TestParameters takes literals that columns are compared with in WHERE, or the first ad-hoc text, and no others.
func TestParameters(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT a FROM b WHERE x = 1":                                   "1",
		"SELECT a FROM b WHERE x = 1 AND (y < 'a' OR NOT z=3)":          "1 a 3",
		"SELECT 2, 'a' FROM b, c WHERE x.y = 1 GROUP BY 1":              "1",
		"SELECT a FROM b WHERE x = 1 LIMIT 5":                           "1",
		"SELECT a FROM b WHERE x = 1 AND x = -1 AND x = 1.5":            "1",
		"SELECT a FROM b WHERE 1 = 1 AND x = 1 AND f(x) = 2":            "1",
		"SELECT a FROM b WHERE x = 1 AND x = 1234567890123456789":       "1",
		"SELECT a FROM b WHERE x = 1 HAVING x = 2":                      "1",
		"SELECT a FROM b WHERE x = 1 UNION SELECT a FROM b WHERE x = 2": "1",
		"SELECT a FROM b WHERE x = $$c$$ AND y = E'd'":                  "c d",
		"SELECT * FROM f(TEXT 'a', 'b') JOIN g(TEXT 'c') ON x = 5":      "a",
		"SELECT a FROM f(TEXT 'a' || b) WHERE x = 1":                    "1",
		"SELECT x = 1 FROM b":                                           "",
		"SELECT a FROM b WHERE x = 1 + 1":                               "",
		"SELECT a FROM b WHERE x = '1'::INTEGER":                        "",
		"SELECT a FROM b WHERE x = DATE '2026-11-21'":                   "",
		"SELECT a FROM b WHERE y + x = 1":                               "",
		"SELECT a FROM b WHERE x = 1 COLLATE \"C\"":                     "",
		"SELECT a FROM b WHERE CASE WHEN x = 1 THEN y END":              "",
		"SELECT a FROM b JOIN c ON x = 1":                               "",
		"SELECT a FROM b WHERE x IN (SELECT y FROM c WHERE z = 1)":      "",
		"SELECT a FROM b WHERE (x = 1) IS TRUE":                         "",
		"SELECT a FROM b WHERE x = 1 AND y IN (2, 3)":                   "",
		"SELECT a FROM b WHERE x = $1 AND y = 2":                        "",
		"DELETE FROM b WHERE x = 1":                                     "",
		"EXPLAIN SELECT a FROM b WHERE x = 1":                           "",
	} {
		in, err := Scan(text)
		if err != nil {
			t.Fatal(err)
		}
		form, err := in.Parse()
		if err != nil {
			t.Fatal(err)
		}
		p := form.Parameters(in)
		got := ""
		if p != nil {
			got = strings.Join(literals(p, in), " ")
			tree, err := form.Parameterise(in, p)
			if err != nil || ast.Parameters(tree) != p.Len() {
				t.Errorf("%s: %s, %v", text, tree, err)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestPlaces finds the place of each token of another statement with the same fingerprint.
func TestPlaces(t *testing.T) {
	a, errA := Scan("SELECT a\nFROM b WHERE é = 'é\nx' AND b = 1 OR\nc = 'long text' LIMIT é")
	b, errB := Scan("SELECT a FROM b\n\nWHERE é='' AND b = 123 OR c = 'ééé' LIMIT é")
	if err := errors.Join(errA, errB); err != nil || !bytes.Equal(a.Fingerprint(), b.Fingerprint()) {
		t.Fatal(err)
	}
	for i := range a.tokens {
		if got, want := b.Positions().Translate(a.Positions(), lex.Position(a.tokens[i].Pos)),
			lex.Position(b.tokens[i].Pos); got != want {
			t.Errorf("%s: %+v, want %+v", a.tokens[i].Value, got, want)
		}
	}
}

// TestPlacesWithinTokens are as far behind the beginning of the token as they were, those before all tokens stay.
func TestPlacesWithinTokens(t *testing.T) {
	from := Positions{{Offset: 2, Line: 1, Col: 3}, {Offset: 9, Line: 1, Col: 10}, {Offset: 20, Line: 3, Col: 2}}
	to := Positions{{Offset: 5, Line: 2, Col: 1}, {Offset: 7, Line: 2, Col: 3}, {Offset: 40, Line: 2, Col: 36}}
	for p, want := range map[ast.Pos]ast.Pos{
		{Offset: 0, Line: 1, Col: 1}:     {Offset: 0, Line: 1, Col: 1},
		{Offset: 2, Line: 1, Col: 3}:     {Offset: 5, Line: 2, Col: 1},
		{Offset: 4, Line: 1, Col: 5}:     {Offset: 7, Line: 2, Col: 3},
		{Offset: 8, Line: 1, Col: 9}:     {Offset: 11, Line: 2, Col: 7},
		{Offset: 12, Line: 1, Col: 13}:   {Offset: 10, Line: 2, Col: 6},
		{Offset: 15, Line: 2, Col: 3}:    {Offset: 13, Line: 2, Col: 3}, // within a text of several lines
		{Offset: 20, Line: 3, Col: 2}:    {Offset: 40, Line: 2, Col: 36},
		{Offset: 120, Line: 3, Col: 102}: {Offset: 140, Line: 2, Col: 136},
	} {
		if got := to.Translate(from, p); got != want {
			t.Errorf("%+v is at %+v, want %+v", p, got, want)
		}
	}
}

// literals are the parameters of a statement.
func literals(p *Parameters, in *Scanned) []string {
	out := make([]string, p.Len())
	for i := range out {
		text, number, isText := p.Value(in, i)
		if out[i] = text; !isText {
			out[i] = strconv.FormatInt(number, 10)
		}
	}
	return out
}

// TestRelease uses the memory of tokens for other statements: trees, literals and places of the first ones stay.
func TestRelease(t *testing.T) {
	const text = "SELECT a, 'x' FROM entities(TEXT 'Ann ' || 7 || ' flew') WHERE b IN (1, 2) AND c = 'é'"
	in, err := Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	in.JoinAdHocText()
	form, err := in.Parse()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := form.Statement(in)
	if err != nil {
		t.Fatal(err)
	}
	want, print, places := printed(t, tree), string(in.Fingerprint()), in.Positions()
	for _, other := range []string{"SELECT 1", "INSERT INTO v VALUES (9, 'nine'), (8, 'eight'), (7, 'seven'), " +
		"(6, 'six')", text, "SHOW MODELS"} {
		in.Release()
		if in, err = Scan(other); err != nil {
			t.Fatal(err)
		}
		if _, err = in.Parse(); err != nil {
			t.Fatal(err)
		}
		if got := printed(t, tree); got != want {
			t.Fatalf("after %s: %s, want %s", other, got, want)
		}
	}
	again, err := Scan(text)
	if err != nil {
		t.Fatal(err)
	}
	again.JoinAdHocText()
	if got := string(again.Fingerprint()); got != print || !slices.Equal(again.Positions(), places) {
		t.Errorf("%q, want %q", got, print)
	}
	second, err := form.Statement(again)
	if err != nil {
		t.Fatal(err)
	}
	if got := printed(t, second); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// printed is a tree as JSON.
func printed(t *testing.T, tree ast.Statement) string {
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Statements returns the statements of testdata.
func Statements(t testing.TB) (out []string) {
	paths, err := filepath.Glob("testdata/statements/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(data), "\n\n") {
			_, input, _ := strings.Cut(block, "\n")
			input, _, _ = strings.Cut(input, "\n----")
			out = append(out, input)
		}
	}
	return out
}
