package repl_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tookTime is what \timing shows, which differs from run to run.
var tookTime = regexp.MustCompile(`Time: [0-9.]+[µm]?s`)

// commandCases are inputs with their output, which is that of psql, and the beginning of their errors.
var commandCases = []struct{ name, in, out, errs string }{
	{"variables", "\\set x 1 2\n\\set t 'it''s'\n\\set c a\n\\echo :x :y :{?x} :{?y}\nSELECT :x AS n, :'t' AS t, 'b' AS " +
		":\"c\";\n\\unset x\n\\echo :x\n", "12 :y TRUE FALSE\nn|t|a\n12|it's|b\n(1 row)\n:x\n", ""},
	{"names of variables", "\\set a-b 1\n\\unset\n\\set é 2\n\\echo :é\n", "2\n", "stdin:1:1: error: invalid variable " +
		"name: \"a-b\"; letters, digits and _ make one\nstdin:2:1: error: \\unset needs "},
	{"special variables", "\\set ON_ERROR_STOP maybe\n\\set ECHO x\n\\set AUTOCOMMIT off\n\\set QUIET\n\\echo :QUIET " +
		":ON_ERROR_STOP\n\\unset QUIET\n\\echo :QUIET\n", "on off\noff\n",
		"stdin:1:1: error: unrecognized value \"maybe\" for ON_ERROR_STOP: it takes on, off\nstdin:2:1: error: " +
			"unrecognized value \"x\" for ECHO: it takes none, queries, all, errors\nstdin:3:1: error: unrecognized value " +
			"\"off\" for AUTOCOMMIT: it takes on\n"},
	{"outcomes", "SELECT nope;\n\\echo :ERROR :SQLSTATE :ROW_COUNT :LAST_ERROR_SQLSTATE :LAST_ERROR_MESSAGE\nSELECT 1 " +
		"AS a UNION ALL SELECT 2;\n\\echo :ERROR :SQLSTATE :ROW_COUNT :LAST_ERROR_SQLSTATE\nSELECT '\n",
		"true 42703 0 42703 unknown column nope\na\n1\n2\n(2 rows)\nfalse 00000 2 42703\n", "stdin:1:8: error 42703: "},
	{"rows of changes", "CREATE LEXICON l (w TEXT);\nINSERT INTO l VALUES ('a'), ('b');\n\\echo :ROW_COUNT\nDROP " +
		"LEXICON l;\n\\echo :ROW_COUNT\n", "CREATE LEXICON\nINSERT 2\n2\nDROP LEXICON\n0\n", ""},
	{"gset", "SELECT 1 AS a, 'x' AS b \\gset\n\\echo :a :b\nSELECT 5 AS a \\gset p_\n\\echo :p_a :ROW_COUNT " +
		":ERROR\nSELECT NULL AS a \\gset\n\\echo :a\n", "1 x\n5 1 false\n:a\n", ""},
	{"gset of other than one row", "SELECT 1 AS a WHERE false \\gset\nSELECT 1 AS a UNION ALL SELECT 2 \\gset\n\\echo " +
		":a :ERROR\n", ":a false\n", "stdin:1:1: error: no rows returned for \\gset\nstdin:2:1: error: more than one row " +
		"returned for \\gset\n"},
	{"gset of what is no name", "SELECT 1 AS a, 2 AS \"b c\" \\gset\n\\echo :a\nSELECT 1 AS a, 'x' AS \"SQLSTATE\" " +
		"\\gset\n\\echo :a\nSELECT nope \\gset\n", ":a\n:a\n",
		"stdin:1:1: error: invalid variable name: \"b c\"; letters, digits and _ make one; AS gives a column a " +
			"name\nstdin:3:1: error: SQLSTATE means something to the shell; AS gives the column another name\nstdin:5:8: " +
			"error 42703: "},
	{"gexec", "SELECT 'SELECT 1 AS x', NULL UNION ALL SELECT 'SELECT nope', 'SELECT 2 AS x' \\gexec\nSELECT nope " +
		"\\gexec\n", "x\n1\n(1 row)\nx\n2\n(1 row)\n", "stdin:1:"},
	{"gexec stops", "\\set ON_ERROR_STOP on\nSELECT 'SELECT nope', 'SELECT 2 AS x' \\gexec\nSELECT 3 AS x;\n", "",
		"stdin:2:"},
	{"g and gx", "SELECT 1 AS a \\gx\n\\g\nSELECT 2 AS a\n\\g\n", "a|1\na\n1\n(1 row)\na\n2\n(1 row)\n", ""},
	{"g of nothing", "\\g\n\\gset\n\\g a b\n", "", "stdin:1:1: error: \\g runs the statement before it, or the last " +
		"one; there is none\nstdin:2:1: error: \\gset runs "},
	{"g to a file", "\\o OTHER\nSELECT 1 AS a \\g FILE\nSELECT 2 AS a;\n\\qecho in it\n\\o\nSELECT 3 AS a;\n\\format " +
		"csv\n\\i FILE\n", "a\n3\n(1 row)\n", "FILE:1:1: error 42601: "},
	{"pipes", "\\o |cat\nSELECT 1 AS a \\g |cat\n", "", "stdin:1:1: error: rows go to files, not to programs: a pipe " +
		"behind parlance, or the pager, gives them to one\nstdin:2:15: error: rows go to files"},
	{"statements shown", "\\p\nSELECT 1\n\\p\nAS a\n\\p\n;\n\\p\nSELECT\n\\r\n\\p\n", "Query buffer is empty.\nSELECT " +
		"1\nSELECT 1\nAS a\na\n1\n(1 row)\nSELECT 1\nAS a\n;\nQuery buffer reset (cleared).\nSELECT 1\nAS a\n;\n", ""},
	{"statements written", "SELECT 1 AS a;\n\\w FILE\n\\i FILE\nSELECT 2 AS a\n\\w FILE\n\\r\n\\i FILE\n\\w\n",
		"a\n1\n(1 row)\na\n1\n(1 row)\nQuery buffer reset (cleared).\na\n2\n(1 row)\n",
		"stdin:8:1: error: \\w needs the name of a file\n"},
	{"echo",
		"\\echo one  two 'three  four' \"five  six\" 'a\\tb'\n\\echo -n no end\n\\echo\n\\qecho rows\n\\warn wrong\n",
		"one two three  four \"five  six\" a\tb\nno end\nrows\n", "wrong\n"},
	{"prompt", "\\prompt name\nAnn\n\\prompt 'Who? ' who\nBob\n\\echo :name :who\n\\prompt\n\\prompt x", "Ann Bob\n",
		"Who? stdin:6:1: error: \\prompt needs the name of a variable\nstdin:7:1: error: \\prompt: there is no line to " +
			"read: EOF\n"},
	{"environment", "\\getenv h PARLANCE_TEST\n\\echo :h\n\\getenv i PARLANCE_TEST_NOT\n\\echo :i\n\\getenv j\n",
		"value\n:i\n", "stdin:5:1: error: \\getenv needs "},
	{"branches", "\\if :{?x}\nSELECT nope;\n\\i nothing\n\\nope 'a\n\\elif yes\nSELECT 1 AS a;\n\\else\nSELECT " +
		"'\n\\endif\n';\n\\endif\n", "a\n1\n(1 row)\n", ""},
	{"wrong branches", "\\if sometimes\nSELECT 1 AS a;\n\\endif\n\\else\n\\if 1\nSELECT 2 AS a;\n", "a\n2\n(1 row)\n",
		"stdin:1:1: error: unrecognized value \"sometimes\" for \\if: it takes true, false, yes, no, on, off, 1 or " +
			"0\nstdin:4:1: error: \\else: no matching \\if\nstdin:7:1: error: reached the end without \\endif\n"},
	{"stop", "\\set ON_ERROR_STOP on\n\\nope\nSELECT 1 AS a;\n", "", "stdin:2:1: error: there is no \\nope; \\? helps\n"},
	{"one after the other", "SELECT 1 AS a; \\echo b\nSELECT 2 AS a\\; SELECT 3 AS a;\n\\echo c\\\\ \\echo d \\echo e\n",
		"a\n1\n(1 row)\nb\na\n2\n(1 row)\na\n3\n(1 row)\nc\nd\ne\n", ""},
	{"time of errors", "\\timing on\nSELECT nope;\n\\timing off\n", "Timing is on.\nTime: T\nTiming is off.\n",
		"stdin:2:8: error 42703: "},
	{"columns of a table", "CREATE LEXICON l (w TEXT, n INTEGER);\n\\d+ l\n",
		"CREATE LEXICON\nproperty|value\nname|l\nkind|lexicon\ncolumns|w text, n integer\ncase|exact\nrows|0\n(5 " +
			"rows)\ncolumn|type\nw|text\nn|bigint\n(2 rows)\n", ""},
	{"syntax", "\\h DEALLOCATE\n", "Syntax:\nDEALLOCATE [PREPARE] {ALL | name}\n\n", ""},
	{"echoed statements", "\\set ECHO queries\nSELECT 1\n  AS a;\n\\set ECHO errors\nSELECT nope;\n\\set ECHO " +
		"all\nSELECT 2 AS a;\n\\echo b\n", "SELECT 1\n  AS a;\na\n1\n(1 row)\nSELECT 2 AS a;\na\n2\n(1 row)\n\\echo b\nb\n",
		"stdin:5:8: error 42703: unknown column nope\n  SELECT nope\n         ^\nstatement: SELECT nope;\n"},
	{"quiet", "\\set QUIET on\nCREATE LEXICON l (w TEXT);\n\\timing on\n\\timing off\n\\x\n\\x\n\\pset pager off\n\\r\n",
		"", ""},
	{"copy", "CREATE LEXICON l (w TEXT, n INTEGER);\n\\copy l from stdin csv\nOslo,1\n\"to from\",2\n\\.\n\\copy l (w, " +
		"n) to 'FILE' with (format csv, header)\n\\copy l from FILE csv header;\n\\copy (SELECT w FROM l WHERE w = 'to " +
		"from' AND n > 1) to stdout csv\n\\copy l to pstdout csv\nCOPY l FROM STDIN WITH (FORMAT csv);\nx,7\n\\.\nSELECT " +
		"nope;\n",
		"CREATE LEXICON\nCOPY 2\nCOPY 2\nCOPY 2\nto from\nto from\nOslo,1\nto from,2\nOslo,1\nto from,2\nCOPY 1\n",
		"stdin:13:8: error 42703: "},
	{"wrong copies", "\\copy\n\\copy l\n\\copy l from\n\\copy from x\n\\copy l from program 'ls'\n\\copy l from " +
		"missing\nCREATE LEXICON l (w TEXT);\n\\copy l from missing\n\\copy m to stdout\n\\echo on\n", "CREATE LEXICON\non\n",
		"stdin:1:1: error: \\copy takes TABLE "},
	{"no more data", "CREATE LEXICON l (w TEXT);\n\\copy l from stdin csv\na\nb\n", "CREATE LEXICON\nCOPY 2\n", ""},
	{"look", "\\pset null NIL\nSELECT NULL AS a, 'x' AS b;\n\\f ,\n\\t\nSELECT NULL AS a, 'x' AS b;\n\\t off\n\\pset " +
		"footer off\nSELECT 1 AS a, 2 AS b;\n\\x\nSELECT 1 AS a, 2 AS b UNION ALL SELECT 3, 4;\n",
		"Null display is \"NIL\".\na|b\nNIL|x\n(1 row)\nField separator is \",\".\nTuples only is on.\nNIL,x\nTuples only " +
			"is off.\nDefault footer is off.\na,b\n1,2\nExpanded display is on.\na,1\nb,2\n\na,3\nb,4\n", ""},
	{"look shown", "\\pset format\n\\pset null\n\\pset border\n\\pset linestyle\n\\f\n\\pset\n\\a\n\\a\n\\x auto\n\\x\n",
		"Output format is unaligned.\nNull display is \"\".\nBorder style is 1.\nLine style is unicode.\nField separator " +
			"is \"|\".\n" +
			"border                  1\nexpanded                off\nfieldsep                '|'\nfooter                  " +
			"on\nformat                  unaligned\nlinestyle               unicode\nnull                    ''\npager        " +
			"           off\ntuples_only             off\n" +
			"Output format is table.\nOutput format is unaligned.\nExpanded display is used automatically.\nExpanded display " +
			"is off.\n", ""},
	{"wrong looks", "\\pset border 3\n\\t maybe\n\\timing maybe\n\\x on off\n\\echo\\x off\n\\pset format xml\n", "\n" +
		"Expanded display is off.\n", "stdin:1:1: error: border takes 0, 1, 2, not \"3\"\nstdin:2:1: error: tuples_only " +
		"takes on, off, not \"maybe\"\nstdin:3:1: error: \\timing takes on or off, not \"maybe\"\nstdin:4:1: error: \\x " +
		"takes [on|off|auto], and \"off\" is too much\nstdin:6:1: error: there is no format \"xml\": "},
	{"lines of tables", "\\pset format aligned\n\\pset border 2\nSELECT 1 AS a, 'xyz' AS b UNION ALL SELECT 22, " +
		"'y';\n\\pset linestyle ascii\n\\pset border 0\nSELECT 1 AS a, 'x' AS b;\n\\pset border 1\n\\t on\nSELECT 1 AS a, " +
		"'x' AS b;\n\\x\nSELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y';\n",
		"Output format is table.\nBorder style is 2.\n┌────┬─────┐\n│  a │ b   │\n├────┼─────┤\n│  1 │ xyz │\n│ 22 │ y   " +
			"│\n└────┴─────┘\n(2 rows)\nLine style is ascii.\nBorder style is 0.\na b\n- -\n1 x\n(1 row)\nBorder style is " +
			"1.\nTuples only is on.\n 1 | x\nExpanded display is on.\na | 1\nb | x\n\na | 2\nb | y\n", ""},
	{"csv without names", "\\format csv\n\\t\n\\pset null NIL\nSELECT 1 AS a, NULL AS b;\n",
		"Tuples only is on.\nNull display is \"NIL\".\n1,NIL\n", ""},
	{"tables", "CREATE LEXICON l (w TEXT);\n\\dt\n\\cd /nothing\n", "CREATE LEXICON\nname|type\nl|BASE TABLE\n(1 row)\n",
		"stdin:3:1: error: chdir /nothing: "},
	{"described", "SELECT 1 AS a, 'x' AS b, 1.5 AS \"c d\" \\gdesc\nCREATE LEXICON l (w TEXT) \\gdesc\n\\dt\nSELECT 1 " +
		"AS n; SELECT $1::integer AS m \\gdesc\nSELECT nope \\gdesc\n\\echo :SQLSTATE\n",
		"column|type\na|integer\nb|text\nc d|float\n(3 rows)\nThe statement gives no rows.\nname|type\n(0 rows)\nn\n1\n(1 " +
			"row)\ncolumn|type\nm|integer\n(1 row)\n42703\n", "stdin:5:8: error 42703: unknown column nope\n"},
	{"empty copies", "CREATE LEXICON l (w TEXT);\nCREATE CORPUS c;\nCOPY l TO STDOUT;\nCOPY c TO STDOUT WITH (FORMAT " +
		"jsonl);\n\\copy l to stdout csv\n\\copy l to pstdout csv\n\\copy l to 'FILE' csv\n",
		"CREATE LEXICON\nCREATE CORPUS\nCOPY 0\n", ""},
	{"lists", "\\l\n\\dn\n\\t on\n\\df TO_he?\n\\df %\n\\df to!*\n\\df *_HEX\n\\di\n\\encoding\n\\encoding " +
		"utf-8\n\\encoding LATIN1\n", "name|encoding\ntemporary|UTF8\n(1 " +
		"row)\nname\ninformation_schema\npg_catalog\npublic\nsystem\n(4 rows)\nTuples only is on.\nto_hex(integer) → " +
		"text|hexadecimal digits, of a negative number those of its 64 bits\nto_hex(integer) → text|hexadecimal digits, of " +
		"a negative number those of its 64 bits\nUTF8\n", "stdin:11:1: error: \\encoding takes UTF8"},
	{"errors again", "\\errverbose\nSELECT 1,\n nope;\nSELECT 1 AS a;\n\\errverbose\nSELECT '\n",
		"There is no previous error.\na\n1\n(1 row)\n", "stdin:3:2: error 42703: unknown column nope\n   nope\n   " +
			"^\nstdin:3:2: error 42703: unknown column nope\nstatement: SELECT 1,\n nope;\n"},
	{"quit", "SELECT 1 AS a; \\q\nSELECT 2 AS a;\n", "a\n1\n(1 row)\n", ""},
}

