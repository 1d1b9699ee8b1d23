package db_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parlance/db"
	"parlance/query/optimise"
	"parlance/storage/value"

	"github.com/cockroachdb/datadriven"
)

// TestSQLite runs the files of testdata/sqlite, whose results are those of SQLite. Where
// sqlite3 is installed it is asked too, so that the files cannot be wrong; -rewrite writes
// what it answers. Queries run here twice, with and without the rules of the optimiser.
//
//	table name     makes a table: a line of columns, then a line of values a row
//	exec           runs a statement
//	query [sort]   compares the rows; sort: in any order
//
// Values are separated by tabs. A text that could be taken for something else, or could not
// be seen, is in double quotes. Booleans are 0 and 1.
func TestSQLite(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of queries, one after the other: not for a short run")
	}
	program := sqliteProgram(t)
	datadriven.Walk(t, filepath.Join("..", "testdata", "sqlite"), func(t *testing.T, path string) {
		d := open(t, "")
		plain := d.Conn()
		if _, err := plain.Exec(t.Context(), "SET rules_off = ("+strings.Join(optimise.RuleNames(), ", ")+")"); err != nil {
			t.Fatal(err)
		}
		var lite *sqlite
		if program != "" {
			lite = &sqlite{program: program, dir: t.TempDir()}
		}
		run := comparison{own: d.Conn(), plain: plain, lite: lite}
		datadriven.RunTest(t, path, run.test)
		for _, f := range run.failures {
			t.Error(f)
		}
	})
}

// comparison keeps failures to the end of the file, since datadriven ends at the first.
type comparison struct {
	own      *db.Conn
	plain    *db.Conn // without the rules of the optimiser
	lite     *sqlite  // nil where it is not installed
	failures []string
}

// test runs one test on both and returns what the file should say.
func (c *comparison) test(t *testing.T, td *datadriven.TestData) string {
	ours, theirs, err := statements(td)
	if err != nil {
		td.Fatalf(t, "%v", err)
	}
	if c.lite != nil {
		got, err := c.lite.rows(theirs)
		if err == nil && td.Rewrite {
			td.Expected = lines(arranged(td, got))
		}
		c.check(td, "sqlite3", got, err)
	}
	got, err := ownRows(c.own, ours)
	c.check(td, "parlance", got, err)
	if td.Cmd == "query" {
		got, err := ownRows(c.plain, ours)
		c.check(td, "parlance without rules", got, err)
	}
	return td.Expected
}

// check notes where the rows that one of both gives are not those of the file.
func (c *comparison) check(td *datadriven.TestData, who string, got [][]string, err error) {
	if err == nil {
		err = differ(cells(td.Expected), arranged(td, got))
	}
	if err != nil {
		c.failures = append(c.failures, fmt.Sprintf("%s: %s: %v\n%s", td.Pos, who, err, td.Input))
	}
}

func arranged(td *datadriven.TestData, rows [][]string) [][]string {
	if td.HasArg("sort") {
		slices.SortFunc(rows, slices.Compare)
	}
	return rows
}

// statements returns what a test runs here and in SQLite.
func statements(td *datadriven.TestData) (ours, theirs string, err error) {
	switch td.Cmd {
	case "exec", "query":
		return td.Input, td.Input, nil
	case "table":
		columns, rows, _ := strings.Cut(strings.TrimSpace(td.Input), "\n")
		if len(td.CmdArgs) != 1 || rows == "" {
			return "", "", fmt.Errorf("table: a name, a line of columns and lines of rows are wanted")
		}
		name := td.CmdArgs[0].Key
		insert := fmt.Sprintf("INSERT INTO %s VALUES (%s)", name, strings.ReplaceAll(rows, "\n", "), ("))
		create := fmt.Sprintf("%s (%s);\n%s;", name, columns, insert)
		return "CREATE LEXICON " + create, "CREATE TABLE " + create, nil
	}
	return "", "", fmt.Errorf("unknown directive %s: table, exec or query is wanted", td.Cmd)
}

// ownRows returns the rows of statements here.
func ownRows(c *db.Conn, script string) ([][]string, error) {
	var out [][]string
	err := c.Script(context.Background(), script, func(rows *db.Rows) error {
		for len(rows.Columns()) > 0 && rows.Next() {
			row := make([]string, len(rows.Columns()))
			for i, v := range rows.Values() {
				row[i] = cell(v)
			}
			out = append(out, row)
		}
		return rows.Err()
	})
	return out, err
}

