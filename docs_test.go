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
		if files = append(files, p); strings.HasSuffix(p, ".go") && !strings.HasPrefix(read(t, p), "//go:build ignore") {
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

// TestPackagesAreListed: docs/internals/packages.md has every package but the folders of kinds, of which it has the
// families.
func TestPackagesAreListed(t *testing.T) {
	_, packages := tree(t)
	house := read(t, "docs/internals/packages.md")
	named := quoted.FindAllStringSubmatch(house, -1)
	kinds := kindPackages(t)
	for p := range packages {
		found := p == "." || p == "algo" || kinds[p] // the program, the list of kinds, and their folders
		for _, m := range named {
			found = found || ends(p, m[1])
		}
		if !found {
			t.Errorf("docs/internals/packages.md lacks %s", p)
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

// TestReadmeNamesKinds: the kinds that the table of README.md names exist, and it names some of each row.
func TestReadmeNamesKinds(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "README.md"), "## What it learns")
	table, _, _ = strings.Cut(table, "\n## ")
	kinds := map[string]bool{}
	for _, k := range algo.Kinds() {
		kinds[k.Name] = true
	}
	rows := 0
	for line := range strings.Lines(table) {
		named := quoted.FindAllStringSubmatch(line, -1)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what for") {
			continue
		}
		if rows++; len(named) == 0 {
			t.Errorf("no kind in %s", line)
		}
		for _, m := range named {
			if !kinds[m[1]] {
				t.Errorf("README.md names a kind %s, which is not there", m[1])
			}
		}
	}
	if rows < 8 {
		t.Errorf("%d rows", rows)
	}
}
