package db_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parlance/db"
)

// TestErrorsHaveCodes runs into every group of errors.
func TestErrorsHaveCodes(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ann.')")
	for _, tc := range []struct{ statement, code, message string }{
		{"", "42601", ""},
		{"SELECT 1 +", "42601", ""},
		{"SELECT 1; SELECT 2", "42601", ""},
		{"SELECT '\xff'", "22021", ""},
		{"SELECT '\x00'", "22021", ""},
		{"SELECT " + strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201), "54001", ""},
		{"SELECT 1 / (length(id) - 1) FROM docs", "22012", "division by zero"},
		{"SELECT nope FROM docs", "42703", "unknown column nope"},
		{"SELECT * FROM nope", "42P01", "there is no table nope"},
		{"DROP CORPUS nope", "42704", "there is no corpus nope"},
		{"CREATE CORPUS docs", "42710", ""},
		{"SELECT nope(1)", "42883", ""},
		{"SELECT 1 + 'a'", "42804", ""},
		{"SELECT id, count(*) FROM docs", "42803", ""},
		{"INSERT INTO docs (id, text) VALUES ('a', 'Bob.')", "23505", ""},
		{"LOAD 'there/is/no/file' INTO docs FORMAT conllu", "58P01", ""},
		{"TRAIN nope ON docs", "42704", ""},
		{"TRAIN crf ON docs WITH (iterations = 0.5)", "22023", ""},
		{"EVALUATE nope ON docs", "42704", ""},
	} {
		_, err := c.Exec(context.Background(), tc.statement)
		var e *db.Error
		if !errors.As(err, &e) {
			t.Errorf("%q gives %v", tc.statement, err)
			continue
		}
		if e.Code != tc.code || !strings.Contains(e.Message, tc.message) || e.Message == "" {
			t.Errorf("%q gives %s: %s, want %s: %s", tc.statement, e.Code, e.Message, tc.code, tc.message)
		}
		if (e.Line > 0) != (e.Column > 0) || e.Offset < 0 || e.Offset > len(tc.statement) {
			t.Errorf("%q has place %d:%d, offset %d", tc.statement, e.Line, e.Column, e.Offset)
		}
		if e.Line > 0 && !strings.Contains(err.Error(), "line") || e.Hint != "" && !strings.Contains(err.Error(), e.Hint) {
			t.Errorf("%q reads %q", tc.statement, err)
		}
	}
}

// TestOpenFails with the code of the cause.
func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database. ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path string
		o    db.Options
		code string
		is   error
	}{
		{filepath.Join(dir, "no", "folder"), db.Options{}, "58P01", fs.ErrNotExist},
		{filepath.Join(dir, "missing"), db.Options{ReadOnly: true}, "58P01", fs.ErrNotExist},
		{text, db.Options{}, "58P01", nil},
		{dir, db.Options{}, "", nil},
	} {
		d, err := db.Open(tc.path, tc.o)
		if err == nil {
			d.Close()
			t.Errorf("%s opens", tc.path)
			continue
		}
		if got := code(err); tc.code != "" && got != tc.code || tc.is != nil && !errors.Is(err, tc.is) {
			t.Errorf("%s gives %s: %v, want %s", tc.path, got, err, tc.code)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("opening read-only made a file")
	}
}

// TestCodesAreListedOnce and look like SQLSTATE codes.
func TestCodesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, c := range db.Codes() {
		if seen[c[0]] || c[0] < last || c[1] == "" || !regexp.MustCompile(`^[0-9A-Z]{5}$`).MatchString(c[0]) {
			t.Errorf("code %q: %q", c[0], c[1])
		}
		seen[c[0]], last = true, c[0]
	}
}

// TestUsedCodesAreListed reads the codes in the source.
func TestUsedCodesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range db.Codes() {
		listed[c[0]] = true
	}
	// A code is a class of the standard, or one of PostgreSQL's, and three characters.
	literal := regexp.MustCompile(`"((?:0[0-9A-Z]|2[0-9A-Z]|4[0-9]|5[0-9]|XX)[0-9A-Z]{3})"`)
	for _, dir := range []string{"../query", "../db"} {
		err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			src, err := os.ReadFile(p)
			for _, m := range literal.FindAllStringSubmatch(string(src), -1) {
				if !listed[m[1]] {
					t.Errorf("%s uses code %s, which Codes does not list", p, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
