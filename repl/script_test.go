package repl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/db"
)

// TestErrorsHaveTheirPlace in the script, with the line and a caret below the fault, here and on
// a server.
func TestErrorsHaveTheirPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "script.sql")
	for _, tc := range []struct{ name, script, out, errs string }{
		{"name", "SELECT 1 AS a;\n\n-- the fault\n  SELECT 2,\n\tnope;\nSELECT 3;\n", "a\n1\n", `
FILE:5:2: error 42703: unknown column nope
  →nope
   ^
`},
		{"hint", "SELECT lowr('A');", "", `
FILE:1:8: error 42883: unknown function lowr
hint: did you mean lower?
  SELECT lowr('A')
         ^
`},
		{"syntax", "SELECT 1 AS a; SELECT 2 2;", "a\n1\n", `
FILE:1:25: error 42601: unexpected 2, expected`},
		{"open string", "SELECT 1 AS a;\nSELECT 'open", "a\n1\n", `
FILE:2:8: error 42601: `},
		{"wide", "SELECT '日本', nope;", "", `
FILE:1:14: error 42703: unknown column nope
  SELECT '日本', nope
                 ^
`},
		{"later line", "CREATE CORPUS docs;\nINSERT INTO docs (id, text) VALUES ('a', 'Ann.');\nSELECT length(id)\n  / (length(id) - 1) AS q FROM docs;", "q\n", `
FILE:3:1: error 22012: division by zero
`},
	} {
		if err := os.WriteFile(file, []byte(tc.script), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, where := range [][]string{nil, {"--connect", listen(t)}} {
			out, errs, code := outcome(t, "", append([]string{"exec", "-f", file, "--format", "csv"}, where...)...)
			errs = strings.ReplaceAll(errs, file, "FILE")
			if code != 1 || out != tc.out || !strings.HasPrefix(errs, tc.errs[1:]) {
				t.Errorf("%s %q: exit code %d, output %q, errors\n%s\nwant\n%s", tc.name, where, code, out, errs, tc.errs[1:])
			}
		}
	}
}

// TestOrder runs scripts and statements in the order in which they are given.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := script("a", "SELECT 'a' AS x; SELECT 'aa' AS x"), script("b", "SELECT 'b' AS x;")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"-f", a, "-f", b}, "a aa b"},
		{[]string{"-f", b, "-c", "SELECT 1 AS x; SELECT 2 AS x;", "-f", a}, "b 1 2 a aa"},
		{[]string{"-c", "SELECT 1 AS x", "--script", b, "--command=SELECT 2 AS x", "-f" + a, "-cSELECT 3 AS x"},
			"1 b 2 a aa 3"},
		{nil, "in"},
		{[]string{"-c", ""}, ""},
	} {
		out := succeed(t, "SELECT 'in' AS x", append([]string{"exec", "--format", "csv"}, tc.args...)...)
		if got := strings.Join(strings.Fields(strings.ReplaceAll(out, "x\n", "")), " "); got != tc.want {
			t.Errorf("%q runs %q, want %q", tc.args, got, tc.want)
		}
	}
}

// TestFirstErrorEnds all that follows it.
func TestFirstErrorEnds(t *testing.T) {
	out, errs, code := outcome(t, "", "exec", "--format", "csv", "-c", "SELECT 1 AS x; SELECT nope; SELECT 2 AS x", "-c",
		"SELECT 3 AS x")
	if code != 1 || out != "x\n1\n" || !strings.HasPrefix(errs, "command:1:23: error 42703: ") {
		t.Errorf("exit code %d, output %q, errors %q", code, out, errs)
	}
}

