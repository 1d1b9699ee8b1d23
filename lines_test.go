package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestLine is how many characters a line has at most; a tab is one.
const longestLine = 120

// TestLines: lines fit on a screen. What cannot be broken is left out: raw texts, which are tags of fields, tables of
// words and input of tests, and in Markdown tables, addresses and blocks of code.
func TestLines(t *testing.T) {
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "docs/kinds.md", "docs/guide.md",
		"docs/internals/statements.md", "docs/internals/server.md", "docs/internals/storage.md",
		"docs/internals/state.md", "docs/internals/binary.md"} {
		for _, n := range longProse(read(t, name)) {
			t.Errorf("%s:%d has more than %d characters", name, n, longestLine)
		}
	}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		for _, n := range longCode(read(t, p)) {
			t.Errorf("%s:%d has more than %d characters", p, n, longestLine)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// longCode are the numbers of the lines of Go that are too long, without those with raw texts.
func longCode(code string) (out []int) {
	raw := map[int]bool{}
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(code)), []byte(code), nil, 0)
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.STRING && strings.HasPrefix(text, "`") {
			for i := range strings.Count(text, "\n") + 1 {
				raw[set.Position(pos).Line+i] = true
			}
		}
	}
	n := 0
	for line := range strings.Lines(code) {
		if n++; !raw[n] && tooLong(line) {
			out = append(out, n)
		}
	}
	return out
}

// longProse are the numbers of the lines of Markdown that are too long.
func longProse(page string) (out []int) {
	n, code := 0, false
	for line := range strings.Lines(page) {
		n++
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && !strings.HasPrefix(line, "|") && !strings.Contains(line, "://") && tooLong(line) {
			out = append(out, n)
		}
	}
	return out
}

func tooLong(line string) bool {
	return utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > longestLine
}

func TestLinesAreSeen(t *testing.T) {
	long := strings.Repeat("x", longestLine+1)
	code := "package p\n\n// " + long + "\nvar a = `\n" + long + "\n`\n\nvar b = \"" + long + "\"\n"
	if got := longCode(code); len(got) != 2 || got[0] != 3 || got[1] != 8 {
		t.Errorf("code: lines %v", got)
	}
	page := long + "\n| " + long + " |\n```\n" + long + "\n```\nhttps://" + long + "\n" +
		strings.Repeat("ö", longestLine) + "\n" + long
	if got := longProse(page); len(got) != 2 || got[0] != 1 || got[1] != 8 {
		t.Errorf("prose: lines %v", got)
	}
}