// cell writes a value as the files do.
func cell(v value.Value) string {
	switch v.T {
	case value.Null:
		return "NULL"
	case value.Integer, value.Boolean:
		return strconv.FormatInt(v.Int(), 10)
	case value.Float:
		return strconv.FormatFloat(v.Float(), 'g', 12, 64)
	}
	s := v.String()
	_, err := strconv.ParseFloat(s, 64)
	if s == "" || s == "NULL" || err == nil || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\"\t\n\r") {
		return strconv.Quote(s)
	}
	return s
}

// cells and lines read and write the rows of a file.
func cells(s string) [][]string {
	var rows [][]string
	for line := range strings.Lines(s) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func lines(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, "\t") + "\n")
	}
	return b.String()
}

// differ says where rows are not what is wanted. Numbers may differ by a 1e-9th.
func differ(want, got [][]string) error {
	whole := func() string { return fmt.Sprintf("\nwanted:\n%sgot:\n%s", lines(want), lines(got)) }
	if len(want) != len(got) {
		return fmt.Errorf("%d rows, wanted %d%s", len(got), len(want), whole())
	}
	for i := range want {
		if len(want[i]) != len(got[i]) {
			return fmt.Errorf("%d columns, wanted %d%s", len(got[i]), len(want[i]), whole())
		}
		for j := range want[i] {
			if !near(want[i][j], got[i][j]) {
				return fmt.Errorf("row %d, column %d is %s, wanted %s%s", i+1, j+1, got[i][j], want[i][j], whole())
			}
		}
	}
	return nil
}

func near(a, b string) bool {
	if a == b {
		return true
	}
	if !strings.ContainsAny(a+b, ".e") {
		return false
	}
	x, err := strconv.ParseFloat(a, 64)
	if err != nil {
		return false
	}
	y, err := strconv.ParseFloat(b, 64)
	return err == nil && math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}

// sqlite runs statements by the program, on a file in dir.
type sqlite struct{ program, dir string }

// sqliteProgram is the path of a sqlite3 that knows what the files use; "" without one.
func sqliteProgram(t *testing.T) string {
	path, err := exec.LookPath("sqlite3")
	if err != nil {
		return ""
	}
	probe := sqlite{program: path, dir: t.TempDir()}
	if _, err := probe.rows("SELECT sqrt(4), 1 IS NOT DISTINCT FROM 1"); err != nil {
		t.Logf("%s is too old to be asked: %v", path, err)
		return ""
	}
	return path
}

func (s *sqlite) rows(script string) ([][]string, error) {
	setup := ".mode quote\n.separator \"\\t\" \"\\n\"\nPRAGMA case_sensitive_like = ON;\n"
	cmd := exec.Command(s.program, "-batch", "-bail", filepath.Join(s.dir, "file.db"))
	cmd.Stdin = strings.NewReader(setup + script + "\n;\n")
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return quoted(string(out))
}

// quoted parses rows of SQL literals between tabs.
func quoted(s string) ([][]string, error) {
	var rows [][]string
	var row []string
	for s != "" {
		n := strings.IndexAny(s, "\t\n")
		if s[0] == '\'' {
			n = 1
			for n < len(s) && (s[n] != '\'' || strings.HasPrefix(s[n+1:], "'")) {
				if s[n] == '\'' {
					n++
				}
				n++
			}
			n++
		}
		if n < 0 || n >= len(s) {
			return nil, fmt.Errorf("sqlite3 ends within a row: %q", s)
		}
		v, err := literal(s[:n])
		if err != nil {
			return nil, err
		}
		row = append(row, cell(v))
		if s[n] == '\n' {
			rows, row = append(rows, row), nil
		}
		s = s[n+1:]
	}
	return rows, nil
}

func literal(s string) (value.Value, error) {
	if s == "NULL" {
		return value.Value{}, nil
	}
	if strings.HasPrefix(s, "'") {
		return value.Str(strings.ReplaceAll(s[1:len(s)-1], "''", "'")), nil
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.Int(i), nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return value.Value{}, fmt.Errorf("sqlite3 answers %s, a literal is wanted", s)
	}
	return value.Real(f), nil
}