// TestExitCodes tells faults of use from errors.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // a mistyped command makes no file
	defer func() {
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Errorf("%v, %v are left", list, err)
		}
	}()
	for _, tc := range []struct {
		args []string
		code int
		out  string
		errs string
	}{
		{[]string{"version"}, 0, "parlance " + db.Version + "\n", ""},
		{[]string{"--help"}, 0, "Usage: parlance", ""},
		{[]string{"--version"}, 0, "parlance " + db.Version + "\n", ""},
		{[]string{"-V"}, 0, "parlance " + db.Version + "\n", ""},
		{[]string{"exce"}, 1, "", "parlance: there is no command exce; did you mean exec? A new database of this name is " +
			"./exce or exce.parlance"},
		{[]string{"exce", "-f", "x.sql"}, 2, "", "parlance: there is no command exce; did you mean exec? A new database"},
		{[]string{"train"}, 1, "", "parlance: there is no command train; commands are shell, exec, serve, connect, " +
			"annotate, version. A new "},
		{[]string{"help"}, 1, "", "parlance: there is no command help; did you mean --help? A new database"},
		{[]string{"halp"}, 1, "", "parlance: there is no command halp; did you mean --help? A new database"},
		{[]string{"exec", "--nope"}, 2, "", "parlance: unknown flag --nope"},
		{[]string{"exec", "--format", "xml"}, 2, "", "parlance: --format"},
		{[]string{"exec", "-c"}, 2, "", "parlance: --command"},
		{[]string{"exec", "-f", filepath.Join(dir, "missing")}, 1, "", "parlance: open "},
		{[]string{"exec", "--db", filepath.Join(dir, "no", "folder"), "-c", "SELECT 1"}, 1, "", "parlance: open "},
		{[]string{"exec", "--db", filepath.Join(dir, "missing"), "--read-only", "-c", "SELECT 1"}, 1, "", "parlance: open "},
		{[]string{"exec", "--set", "cache", "-c", "SELECT 1"}, 1, "", "parlance: --set cache: NAME=VALUE is wanted"},
		{[]string{"exec", "--set", "cash=on", "-c", "SELECT 1"}, 1, "", "parlance: --set cash=on: "},
		{[]string{"exec", "--set", "workers=-1", "-c", "SELECT 1"}, 1, "", "parlance: --set workers=-1: "},
	} {
		out, errs, code := outcome(t, "", tc.args...)
		if code != tc.code || !strings.HasPrefix(out, tc.out) || tc.out == "" && out != "" || !strings.HasPrefix(errs,
			tc.errs) || tc.errs == "" && errs != "" {
			t.Errorf("parlance %q exits with %d, output %q, errors %q; want %d, %q, %q", tc.args, code, out, errs, tc.code,
				tc.out, tc.errs)
		}
	}
}

// TestSettings of the command line hold for all statements.
func TestSettings(t *testing.T) {
	out := succeed(t, "", "exec", "--format", "csv", "--set", "cache=off", "--set", "workers=2", "--set",
		"default_model=it's", "--set", "rules_off=(push, top)",
		"-c", "SELECT name, value FROM system.settings WHERE value <> \"default\"")
	if want := "name,value\ncache,off\ndefault_model,it's\nworkers,2\nrules_off,\"push,top\"\n"; out != want {
		t.Errorf("settings %q, want %q", out, want)
	}
}

// TestDatabaseIsKept in its file, and a temporary one is not.
func TestDatabaseIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	succeed(t, "", "exec", "--db", file, "-c", "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'Ann.')")
	if out := succeed(t, "", "exec", "--db", file, "--read-only", "--format", "csv", "-c",
		"SELECT id, text FROM docs"); out != "id,text\na,Ann.\n" {
		t.Errorf("kept: %q", out)
	}
	_, errs, code := outcome(t, "", "exec", "--db", file, "--read-only", "-c", "DROP CORPUS docs")
	if code != 1 || !strings.HasPrefix(errs, "command:1:1: error 25006: ") {
		t.Errorf("read-only: %d, %q", code, errs)
	}
	if _, _, code := outcome(t, "", "exec", "-c", "SELECT * FROM docs"); code != 1 {
		t.Error("a temporary database has what another holds")
	}
}

// TestCopyToStdout writes between what the statements around it show.
func TestCopyToStdout(t *testing.T) {
	out := succeed(t, "", "exec", "--format", "csv", "-c", "SELECT 1 AS a; COPY (SELECT 2 AS b) TO STDOUT FORMAT csv; "+
		"SELECT 3 AS c")
	if out != "a\n1\nb\n2\nc\n3\n" {
		t.Errorf("output %q", out)
	}
}
