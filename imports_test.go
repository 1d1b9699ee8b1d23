package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers is the one-way import table: a package may import the packages whose path starts
// with one of its entries, and the standard library. The longest matching key counts.
var layers = map[string][]string{
	"":                      {"repl"},
	"db":                    {"query", "storage", "algo"},
	"db/bench":              {"db", "storage", "algo", "github.com/jackc/pgx/v5/pgproto3", "gonum.org/v1/gonum"},
	"server/auth":           {"db", "github.com/jackc/pgx/v5/pgproto3", "github.com/xdg-go/scram"},
	"server/secure":         {"github.com/xdg-go/scram"},
	"server":                {"server/auth", "server/secure", "db", "storage/value", "github.com/jackc/pgx/v5/pgproto3", "golang.org/x/sys/unix"},
	"server/observe":        {"db", "github.com/prometheus/client_golang"},
	"db/driver":             {"db", "algo/option", "storage/value"},
	"db/languagetest":       {"db", "query/ast", "query/parse", "algo/kind", "algo/kindtest", "algo/testtime", "storage/value", "github.com/cockroachdb/datadriven"},
	"repl":                  {"repl/remote", "db", "algo/option", "server", "query/parse", "query/ast", "storage/value", "github.com/jedib0t/go-pretty", "github.com/reeflective/readline", "github.com/clipperhouse/uax29", "golang.org/x/term", "github.com/alecthomas/kong"},
	"repl/remote":           {"db", "storage/value", "github.com/jackc/pgx/v5"},
	"query/ast":             nil,
	"query/meter":           nil,
	"query/parse":           {"query/ast", "algo/edit", "github.com/alecthomas/participle"},
	"query/fn":              {"algo/edit", "storage/value", "algo/option", "golang.org/x/text"},
	"query/expr":            {"query/ast", "query/fn", "storage/value"},
	"query/plan":            {"query/ast", "query/expr", "query/fn", "algo/kind", "algo/option", "algo/text", "algo/extract", "storage"},
	"query/exec":            {"query/ast", "query/expr", "query/fn", "query/meter", "query/plan", "algo/kind", "algo/option", "algo/text", "algo/segment", "algo/feature", "algo/gazetteer", "algo/extract", "algo/metrics", "algo/check", "algo/logic", "storage"},
	"storage":               {"storage/recent", "storage/value", "storage/verifier", "storage/files", "storage/fulltext", "algo/text", "go.etcd.io/bbolt", "github.com/klauspost/compress"},
	"storage/recent":        nil,
	"storage/value":         nil,
	"storage/value/pg":      {"storage/value"},
	"storage/files":         nil,
	"storage/verifier":      {"github.com/xdg-go/stringprep"},
	"storage/fulltext":      nil,
	"storage/format":        {"storage/value", "storage/files", "storage/format/draw", "algo/text", "algo/option", "github.com/klauspost/compress", "golang.org/x/net/html", "golang.org/x/text"},
	"storage/format/draw":   {"golang.org/x/text"},
	"algo":                  {"algo"},
	"algo/kind":             {"algo/text", "algo/option", "algo/metrics", "storage/value"},
	"algo/edit":             nil,
	"algo/option":           {"algo/edit", "storage/value"},
	"algo/text":             {"storage/value"},
	"algo/check":            {"algo/buffer", "algo/text", "algo/option", "storage/value"},
	"algo/segment":          {"algo/option", "github.com/clipperhouse/uax29"},
	"algo/metrics":          {"algo/text", "algo/agreement", "algo/significance", "algo/treebank"},
	"algo/agreement":        nil,
	"algo/ranking":          {"algo/metrics"},
	"algo/selection":        nil,
	"algo/significance":     nil,
	"algo/fastexp":          nil,
	"algo/buffer":           nil,
	"algo/crew":             nil,
	"algo/optimize":         nil,
	"algo/chain":            {"algo/buffer", "algo/fastexp", "algo/optimize"},
	"algo/gazetteer":        nil,
	"algo/extract":          {"algo/gazetteer", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/feature":          {"algo/kind", "algo/option", "algo/text"},
	"algo/bio":              {"algo/text", "algo/chain"},
	"algo/realdata":         {"storage/value"},
	"algo/kindtest":         {"algo/kind", "algo/option", "algo/text", "algo/metrics", "storage/value"},
	"algo/tagger":           {"algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value", "gonum.org/v1/gonum"},
	"algo/history":          {"algo/buffer", "algo/tagger", "algo/chain", "algo/feature", "algo/kind"},
	"algo/crf":              {"algo/tagger", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/logistic":         {"algo/buffer", "algo/chain", "algo/optimize"},
	"algo/maxent":           {"algo/tagger", "algo/history", "algo/logistic", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/nonlocal":         {"algo/buffer", "algo/history", "algo/tagger", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/perceptron":       {"algo/tagger", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/hmm":              {"algo/buffer", "algo/tagger", "algo/bio", "algo/chain", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/svmtagger":        {"algo/svm/machines", "algo/svm/solver", "algo/history", "algo/tagger", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/svm":              {"algo/svm/machines", "algo/svm/solver", "algo/tagger", "algo/bio", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/svm/machines":     {"algo/svm/solver", "algo/tagger", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/svm/solver":       nil,
	"algo/mrlsa":            {"algo/lowrank", "algo/ranking", "algo/selection", "algo/kind", "algo/option", "algo/text", "algo/metrics", "storage/value", "gonum.org/v1/gonum"},
	"algo/transe":           {"algo/triples", "algo/kind", "algo/option", "gonum.org/v1/gonum"},
	"algo/universalschema":  {"algo/triples", "algo/kind", "algo/option"},
	"algo/fusion":           {"algo/triples", "algo/kind", "algo/metrics", "algo/option", "algo/text", "storage/value"},
	"algo/triples":          {"algo/ranking", "algo/kind", "algo/metrics", "algo/option", "algo/text", "storage/value"},
	"algo/lowrank":          {"gonum.org/v1/gonum"},
	"algo/brown":            {"algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/lexical":          nil,
	"algo/logic":            {"algo/option"},
	"algo/logicembedding":   {"algo/buffer", "algo/logic", "algo/kind", "algo/metrics", "algo/option", "algo/text", "storage/value"},
	"algo/cooccurrence":     {"algo/kind", "storage/value"},
	"algo/similarity":       {"algo/cooccurrence", "algo/lexical", "algo/ranking", "algo/selection", "algo/metrics", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/latentclasses":    {"algo/cooccurrence", "algo/lexical", "algo/kind", "algo/metrics", "algo/optimize", "algo/option", "algo/text", "storage/value"},
	"algo/contexts":         {"algo/cooccurrence", "algo/treebank", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/subtrees":         {"algo/lexical", "algo/treebank", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/tensor":           {"gonum.org/v1/gonum"},
	"algo/treebank":         {"algo/text"},
	"algo/tree":             {"algo/buffer", "algo/fastexp"},
	"algo/tree/chart":       {"algo/buffer", "algo/tree"},
	"algo/tree/dual":        {"algo/buffer", "algo/tree"},
	"algo/tree/treetest":    {"algo/tree"},
	"algo/transition":       {"algo/buffer", "algo/tree", "algo/kind", "algo/option", "algo/text"},
	"algo/depparser":        {"algo/buffer", "algo/lexical", "algo/tree", "algo/treebank", "algo/kind", "algo/option", "algo/optimize", "algo/text", "storage/value"},
	"algo/lookahead":        {"algo/buffer", "algo/treebank", "algo/tagger", "algo/transition", "algo/bio", "algo/chain", "algo/feature", "algo/kind", "algo/option", "algo/text", "storage/value"},
	"algo/pairrelation":     {"algo/agreement", "algo/edit", "algo/chain", "algo/logistic", "algo/metrics", "algo/kind", "algo/option", "algo/text", "storage/value", "golang.org/x/text"},
	"algo/trescal":          {"algo/tensor", "algo/triples", "algo/kind", "algo/option", "gonum.org/v1/gonum"},
	"algo/transitionparser": {"algo/buffer", "algo/crew", "algo/treebank", "algo/transition", "algo/tree", "algo/kind", "algo/option", "algo/text", "storage/value"},
}

// testOnly are libraries that tests may use anywhere.
var testOnly = []string{"github.com/cockroachdb/datadriven", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "go.uber.org/goleak", "pgregory.net/rapid"}

func TestImportsGoOneWay(t *testing.T) {
	files := 0
	used := map[[2]string]bool{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(p))
		if pkg == "." {
			pkg = ""
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			key, prefix, ok := allowed(pkg, name)
			if !ok {
				t.Errorf("%s imports %s", p, name)
			}
			used[[2]string{key, prefix}] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, prefixes := range layers {
		for _, prefix := range prefixes {
			if !used[[2]string{key, prefix}] {
				t.Errorf("%q may import %s, and does not", key, prefix)
			}
		}
	}
	if files < 50 {
		t.Errorf("only %d files seen", files)
	}
}

// allowed reports whether the table lets a package import another, and by which entry.
func allowed(pkg, name string) (key, prefix string, ok bool) {
	first, _, _ := strings.Cut(name, "/")
	if !strings.Contains(first, ".") && first != "parlance" {
		return "", "", true // standard library
	}
	name = strings.TrimPrefix(name, "parlance/")
	key = pkg
	for layers[key] == nil && key != "" {
		if _, ok := layers[key]; ok {
			break
		}
		if key = path.Dir(key); key == "." {
			key = ""
		}
	}
	for _, prefix = range layers[key] {
		if name == prefix || strings.HasPrefix(name, prefix+"/") {
			return key, prefix, true
		}
	}
	return key, "", false
}

func TestImportTableRefuses(t *testing.T) {
	for _, c := range [][2]string{{"storage", "parlance/query/plan"}, {"algo/crf", "parlance/storage"}, {"algo/crf", "parlance/algo/maxent"}, {"query/parse", "parlance/query/plan"}, {"storage/value", "go.etcd.io/bbolt"}} {
		if _, _, ok := allowed(c[0], c[1]); ok {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
	for _, l := range testOnly {
		if _, _, ok := allowed("storage", l); ok {
			t.Errorf("storage may import %s outside tests", l)
		}
	}
}