// TestCommands in the shell, here and on a server.
func TestCommands(t *testing.T) {
	t.Setenv("PARLANCE_TEST", "value")
	for _, tc := range commandCases {
		where := [][]string{nil}
		if slices.Contains([]string{"outcomes", "rows of changes", "gset", "gexec", "copy", "no more data", "described",
			"empty copies"}, tc.name) {
			where = append(where, []string{"connect", listen(t)})
		}
		for _, args := range where {
			dir := t.TempDir()
			file, other := filepath.Join(dir, "file"), filepath.Join(dir, "other")
			name := func(s string) string {
				return strings.ReplaceAll(strings.ReplaceAll(s, "FILE", file), "OTHER", other)
			}
			out, errs, code := outcome(t, name(tc.in), append(args, "-A")...)
			out = tookTime.ReplaceAllString(out, "Time: T")
			want := map[bool]int{true: 0, false: 1}[tc.errs == "" || tc.name == "echo"]
			if tc.name == "outcomes" {
				want = 1
			}
			if out != tc.out || !strings.HasPrefix(errs, name(tc.errs)) || tc.errs == "" && errs != "" || code != want {
				t.Errorf("%s %q: exit code %d, output\n%s\nwant\n%s\nerrors\n%s\nwant\n%s", tc.name, args, code, out, tc.out,
					errs, name(tc.errs))
			}
		}
	}
}

