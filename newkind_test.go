package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newKind is the folder of a kind that is not in the program: the tagger of the example of package tagger,
// and a test of its own.
func newKind(t *testing.T) map[string]string {
	t.Helper()
	example := read(t, "algo/seq/tagger/example_test.go")
	code, _, found := strings.Cut(example, "func TestHasty(")
	for _, change := range [][2]string{
		{"package tagger_test", "// Package hasty learns in one pass.\npackage hasty"},
		{"\t\"os\"\n\t\"strings\"\n\t\"testing\"\n", ""},
		{"\t\"parlance/algo/kindtest\"\n", ""},
		{"func hasty() kind.Kind", "// Kind returns the kind.\nfunc Kind() kind.Kind"},
		{`Doc: "labels tokens after one pass",`, `Doc: "labels tokens after one pass", Learns: "labels, in one pass",`},
	} {
		found = found && strings.Contains(code, change[0])
		code = strings.Replace(code, change[0], change[1], 1)
	}
	if !found {
		t.Fatal("the example of package tagger has changed")
	}
	test := `package hasty

import (
	"testing"

	"parlance/algo/kindtest"
)

func TestKind(t *testing.T) {
	docs := kindtest.Sample(30)
	kindtest.Run(t, kindtest.Case{Kind: Kind(), Train: docs[:20], Test: docs[20:]})
}
`
	return map[string]string{"algo/seq/hasty/hasty.go": code, "algo/seq/hasty/hasty_test.go": test}
}

// TestNewKind: a folder and a line of the list, with its import, are all that a new kind needs. In a copy of the tree a
// kind is added, what is made of declarations is made again, and the tests of the root, of the reference and of every
// kind pass; nothing else has changed.
func TestNewKind(t *testing.T) {
	if os.Getenv("PARLANCE_LARGE") == "" {
		t.Skip("builds the program anew, for some minutes: left out unless PARLANCE_LARGE is set")
	}
	if os.Getenv("PARLANCE_NEW_KIND") != "" {
		t.Skip("this is the copy")
	}
	dir := t.TempDir()
	before := copyTree(t, dir)
	for name, content := range newKind(t) {
		put(t, filepath.Join(dir, name), content)
	}
	list := strings.Replace(read(t, "algo/algo.go"), "\t\"parlance/algo/seq/hmm\"\n",
		"\t\"parlance/algo/seq/hasty\"\n\t\"parlance/algo/seq/hmm\"\n", 1)
	list = strings.Replace(list, "\t\tgec.Kind(),\n", "\t\tgec.Kind(),\n\t\thasty.Kind(),\n", 1)
	put(t, filepath.Join(dir, "algo/algo.go"), list)

	run := func(env string, args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PARLANCE_NEW_KIND=1", env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	run("", "test", "-trimpath", "./algo/seq/hasty")
	run("UPDATE=1", "test", "-trimpath", ".", "-run", "^TestKindsPage$")
	run("", "run", "-trimpath", "./tools/reference")
	run("", "test", "-trimpath", ".")
	run("", "test", "-trimpath", "./tools/reference", "-run", "^TestReferenceIsFresh$")
	run("", "test", "-trimpath", "./db", "-run", "^(TestKindsAreShown|TestEveryKind.*)$/^(hasty)?$")

	var changed []string
	for name, content := range files(t, dir) {
		if !bytes.Equal(before[name], content) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	want := append(slices.Collect(maps.Keys(newKind(t))), "algo/algo.go", "docs/REFERENCE.md", "docs/kinds.md")
	slices.Sort(want)
	if !slices.Equal(changed, want) {
		t.Errorf("changed: %v, want %v", changed, want)
	}
	if page := string(files(t, dir)["docs/kinds.md"]); !strings.Contains(page, "| `hasty` | labels, in one pass |") {
		t.Error("docs/kinds.md does not name the kind")
	}
}

// files are the contents of the files of a tree, but for what git keeps, by name.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		name, err := filepath.Rel(dir, p)
		if err == nil {
			out[filepath.ToSlash(name)], err = os.ReadFile(p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// copyTree copies this tree and returns its files.
func copyTree(t *testing.T, to string) map[string][]byte {
	t.Helper()
	all := files(t, ".")
	for name, content := range all {
		put(t, filepath.Join(to, name), string(content))
	}
	return all
}

func put(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
