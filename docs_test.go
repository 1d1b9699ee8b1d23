package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parlance/algo"
	"parlance/query/lex"
)

// tree lists the files of the module by path, with slashes, and the folders that have Go code.
func tree(t *testing.T) (files []string, packages map[string]bool) {
	t.Helper()
	packages = map[string]bool{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == "." {
			return err
		}
		if p = filepath.ToSlash(p); d.IsDir() {
			if p == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if files = append(files, p); strings.HasSuffix(p, ".go") {
			packages[path.Dir(p)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, packages
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	quoted   = regexp.MustCompile("`([^`\n]+)`")
	fileName = regexp.MustCompile(`^[\w./*-]+\.(go|md|sql|test)$`)
	link     = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// ends reports whether a path is name, or ends with it after a slash; name may be a pattern.
func ends(p, name string) bool {
	n := strings.Count(name, "/") + 1
	parts := strings.Split(p, "/")
	if len(parts) < n {
		return false
	}
	ok, err := path.Match(name, strings.Join(parts[len(parts)-n:], "/"))
	return err == nil && ok
}

// TestArchitectureNamesPackages: the table of ARCHITECTURE.md has every package.
func TestArchitectureNamesPackages(t *testing.T) {
	_, packages := tree(t)
	house, _, ok := strings.Cut(read(t, "ARCHITECTURE.md"), "`imports_test.go` holds the table")
	if !ok {
		t.Fatal("the table has no end")
	}
	named := quoted.FindAllStringSubmatch(house, -1)
	for p := range packages {
		found := p == "." || p == "algo" // the program, and the list of kinds
		for _, m := range named {
			found = found || ends(p, m[1])
		}
		if !found {
			t.Errorf("the table lacks %s", p)
		}
	}
}

// TestDocsNameFiles: files that texts name, and those that they link to, exist.
func TestDocsNameFiles(t *testing.T) {
	files, _ := tree(t)
	for _, doc := range files {
		if !strings.HasSuffix(doc, ".md") || doc == "docs/REFERENCE.md" {
			continue
		}
		text := read(t, doc)
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			found := !fileName.MatchString(m[1]) || path.Base(m[1]) == "NAME.md"
			for _, f := range files {
				found = found || ends(f, m[1])
			}
			if !found {
				t.Errorf("%s names %s, which is not there", doc, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), m[1])); err != nil {
				t.Errorf("%s: %v", doc, err)
			}
		}
	}
}

// TestGuideStatements: the statements of docs/guide.md are ones of the language.
func TestGuideStatements(t *testing.T) {
	blocks := strings.Split(read(t, "docs/guide.md"), "```sql\n")[1:]
	if len(blocks) == 0 {
		t.Error("there are none")
	}
	for _, b := range blocks {
		script, _, _ := strings.Cut(b, "```")
		if _, err := lex.Script(script); err != nil {
			t.Errorf("%v in\n%s", err, script)
		}
	}
}

// kindRow is a row of docs/kinds.md: a kind, and what it learns.
var kindRow = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| [^|]{10,} \\| [^|]*\\|$")

// TestReadmeNamesKinds: the table of README.md names each kind.
func TestReadmeNamesKinds(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "README.md"), "## What it learns")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, k := range algo.Kinds() {
		if n := strings.Count(table, "`"+k.Name+"`"); n != 1 {
			t.Errorf("the table of README.md names %s %d times", k.Name, n)
		}
	}
}

// TestKindsPage: docs/kinds.md has one row for each kind, and no row that is something else.
func TestKindsPage(t *testing.T) {
	page := read(t, "docs/kinds.md")
	rows := map[string]int{}
	for _, m := range kindRow.FindAllStringSubmatch(page, -1) {
		rows[m[1]]++
	}
	for _, k := range algo.Kinds() {
		if rows[k.Name] != 1 {
			t.Errorf("docs/kinds.md has %d rows of %s", rows[k.Name], k.Name)
		}
		delete(rows, k.Name)
	}
	for name := range rows {
		t.Errorf("docs/kinds.md tells of a kind %s, which is not there", name)
	}
	if lines := strings.Count(page, "\n| `"); lines != len(algo.Kinds()) {
		t.Errorf("docs/kinds.md has %d lines of kinds for %d kinds", lines, len(algo.Kinds()))
	}
}