// TestCommandsInScripts of the command line: their variables, data and first error.
func TestCommandsInScripts(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.sql": "SELECT :'name' AS a \\gset\n\\echo :a :n\n",
		"data.sql": "CREATE LEXICON l (w TEXT);\n\\copy l from stdin csv\na\n\\.\n\\copy l from pstdin csv\nSELECT w " +
			"FROM l ORDER BY w;\nSELECT nope;\nSELECT 1 AS a;\n",
		"sub/one.sql": "\\ir two.sql\n\\echo one\n\\q\n\\echo never\n",
		"sub/two.sql": "\\echo two\n",
		"if.sql":      "\\if 1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		args, out, errs string
		code            int
	}{
		{"-v name=Ann -v n=1 -f a.sql -c \\echo_:a", "Ann 1\nAnn\n", "", 0},
		{"-v =x -c \\q", "", "parlance: --variable =x: invalid variable name", 1},
		{"-v ERROR=x -c \\echo_:ERROR", "x\n", "", 0},
		{"-v name -c \\echo_:{?name}", "FALSE\n", "", 0},
		{"-v a-b=1 -c \\q", "", "parlance: --variable a-b=1: invalid variable name", 1},
		{"-P colour=red -c \\q", "", "parlance: --pset colour=red: there is no \"colour\"", 1},
		{"-f data.sql -c \\echo_never", "CREATE LEXICON\nCOPY 1\nCOPY 1\nw\na\nin\n(2 rows)\n",
			"data.sql:7:8: error 42703: ", 1},
		{"-q -v ON_ERROR_STOP=0 -f data.sql", "w\na\nin\n(2 rows)\na\n1\n(1 row)\n", "data.sql:7:8: error 42703: ", 1},
		{"-f sub/one.sql -c \\echo_after", "two\none\nafter\n", "", 0},
		{"-f if.sql -c \\echo_never", "", "if.sql:2:1: error: reached the end without \\endif\n", 1},
		{"-1 -c SELECT_1_AS_a", "a\n1\n(1 row)\n", "", 0},
		{"-t -F: -P null=NIL -c SELECT_1_AS_a,_NULL_AS_b", "1:NIL\n", "", 0},
		{"-x -c SELECT_1_AS_a", "a|1\n", "", 0},
		{"--csv -c SELECT_1_AS_a", "a\n1\n", "", 0},
		{"-o rows -c SELECT_1_AS_a -c \\echo_b", "b\n", "", 0},
		{"-o missing/rows -c SELECT_1_AS_a", "", "parlance: open missing/rows: ", 1},
	} {
		args := append([]string{"exec", "-A"}, strings.Fields(tc.args)...)
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "_", " ")
			if i > 1 && args[i-1] == "-v" || strings.HasPrefix(a, "ON_") {
				args[i] = a
			}
		}
		out, errs, code := outcome(t, "in\n", args...)
		if out != tc.out || !strings.HasPrefix(errs, tc.errs) || tc.errs == "" && errs != "" || code != tc.code {
			t.Errorf("%q: exit code %d, output\n%s\nwant\n%s\nerrors %q, want %q", args, code, out, tc.out, errs, tc.errs)
		}
	}
	if rows, err := os.ReadFile("rows"); err != nil || string(rows) != "a\n1\n(1 row)\n" {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestMistypedFile leaves no file behind, as long as nothing was written to it.
func TestMistypedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	succeed(t, "", "exec", "--db", file, "-c", "SELECT 1", "-c", "SHOW MODELS")
	if _, errs, code := outcome(t, "", "exec", "--db", file, "-c", "SELECT text FROM docs"); code != 1 ||
		!strings.Contains(errs, "docs") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after reading: %v", err)
	}
	succeed(t, "", "exec", "--db", file, "-c", "CREATE LEXICON l (w TEXT)")
	succeed(t, "", "exec", "--db", file, "-c", "SELECT count(*) FROM l")
	if _, err := os.Stat(file); err != nil {
		t.Errorf("after writing: %v", err)
	}
}

