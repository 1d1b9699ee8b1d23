package repl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShell reads statements and commands from a file or pipe, here and on a server.
func TestShell(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.sql")
	if err := os.WriteFile(script, []byte("SELECT 'from a script' AS x;\nSELECT nope;"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "rows")
	for _, tc := range []struct {
		name, in, out, errs string
		code                int
	}{
		{"several lines", "SELECT 1\n  AS x\n;\n", "x\n1\n", "", 0},
		{"no end", "SELECT 1 AS x", "x\n1\n", "", 0},
		{"several statements", "SELECT 1 AS x; SELECT 2\nAS x;", "x\n1\nx\n2\n", "", 0},
		{"semicolon in a string", "SELECT ';' AS x\n;", "x\n;\n", "", 0},
		{"blank lines in a string", "SELECT length('a\n\n;\nb') AS x;", "x\n6\n", "", 0},
		{"CRLF", "SELECT 1 AS x;\r\n\\q\r\n", "x\n1\n", "", 0},
		{"nothing", "", "", "", 0},
		{"comment", "-- nothing; here\n", "", "", 0},
		{"quit", "SELECT 1 AS x;\n\\q\nSELECT 2 AS x;\n", "x\n1\n", "", 0},
		{"goes on after an error", "SELECT nope;\nSELECT 2 AS x;\n", "x\n2\n",
			"stdin:2:8: error 42703: unknown column nope\n", 1},
		{"place behind a comment", "-- one\n\nSELECT nope;\n", "", "stdin:4:8: error 42703", 1},
		{"script", "\\i " + script + "\nSELECT 2 AS x;\n", "x\nfrom a script\nx\n2\n", script + ":2:8: error 42703: ", 1},
		{"unknown argument of x", "\\x sometimes\n", "", "stdin:2:1: error: expanded takes auto, off, on, not " +
			"\"sometimes\"\n", 1},
		{"vertical on", "\\format table\n\\x on\n\\x on\n\\x OFF\n",
			"Expanded display is on.\nExpanded display is on.\nExpanded display is off.\n", "", 0},
		{"timing off", "\\timing off\nSELECT 1 AS x;\n", "Timing is off.\nx\n1\n", "", 0},
		{"no script", "\\i\n", "", "stdin:2:1: error: \\i needs the name of a script\n", 1},
		{"comment before a command", "-- quit\n\\q\nSELECT 1;\n", "", "", 0},
		{"missing script", "\\i missing\n", "", "stdin:2:1: error: open missing: ", 1},
		{"unknown command", "\\nope\n", "", "stdin:2:1: error: there is no \\nope; \\? helps\n", 1},
		{"format", "\\format jsonl\nSELECT 1 AS x;\n", "{\"x\":1}\n", "", 0},
		{"vertical", "\\format table\n\\x\nSELECT 1 AS x;\n", "Expanded display is on.\n-[ row 1 ]\nx | 1\n(1 row)\n", "", 0},
		{"to a file", "\\o " + rows + "\nSELECT 1 AS x;\n\\o\nSELECT 2 AS x;\n", "x\n2\n", "", 0},
		{"to a folder that is missing", "\\o " + rows + "/x\nSELECT 2 AS x;\n", "x\n2\n", "stdin:2:1: error: open ", 1},
		{"nothing to watch", "\\watch\n", "", "stdin:2:1: error: \\watch runs the statement before it, or the last one; " +
			"there is none\n", 1},
		{"watch too often", "\\watch 0\n", "", "stdin:2:1: error: \\watch takes seconds", 1},
		{"watch too rarely", "SELECT 1 AS x\n\\watch 86400.5\n", "x\n1\n", "stdin:3:1: error: \\watch takes " +
			"seconds", 1},
		{"no terminal to edit in", "\\e\n", "", "stdin:2:1: error: \\e needs a terminal\n", 1},
		{"pager", "\\pset pager off\n", "Pager usage is off.\n", "", 0},
		{"pset of something else", "\\pset colour red\n", "", "stdin:2:1: error: there is no \"colour\": border, ", 1},
		{"wrong format", "\\format xml\n", "", "stdin:2:1: error: there is no format \"xml\": csv, ", 1},
		{"describe", "CREATE CORPUS docs;\nCREATE KB facts;\nCREATE LEXICON cities (word TEXT);\n\\d\n",
			"kind,name\ncorpus,docs\nknowledge base,facts\nlexicon,cities\n", "", 0},
		{"a model of two versions", "CREATE CORPUS docs;\nINSERT INTO docs (id, text) VALUES ('a', 'Ann saw Bob.');\n" +
			strings.Repeat("TRAIN hmm AS h ON docs WITH (layer = upos, states = 2);\n", 2) + "\\d\n",
			"kind,name\ncorpus,docs\nmodel,h\n", "", 0},
		{"tables, without the relations of models", "CREATE LEXICON l (word TEXT);\nCREATE CORPUS docs;\nINSERT INTO docs " +
			"(id, text) VALUES ('a', 'Ann.');\n" +
			"TRAIN hmm AS h ON docs WITH (layer = upos, states = 2);\n\\dt\n",
			"name,type\ndocs,BASE TABLE\ndocs.sentences,BASE TABLE\ndocs.tokens,BASE TABLE\nl,BASE TABLE\n", "", 0},
		{"statements after a LOAD that is refused", "LOAD STDIN INTO nope FORMAT csv;\nSELECT 1 AS x;\n", "x\n1\n",
			"stdin:2:17: error 42704: ", 1},
		{"data from COPY", "CREATE LEXICON cities (word TEXT);\nINSERT INTO cities VALUES ('Oslo');\nCOPY cities TO STDOUT " +
			"FORMAT csv;\n", "word\nOslo\n", "", 0},
		{"notice", "COMMIT;\n", "", "notice: there is no transaction block", 0},
		{"data after LOAD", "CREATE LEXICON cities (word TEXT);\nLOAD STDIN INTO cities FORMAT csv;\nword\nOslo\nRome\n",
			"", "", 0},
	} {
		for _, args := range [][]string{nil, {"connect", listen(t)}} {
			out, errs, code := outcome(t, "\\format csv\n"+tc.in, args...)
			if out != tc.out || !strings.HasPrefix(errs, tc.errs) || tc.errs == "" && errs != "" || code != tc.code {
				t.Errorf("%s %q: exit code %d, output %q, errors %q; want %d, %q, %q", tc.name, args, code, out, errs, tc.code,
					tc.out, tc.errs)
			}
		}
	}
}

// TestScriptsInScripts run commands and other scripts, to the first error of each, which has its place.
func TestScriptsInScripts(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"outer.sql":   "\\format csv\r\nSELECT 1 AS x;\n\n\\i inner.sql\nSELECT 3 AS x",
		"inner.sql":   "\\timing off\nSELECT 2\n  AS x;\n",
		"wrong.sql":   "SELECT 1 AS x;\n-- two\nSELECT 2 AS x;\nSELECT 3,\n  nope;\nSELECT 4 AS x;\n",
		"open.sql":    "SELECT 1 AS x;\n\nSELECT '",
		"missing.sql": "\\i nothing\nSELECT 5 AS x;\n",
		"around.sql":  "\\i around.sql\nSELECT 6 AS x;\n",
		"leave.sql":   "SELECT 1 AS x;\n\\q\nSELECT 7 AS x;\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]struct {
		out, errs string
		code      int
	}{
		"\\i outer.sql\n": {"x\n1\nTiming is off.\nx\n2\nx\n3\n", "", 0},
		"\\i wrong.sql\nSELECT 8 AS x;\n": {"x\n1\nx\n2\nx\n8\n",
			"wrong.sql:5:3: error 42703: unknown column nope\n    nope\n    ^\n", 1},
		"\\i open.sql\n":                    {"x\n1\n", "open.sql:3:8: error 42601: ", 1},
		"\\i missing.sql\nSELECT 8 AS x;\n": {"x\n8\n", "missing.sql:1:1: error: open nothing: ", 1},
		"\\i around.sql\nSELECT 8 AS x;\n": {"x\n8\n", "around.sql:1:1: error: \\i around.sql: scripts call each other " +
			"more than 16 deep\n", 1},
		"\\i leave.sql\nSELECT 8 AS x;\n":      {"x\n1\nx\n8\n", "", 0},
		"SELECT 1 AS x;\n\\i outer.sql\n\\q\n": {"x\n1\nx\n1\nTiming is off.\nx\n2\nx\n3\n", "", 0},
	} {
		out, errs, code := outcome(t, "\\format csv\n"+in)
		if out != want.out || !strings.HasPrefix(errs, want.errs) || want.errs == "" && errs != "" || code != want.code {
			t.Errorf("%q: exit code %d, output %q, errors %q; want %d, %q, %q", in, code, out, errs, want.code, want.out,
				want.errs)
		}
	}
}

