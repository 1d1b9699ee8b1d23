package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/algo"
	"parlance/algo/kind"
)

// sections are those of docs/kinds.md: a heading, the families of algo/ whose kinds stand below it, and a note.
var sections = []struct {
	heading  string
	families []string
	note     string
}{
	{"Words, labels and spans of sentences", []string{"seq"},
		"The figures are F1 of CoNLL-2000 chunks where nothing else is told."},
	{"Documents", []string{"classify"}, ""},
	{"Trees, predicates and their arguments", []string{"parse"}, ""},
	{"Coreference and records", []string{"coref", "resolve"}, ""},
	{"Knowledge bases", []string{"kb"}, ""},
	{"Word meaning", []string{"lexical"}, ""},
	{"Knowledge from parsed text", []string{"acquire"}, ""},
	{"Question answering, definitions, paraphrases", []string{"answer"}, ""},
	{"Two languages", []string{"bitext"}, ""},
	{"Error correction", []string{"correct"}, ""},
}

const kindsIntroduction = `# Kinds of model

A kind is an algorithm that ` + "`TRAIN`" + ` can run. ` + "`SHOW KINDS`" + ` lists them, ` + "`DESCRIBE KIND crf`" + ` shows the options of one, and
[REFERENCE.md](REFERENCE.md) has a page for each. Commands and further figures are in the files ` + "`RESULTS.md`" + ` under
` + "`algo/`" + `; [systems.md](systems.md) tells which paper is which kind. This page is made from what the kinds declare:
` + "`UPDATE=1 go test . -run TestKindsPage`" + ` writes it.
`

// kindFolders are the folders below algo/ that declare a kind, by the name of the kind: seq/crf declares crf.
func kindFolders(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("algo/*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if name := declaredKind(n); name != "" {
				out[name] = strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "algo/")
			}
			return true
		})
	}
	return out
}

// declaredKind is the name in kind.Kind{Name: "…"}; "" for other nodes.
func declaredKind(n ast.Node) string {
	lit, ok := n.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	if s, ok := lit.Type.(*ast.SelectorExpr); !ok || s.Sel.Name != "Kind" {
		return ""
	}
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := pair.Key.(*ast.Ident)
		value, isText := pair.Value.(*ast.BasicLit)
		if isName && isText && key.Name == "Name" {
			name, err := strconv.Unquote(value.Value)
			if err == nil {
				return name
			}
		}
	}
	return ""
}

// kindsPage is docs/kinds.md as the kinds declare it.
func kindsPage(t *testing.T) string {
	t.Helper()
	folders, shown := kindFolders(t), 0
	b := &strings.Builder{}
	b.WriteString(kindsIntroduction)
	for _, s := range sections {
		fmt.Fprintf(b, "\n## %s\n\n", s.heading)
		if s.note != "" {
			b.WriteString(s.note + "\n\n")
		}
		b.WriteString("| kind | learns | figures |\n|---|---|---|\n")
		kinds := algo.Kinds()
		slices.SortFunc(kinds, func(a, b kind.Kind) int { return strings.Compare(a.Name, b.Name) })
		for _, k := range kinds {
			family, _, _ := strings.Cut(folders[k.Name], "/")
			if !slices.Contains(s.families, family) {
				continue
			}
			shown++
			if k.Learns == "" || strings.ContainsAny(k.Learns+k.Figures, "|\n") {
				t.Errorf("kind %s: Learns says what it learns, and Learns and Figures fit into cells of a table", k.Name)
			}
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", k.Name, k.Learns, k.Figures)
		}
	}
	if n := len(algo.Kinds()); shown != n {
		t.Errorf("%d of %d kinds are in a family of a section", shown, n)
	}
	return b.String()
}

// TestKindsPage: docs/kinds.md is what the kinds declare.
func TestKindsPage(t *testing.T) {
	want := kindsPage(t)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile("docs/kinds.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, "docs/kinds.md") != want {
		t.Error("docs/kinds.md is not what the kinds declare: UPDATE=1 go test . -run TestKindsPage writes it")
	}
}