// TestSingleTransaction is rolled back by an error, and by none committed.
func TestSingleTransaction(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.parlance")
	succeed(t, "", "exec", "--db", file, "-c", "CREATE LEXICON l (w TEXT)")
	succeed(t, "", "exec", "--db", file, "-1", "-c", "INSERT INTO l VALUES ('a')", "-c", "INSERT INTO l VALUES ('b')")
	if _, errs, code := outcome(t, "", "exec", "--db", file, "-1", "-c", "INSERT INTO l VALUES ('c')", "-c",
		"SELECT nope"); code != 1 || !strings.HasPrefix(errs, "command:1:8: ") {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	if out := succeed(t, "", "exec", "--db", file, "-At", "-c", "SELECT count(*) FROM l"); out != "2\n" {
		t.Errorf("%q rows", out)
	}
}

// TestHelp has every command.
func TestHelp(t *testing.T) {
	out := succeed(t, "\\?\n\\? variables\n")
	for _, want := range []string{"\n  \\gset [PREFIX]        run the statement and set ", "\n  \\getenv NAME " +
		"VARIABLE\n                        set a variable", "\n  ON_ERROR_STOP         an error ends "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	for line := range strings.SplitSeq(out, "\n") {
		if len([]rune(line)) > 110 {
			t.Errorf("%q is long", line)
		}
	}
	if _, errs, _ := outcome(t, "\\? TRAIN\n"); !strings.Contains(errs, `\h TRAIN`) {
		t.Errorf("errors %q", errs)
	}
}