// TestShellWritesToFile keeps the rows between two \o, and those before the end of the shell.
func TestShellWritesToFile(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	out := succeed(t, "\\format csv\n\\o "+first+"\nSELECT 1 AS x;\nSELECT 2 AS x;\n\\o "+second+"\nSELECT 3 AS x;\n")
	a, err := os.ReadFile(first)
	b, err2 := os.ReadFile(second)
	if err != nil || err2 != nil || string(a) != "x\n1\nx\n2\n" || string(b) != "x\n3\n" || out != "" {
		t.Errorf("%q, %q, %q, %v, %v", a, b, out, err, err2)
	}
}

// TestShellKeepsItsDatabase and its settings.
func TestShellKeepsItsDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	if out := succeed(t, "CREATE CORPUS docs;\n\\timing\nSET cache = off;\n", file); !strings.HasPrefix(out,
		"CREATE CORPUS\nTiming is on.\nSET\nTime: ") {
		t.Errorf("output %q", out)
	}
	if out := succeed(t, "SELECT value FROM system.settings WHERE name = 'cache';\n\\d docs\n",
		file); !strings.Contains(out, " on") || !strings.Contains(out, " corpus\n") {
		t.Errorf("output %q", out)
	}
	if out := succeed(t, "\\h\n\\h create lexicon\n\\h Create\n"); !strings.Contains(out, "\nModels\n  TRAIN\n") ||
		!strings.Contains(out, "\nCREATE GAZETTEER, CREATE LEXICON, CREATE TABLE\n\n  CREATE ") || !strings.Contains(out,
		"\nFull-text search\n  CREATE FULLTEXT INDEX\n") {
		t.Errorf("topics %q", out)
	}
	if out := succeed(t, "\\h models\n"); !strings.HasPrefix(out, "Models\n\nThe ") {
		t.Errorf("a chapter without a syntax %q", out)
	}
	if out := succeed(t, "\\h create index\n"); !strings.HasPrefix(out, "CREATE INDEX, ") {
		t.Errorf("a statement whose section begins with its syntax %q", out)
	}
	if _, errs, _ := outcome(t, "\\h nonsense\n"); !strings.Contains(errs, "no section nonsense") {
		t.Errorf("errors %q", errs)
	}
	if out := succeed(t, "\\?\n"); !strings.Contains(out, `\timing`) || !strings.Contains(out, `\format`) {
		t.Errorf("help %q", out)
	}
}
