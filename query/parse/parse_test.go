package parse_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parlance/algo/testutil/testtime"
	"parlance/query/ast"
	"parlance/query/lex"
	"parlance/query/parse"
)

// withoutPlaces compares trees but not where their nodes stand.
var withoutPlaces = cmpopts.IgnoreTypes(ast.Pos{}, []ast.Pos{})

// TestStatements runs testdata: "parse" shows the canonical text of a
// statement, "tree" its tree, both or the error. What parses also has to
// survive printing.
func TestStatements(t *testing.T) {
	datadriven.Walk(t, "testdata/statements", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s, err := parse.Parse(d.Input)
			if err != nil {
				var fault *ast.Error
				if !errors.As(err, &fault) {
					d.Fatalf(t, "%T is not an *ast.Error", err)
				}
				return "error " + fault.Code + ": " + fault.Error() + "\n"
			}
			checkRoundTrip(t, s)
			if d.Cmd == "tree" {
				return dump(reflect.ValueOf(s)) + "\n"
			}
			return s.String() + "\n"
		})
	})
}

// checkRoundTrip checks that the text of s parses to an equal tree.
func checkRoundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, s ast.Statement) {
	t.Helper()
	text := s.String()
	again, err := parse.Parse(text)
	if err != nil {
		t.Fatalf("printed as %s: %v", text, err)
	}
	if diff := cmp.Diff(s, again, withoutPlaces); diff != "" {
		t.Fatalf("printed as %s, which differs:\n%s", text, diff)
	}
}

// dump writes a tree as Type{field: value …} without places and zero values.
func dump(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return dump(v.Elem())
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, dump(v.Index(i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if v.Field(i).Type() != reflect.TypeFor[ast.Pos]() && !v.Field(i).IsZero() {
				fields = append(fields, v.Type().Field(i).Name+": "+dump(v.Field(i)))
			}
		}
		return v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
	default:
		return fmt.Sprintf("%#v", v.Interface())
	}
}

// TestPositions checks that nodes know where they start: lines and columns in
// characters, offsets in bytes.
func TestPositions(t *testing.T) {
	s, err := parse.Parse("SELECT 'é', a + b\n  FROM docs -- é\n WHERE f(x) > $1;")
	if err != nil {
		t.Fatal(err)
	}
	q := s.(*ast.Select)
	where := q.Where.(*ast.Binary)
	for _, test := range []struct {
		what string
		got  ast.Pos
		want ast.Pos
	}{
		{"sum", q.Items[1].Expr.Position(), ast.Pos{Line: 1, Col: 13, Offset: 13}},
		{"right operand", q.Items[1].Expr.(*ast.Binary).Y.Position(), ast.Pos{Line: 1, Col: 17, Offset: 17}},
		{"table", q.From[0].Position(), ast.Pos{Line: 2, Col: 8, Offset: 26}},
		{"call", where.X.Position(), ast.Pos{Line: 3, Col: 8, Offset: 44}},
		{"parameter", where.Y.Position(), ast.Pos{Line: 3, Col: 15, Offset: 51}},
	} {
		if test.got != test.want {
			t.Errorf("%s: at %+v, want %+v", test.what, test.got, test.want)
		}
	}
}

// TestLimits checks that what would exhaust the stack is refused, and that what
// is just allowed still prints and parses.
func TestLimits(t *testing.T) {
	nested := func(open, inner, end string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for _, test := range []struct{ name, text, code string }{
		{"parentheses", nested("(", "1", ")", lex.MaxNesting), ""},
		{"too many parentheses", nested("(", "1", ")", lex.MaxNesting+1), ast.CodeTooComplex},
		{"open parentheses", nested("(", "", "", 1<<20), ast.CodeTooComplex},
		{"parentheses beside others", nested("(", "(1) + (CASE WHEN a THEN 1 END)", ")", lex.MaxNesting-2), ""},
		{"too many after others", "SELECT (1), [2], CASE WHEN a THEN 1 END, " + nested("(", "(1) + (((1)))", ")",
			lex.MaxNesting-2)[len("SELECT "):], ast.CodeTooComplex},
		{"many beside each other", nested("(1), ", "1", "", 2*lex.MaxNesting), ""},
		{"more ends than beginnings", "SELECT )" + strings.Repeat("(", lex.MaxNesting+1), ast.CodeTooComplex},
		{"cases", nested("CASE WHEN a THEN ", "1", " END", lex.MaxNesting), ""},
		{"too many cases", nested("CASE WHEN a THEN ", "1", " END", lex.MaxNesting+1), ast.CodeTooComplex},
		{"selects", nested("(SELECT ", "1", ")", lex.MaxNesting), ""},
		{"sum", nested("1 + ", "1", "", lex.MaxDepth-1), ""},
		{"too long a sum", nested("1 + ", "1", "", lex.MaxDepth), ast.CodeTooComplex},
		{"too many signs", nested("- ", "a", "", lex.MaxDepth), ast.CodeTooComplex},
		{"too many NOT", nested("a = NOT ", "a", "", lex.MaxDepth), ast.CodeTooComplex},
		{"nested sums", nested("("+strings.Repeat("1 + ", 1000), "1", ")", 100), ast.CodeTooComplex},
		{"too many casts", "SELECT a" + strings.Repeat("::text", lex.MaxDepth+1), ast.CodeTooComplex},
		{"too many joins", "SELECT * FROM a" + strings.Repeat(" JOIN b", lex.MaxDepth+1), ast.CodeTooComplex},
		{"long list", "SELECT a IN (1" + strings.Repeat(", 1", 2*lex.MaxDepth) + ")", ""},
		{"too long a list", "SELECT a IN (1" + strings.Repeat(", 1", lex.MaxTokens/2) + ")", ast.CodeTooComplex},
		{"too long", "SELECT '" + strings.Repeat("x", lex.MaxBytes) + "'", ast.CodeTooLong},
		{"not UTF-8", "SELECT '\xff'", ast.CodeNotText},
		{"character 0", "SELECT '\x00'", ast.CodeNotText},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := parse.Parse(test.text)
			var fault *ast.Error
			switch {
			case errors.As(err, &fault) && fault.Code == test.code:
			case err != nil || test.code != "":
				t.Fatalf("error %v, want code %q", err, test.code)
			default:
				if _, err := parse.Parse(s.String()); err != nil {
					t.Fatalf("printed, it does not parse: %v", err)
				}
			}
		})
	}
}

