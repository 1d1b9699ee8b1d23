package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parlance/db/manual"
	tree "parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/fn/builtin"
	"parlance/query/parse"
	"parlance/query/relation"
	"parlance/storage/format"
)

// Whether examples run is tested by TestReferenceIsFresh.
func TestEveryFunctionHasAnExample(t *testing.T) {
	table, err := builtin.NewTable()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range table.Scalars() {
		if !strings.Contains(f.Example, f.Name+"(") {
			t.Errorf("function %s has no Example: give its entry in query/fn one, an expression that calls %s(…)",
				f.Name, f.Name)
		}
	}
	calls := func(what, name, example string) {
		if !strings.Contains(example, name+"(") || !strings.HasPrefix(example, "SELECT ") {
			t.Errorf("%s %s has no Example: give its entry in query/fn one, a SELECT over vocab (word, pos, n) that calls %s(…)",
				what, name, name)
		}
	}
	for _, a := range table.Aggregates() {
		calls("aggregate", a.Name, a.Example)
	}
	for _, w := range table.Windows() {
		calls("window function", w.Name, w.Example)
	}
}

// statementTypes are the types of query/ast that have the method statement.
func statementTypes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "query", "ast", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var out []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv == nil || fd.Name.Name != "statement" {
				continue
			}
			if star, ok := fd.Recv.List[0].Type.(*ast.StarExpr); ok {
				out = append(out, star.X.(*ast.Ident).Name)
			}
		}
	}
	return out
}

func TestEveryStatementHasAnExample(t *testing.T) {
	ran := map[string]bool{}
	for _, s := range wholeManual(t).statements {
		ran[reflect.TypeOf(s).Elem().Name()] = true
	}
	for _, name := range statementTypes(t) {
		if !ran[name] {
			t.Errorf("statement ast.%s has no example: add a section with a block sql to a chapter in db/manual", name)
		}
	}
}

// sqlOf is the text of the examples of all chapters.
func sqlOf(t *testing.T) string {
	t.Helper()
	list, err := manual.Chapters(".")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range list {
		for _, b := range c.Blocks {
			if b.Kind == "sql" {
				out.WriteString(b.Text)
			}
		}
	}
	return out.String()
}

// absent are keywords of the grammar that no example holds: those of statements that nothing runs
// yet, and those that the grammar names to tell what cannot stand there.
var absent = []string{"KB", "USER", "FULL", "NATURAL", "RIGHT", "BINARY", "PRIOR", "LAST", "BACKWARD",
	"GROUPING", "SETS"}

func TestEveryKeywordHasAnExample(t *testing.T) {
	used := map[string]bool{}
	for _, w := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(sqlOf(t), -1) {
		used[strings.ToUpper(w)] = true
	}
	for _, m := range regexp.MustCompile(`"([A-Z]+)"`).FindAllStringSubmatch(parse.EBNF(), -1) {
		if k := m[1]; !used[k] && !slices.Contains(absent, k) {
			used[k] = true
			t.Errorf("keyword %s of the grammar is in no example: show it in a block sql of a chapter in db/manual", k)
		}
	}
}

func TestEveryTableFunctionHasAnExample(t *testing.T) {
	text := sqlOf(t)
	var names []string
	for _, f := range bind.TableFunctions {
		names = append(names, f.Name)
	}
	for _, f := range relation.CorpusFunctions() {
		names = append(names, f.Name)
	}
	for _, n := range names {
		if !strings.Contains(text, "FROM "+n+"(") {
			t.Errorf("table function %s has no example: add a section with FROM %s(…) to a chapter in db/manual", n, n)
		}
	}
}

// Reading and writing is what the statements of an example do; that they do it without an error
// is tested by running them.
func TestEveryFormatHasAnExample(t *testing.T) {
	reads, writes := map[string]bool{}, map[string]bool{}
	for _, s := range wholeManual(t).formats {
		switch s := s.(type) {
		case *tree.Load:
			reads[s.Format] = true
		case *tree.CopyFrom:
			reads[s.Format] = true
		case *tree.CopyTo:
			writes[s.Format] = true
		}
	}
	known := map[string]bool{}
	for _, f := range format.List() {
		known[f.Name] = true
		if f.Reads() && !reads[f.Name] {
			t.Errorf("format %s has no example that reads it: add a block file and a LOAD or COPY … FROM … FORMAT %s to "+
				"db/manual/formats/%s.md", f.Name, f.Name, f.Name)
		}
		if f.Writes() && !writes[f.Name] {
			t.Errorf("format %s has no example that writes it: add a COPY … FORMAT %s to db/manual/formats/%s.md", f.Name,
				f.Name, f.Name)
		}
	}
	list, err := manual.Chapters("formats")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if name := strings.TrimSuffix(filepath.Base(c.Name), ".md"); !known[name] {
			t.Errorf("db/manual/%s: there is no format %s", c.Name, name)
		}
	}
}

func TestManualFaults(t *testing.T) {
	for md, want := range map[string]string{
		"a\n```sql\nSELECT 1;\n":         "line 2: this block has no end",
		"```sql loud\nSELECT 1;\n```\n":  `line 1: a block sql is quiet, error, data or args […], not "loud"`,
		"```sql args x\nSELECT $1;\n```": "line 1: invalid character 'x' looking for beginning of value",
	} {
		if _, err := manual.Cut(md); err == nil || err.Error() != want {
			t.Errorf("%q: %v", md, err)
		}
	}
	e, err := newExamples(root)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for _, c := range []struct {
		b    manual.Block
		want string
	}{
		{manual.Block{Kind: "sql", Line: 5, Text: "SELECT 1;\nSELECT nothing;\n"},
			"line 6: unknown column nothing (line 1, column 8) in SELECT nothing"},
		{manual.Block{Kind: "sql", Mode: "error", Line: 2, Text: "SELECT 1;\n"}, "line 2: this should fail: SELECT 1"},
	} {
		if _, err := e.block(t.Context(), c.b); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", c.b.Text, err)
		}
	}
}

func TestContents(t *testing.T) {
	got := contents("## A b, C\n```\n## no\n```\n### x\n### x\n# no\n#### no\n")
	if want := "- [A b, C](#a-b-c)\n  - [x](#x)\n  - [x](#x-1)\n"; got != want {
		t.Error(got)
	}
}
