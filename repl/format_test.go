package repl_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parlance/repl"
)

// outcome runs the command and returns its output, its errors and its exit code.
func outcome(t *testing.T, in string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = repl.Main(args, strings.NewReader(in), &o, &e)
	return o.String(), e.String(), code
}

// succeed runs the command, which must print no error.
func succeed(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, errs, code := outcome(t, in, args...)
	if code != 0 || errs != "" {
		t.Fatalf("parlance %q exits with %d:\n%s", args, code, errs)
	}
	return out
}

// trimmed drops spaces before line ends, which tables fill up with.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

const sample = `SELECT 'Ann Lee' AS name, 7 AS n, 0.25 AS share, true AS ok, NULL AS note
UNION ALL SELECT '日本 | "x", y', -1200, 1e-9, false, 'two' || chr(10) || 'lines'`

// TestFormats shows the same rows in every format.
func TestFormats(t *testing.T) {
	for format, want := range map[string]string{
		"table": `
 name          │     n │ share │ ok    │ note
───────────────┼───────┼───────┼───────┼───────────
 Ann Lee       │     7 │  0.25 │ true  │
 日本 | "x", y │ -1200 │ 1e-09 │ false │ two⏎lines
(2 rows)
`,
		"vertical": `
-[ row 1 ]
name  | Ann Lee
n     | 7
share | 0.25
ok    | true
note  |
-[ row 2 ]
name  | 日本 | "x", y
n     | -1200
share | 1e-09
ok    | false
note  | two⏎lines
(2 rows)
`,
		"markdown": `
| name | n | share | ok | note |
| --- | ---:| ---:| --- | --- |
| Ann Lee | 7 | 0.25 | true |  |
| 日本 \| "x", y | -1200 | 1e-09 | false | two⏎lines |
`,
		"csv": `
name,n,share,ok,note
Ann Lee,7,0.25,true,
"日本 | ""x"", y",-1200,1e-09,false,"two
lines"
`,
		"tsv": `
name	n	share	ok	note
Ann Lee	7	0.25	true	` + `
"日本 | ""x"", y"	-1200	1e-09	false	"two
lines"
`,
		"jsonl": `
{"name":"Ann Lee","n":7,"share":0.25,"ok":true,"note":null}
{"name":"日本 | \"x\", y","n":-1200,"share":1e-9,"ok":false,"note":"two\nlines"}
`,
	} {
		got := succeed(t, "", "exec", "--format", format, "-c", sample)
		if format == "table" || format == "vertical" {
			got = trimmed(got)
		}
		if got != want[1:] {
			t.Errorf("%s:\n%s\nwant\n%s", format, got, want[1:])
		}
	}
}

// TestNoRows shows the header, and the number of rows in tables.
func TestNoRows(t *testing.T) {
	for format, want := range map[string]string{
		"table":    " a │ b\n───┼───\n(0 rows)\n",
		"vertical": "(0 rows)\n",
		"csv":      "a,b\n",
		"tsv":      "a\tb\n",
		"jsonl":    "",
	} {
		if got := trimmed(succeed(t, "", "exec", "--format", format, "-c", "SELECT 1 AS a, 2 AS b LIMIT 0")); got != want {
			t.Errorf("%s without rows: %q, want %q", format, got, want)
		}
	}
}

// TestTags are shown to people, not where a program reads rows.
func TestTags(t *testing.T) {
	for format, want := range map[string]string{"table": "CREATE CORPUS\n", "vertical": "CREATE CORPUS\n",
		"markdown": "CREATE CORPUS\n", "csv": "", "tsv": "", "jsonl": ""} {
		if got := succeed(t, "", "exec", "--format", format, "-c", "CREATE CORPUS docs"); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

// TestLongResults come whole in every format, in tables with the number of all rows.
func TestLongResults(t *testing.T) {
	const n = 2500
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in, "%d\t%d\n", i, i*i)
	}
	const prepare = "CREATE LEXICON t (word TEXT, n INTEGER); LOAD STDIN INTO t FORMAT tsv WITH (header = false, " +
		"columns = (word, n))"
	run := func(format string) string {
		return succeed(t, in.String(), "exec", "--format", format, "-c", prepare, "-c", "SELECT word, n FROM t")
	}
	records, err := csv.NewReader(strings.NewReader(run("csv"))).ReadAll()
	if err != nil || len(records) != n+1 || records[n][0] != fmt.Sprint(n-1) {
		t.Errorf("csv has %d records: %v", len(records), err)
	}
	lines := strings.Split(strings.TrimSpace(run("jsonl")), "\n")
	for i, l := range lines {
		var row struct {
			Word string
			N    int
		}
		if err := json.Unmarshal([]byte(l), &row); err != nil || row.Word != fmt.Sprint(i) || row.N != i*i {
			t.Fatalf("line %d is %s: %v", i+1, l, err)
		}
	}
	if len(lines) != n {
		t.Errorf("jsonl has %d lines", len(lines))
	}
	table := run("table")
	if !strings.HasSuffix(table, fmt.Sprintf("\n(%d rows)\n", n)) || strings.Count(table, "─┼─") != 3 ||
		!strings.Contains(table, fmt.Sprintf(" %d │ %d\n", n-1, (n-1)*(n-1))) {
		t.Errorf("the table ends\n%s", table[max(0, len(table)-300):])
	}
}