func TestEBNF(t *testing.T) {
	grammar := parse.EBNF()
	for _, production := range []string{"Script = Statement", "TrainStatement = \"TRAIN\"",
		"Expression = (Run | Operand) Operation*"} {
		if !strings.Contains(grammar, production) {
			t.Errorf("the grammar lacks %s", production)
		}
	}
}

// TestNextOfLongTexts: nothing is known behind more than 150 tokens.
func TestNextOfLongTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1" + strings.Repeat(", 1", 74):           true, // 150 tokens
		"SELECT - 1" + strings.Repeat(", 1", 74):         false,
		"SELECT '" + strings.Repeat("long ", 1000) + "'": true,
	} {
		if words, _ := parse.Next(text); slices.Contains(words, "FROM") != want {
			t.Errorf("%.20s… of %d bytes is followed by %q, FROM among it: want %v", text, len(text), words, want)
		}
	}
}

func TestNext(t *testing.T) {
	for _, test := range []struct {
		text  string
		words []string
		name  bool
	}{
		{"ALTER CORPUS docs ", []string{"ADD", "DROP", "RENAME"}, false},
		{"TRAIN crf ", []string{"AS", "ON"}, false},
		{"TRAIN crf ON ", nil, true},
		{"SELECT a FROM docs JOIN b ON a = b ORDER ", []string{"BY"}, false},
		{"SELECT a )", nil, false},
	} {
		words, name := parse.Next(test.text)
		if !cmp.Equal(words, test.words) || name != test.name {
			t.Errorf("after %s: %v, name %v, want %v, name %v", test.text, words, name, test.words, test.name)
		}
	}
}

// BenchmarkParse measures statements from text to tree: new ones, which participle parses, and ones whose template is
// known. It reports processor time, for the clock says little on a machine that does other work.
func BenchmarkParse(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"select", "SELECT text, label, count(*) AS n FROM docs.entities WHERE split = 'dev' GROUP BY 1, 2 ORDER BY 3"},
		{"point", "SELECT id, text FROM docs WHERE id = 'd17'"},
		{"update", "UPDATE people SET born = born + 1 WHERE id = 17"},
		{"insert", "INSERT INTO notes (note, id) VALUES ('a note', 17)"},
		{"call", "SELECT text, label FROM entities(TEXT 'w w w' || 17 || ' ' || 'w w') USING ner"},
		{"train",
			"TRAIN crf AS ner ON docs WHERE split = 'train' VALIDATE ON docs WHERE split = 'dev' WITH (l2 = 2.0)"},
		{"insert1000", "INSERT INTO docs (id, text) VALUES ('a', 1.5)" + strings.Repeat(", ('a', 1.5)", 999)},
		{"in200000", "SELECT text FROM docs WHERE x IN (1" + strings.Repeat(", 12", 199_999) + ")"},
		{"error", "SELECT text, label FROM docs.entities WERE split = 'dev'"},
	} {
		b.Run(bench.name+"/new", func(b *testing.B) {
			begun := testtime.Processor(b)
			for b.Loop() {
				_, _ = parse.Parse(bench.text)
			}
			b.ReportMetric((testtime.Processor(b)-begun)*1e9/float64(b.N), "cpu-ns/op")
		})
		in, err := parse.Scan(bench.text)
		if err != nil {
			b.Fatal(err)
		}
		template, err := in.Parse()
		if err != nil {
			continue // a template is of a statement without errors
		}
		b.Run(bench.name+"/known", func(b *testing.B) {
			begun := testtime.Processor(b)
			for b.Loop() {
				in, err := parse.Scan(bench.text)
				if err != nil {
					b.Fatal(err)
				}
				_ = in.Fingerprint()
				if _, err := template.Statement(in); err != nil {
					b.Fatal(err)
				}
				in.Release()
			}
			b.ReportMetric((testtime.Processor(b)-begun)*1e9/float64(b.N), "cpu-ns/op")
		})
	}
}
