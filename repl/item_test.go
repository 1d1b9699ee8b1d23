package repl_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStandardInputIsAScript where - names it.
func TestStandardInputIsAScript(t *testing.T) {
	out := succeed(t, "SELECT 1 AS x", "exec", "--format", "csv", "-c", "SELECT 0 AS x", "-f", "-", "-c", "SELECT 2 AS x")
	if out != "x\n0\nx\n1\nx\n2\n" {
		t.Errorf("output %q", out)
	}
	if _, errs, code := outcome(t, "\nSELECT nope", "exec", "-f", "-"); code != 1 || !strings.HasPrefix(errs,
		"stdin:2:8: error 42703: ") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
}

// TestStatementsBeginWithAComment and are no flag.
func TestStatementsBeginWithAComment(t *testing.T) {
	for _, s := range []string{"-- one\nSELECT 1 AS x", "--\nSELECT 1 AS x", "---- one\nSELECT 1 AS x"} {
		if out := succeed(t, "", "exec", "--format", "csv", "-c", s); out != "x\n1\n" {
			t.Errorf("%q prints %q", s, out)
		}
	}
	if _, errs, code := outcome(t, "", "exec", "-c", "--format", "csv"); code != 2 || !strings.HasPrefix(errs,
		"parlance: --command: ") {
		t.Errorf("a flag is taken for statements: exit code %d, errors %q", code, errs)
	}
}

// TestFlagsInValues are values: a script whose path begins like a flag.
func TestFlagsInValues(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("c", []byte("SELECT 'script' AS x"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := succeed(t, "", "exec", "--format", "csv", "-fc", "-c", "SELECT 1 AS x", "-f", filepath.Join(dir, "c"))
	if out != "x\nscript\nx\n1\nx\nscript\n" {
		t.Errorf("output %q", out)
	}
	out = succeed(t, "SELECT 0 AS x", "exec", "--format", "csv", "-f", "-", "-f", "./c", "-c", "SELECT 1 AS x", "-fc")
	if out != "x\n0\nx\nscript\nx\n1\nx\nscript\n" {
		t.Errorf("after standard input: output %q", out)
	}
}

// TestEmptyCellIsARecord, also where it is the only one.
func TestEmptyCellIsARecord(t *testing.T) {
	out := succeed(t, "", "exec", "--format", "csv", "-c", "SELECT 'a' AS x UNION ALL SELECT '' UNION ALL SELECT NULL "+
		"UNION ALL SELECT 'b'")
	records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(records) != 5 || records[4][0] != "b" {
		t.Errorf("%q reads as %q, %v", out, records, err)
	}
}

// TestJSONLinesAreLines: JSON over several lines becomes one, and text stays readable.
func TestJSONLinesAreLines(t *testing.T) {
	out := succeed(t, "", "exec", "--format", "jsonl", "-c", "SELECT '{\"a\":\n [1]}'::json AS \"<j>\", '<&>' AS t, "+
		"NULL::json AS n")
	if want := "{\"<j>\":{\"a\":[1]},\"t\":\"<&>\",\"n\":null}\n"; out != want {
		t.Errorf("output %q, want %q", out, want)
	}
}

// TestControlCharacters do not reach the terminal, neither of rows nor of errors.
func TestControlCharacters(t *testing.T) {
	out, errs, _ := outcome(t, "", "exec", "-c", "SELECT 'a\x1b[2Jb' AS x; SELECT '\x1b[2J', nope")
	if strings.Contains(out+errs, "\x1b") || !strings.Contains(out, "a␛[2Jb") {
		t.Errorf("output %q, errors %q", out, errs)
	}
}
