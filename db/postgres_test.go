package db_test

import (
	"context"
	"errors"
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

// TestPostgreSQL runs the files of testdata/postgres, whose answers are those of PostgreSQL 15. If PARLANCE_PSQL holds
// a command that starts psql on an empty database, -rewrite asks it and writes what it answers. Queries run here twice,
// with and without the rules of the optimiser.
//
//	exec    runs statements, a line each
//	each    answers queries, a line each
//	pairs   answers a query for each pair of types, which stand for x and y in {x} and {y}
//
// An answer is a line of rows, or "error" for types or texts that do not fit.
func TestPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of queries, one after the other: not for a short run")
	}
	datadriven.Walk(t, filepath.Join("..", "testdata", "postgres"), func(t *testing.T, path string) {
		d := open(t, "")
		plain := d.Conn()
		if _, err := plain.Exec(t.Context(), "SET rules_off = ("+strings.Join(optimise.RuleNames(), ", ")+")"); err != nil {
			t.Fatal(err)
		}
		run := oracleRun{own: d.Conn(), plain: plain}
		datadriven.RunTest(t, path, run.test)
		for _, f := range run.failures {
			t.Error(f)
		}
	})
}

// oracleRun keeps failures to the end of the file, since datadriven ends at the first.
type oracleRun struct {
	own, plain *db.Conn
	setup      []string // statements that ran, for psql
	failures   []string
}

// pairedTypes are the names of the columns of the tables, one of each type.
var pairedTypes = []string{"i", "f", "t", "b", "s", "j", "v"}

// queries are the queries of a test, and what their lines of answers begin with.
func queries(td *datadriven.TestData) (list, heads []string) {
	lines := strings.Split(strings.TrimSpace(td.Input), "\n")
	if td.Cmd != "pairs" {
		return lines, make([]string, len(lines))
	}
	for _, line := range lines {
		for _, x := range pairedTypes {
			for _, y := range pairedTypes {
				list = append(list, strings.NewReplacer("{x}", x, "{y}", y).Replace(line))
				heads = append(heads, x+" "+y+": ")
			}
		}
	}
	return list, heads
}

func (a *oracleRun) test(t *testing.T, td *datadriven.TestData) string {
	list, heads := queries(td)
	if td.Cmd == "exec" {
		for _, s := range list {
			a.setup = append(a.setup, s)
			if _, err := a.own.Exec(t.Context(), strings.Replace(s, "CREATE TABLE", "CREATE LEXICON", 1)); err != nil {
				td.Fatalf(t, "%s: %v", s, err)
			}
		}
		return td.Expected
	}
	want := strings.Split(strings.TrimSuffix(td.Expected, "\n"), "\n")
	if command := os.Getenv("PARLANCE_PSQL"); command != "" && td.Rewrite {
		want = askPostgreSQL(t, command, a.setup, list)
		for i := range want {
			want[i] = heads[i] + want[i]
		}
		td.Expected = strings.Join(want, "\n") + "\n"
	}
	if len(want) != len(list) {
		td.Fatalf(t, "%d answers for %d queries", len(want), len(list))
	}
	for i, q := range list {
		for _, c := range []*db.Conn{a.own, a.plain} {
			got, err := ownAnswer(c, q)
			if got = heads[i] + got; strings.TrimSpace(got) != strings.TrimSpace(want[i]) {
				a.failures = append(a.failures, td.Pos+": "+q+"\n    gives "+got+" "+errorText(err)+"\n   wanted "+want[i])
				break
			}
		}
	}
	return td.Expected
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return "(" + err.Error() + ")"
}

// ownAnswer is the answer of a query here.
func ownAnswer(c *db.Conn, query string) (string, error) {
	rows, err := c.Query(context.Background(), query)
	if err != nil {
		return errorAnswer(err), err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var cells []string
		for _, v := range rows.Values() {
			cells = append(cells, answerCell(v))
		}
		out = append(out, strings.Join(cells, ","))
	}
	if rows.Err() != nil {
		return errorAnswer(rows.Err()), rows.Err()
	}
	return joinedAnswer(out), nil
}

// joinedAnswer is rows in one line, in any order.
func joinedAnswer(rows []string) string {
	slices.Sort(rows)
	return strings.Join(rows, " | ")
}

// errorAnswer is "error" for what is wrong with types and texts, and the code of other errors.
func errorAnswer(err error) string {
	var e *db.Error
	if errors.As(err, &e) {
		return errorOfCode(e.Code)
	}
	return err.Error()
}

func errorOfCode(code string) string {
	switch code {
	case "42804", "42883", "42846", "22P02", "22007", "22023", "42725":
		return "error"
	}
	return "error " + code
}

// answerCell writes a value as psql does.
func answerCell(v value.Value) string {
	switch v.T {
	case value.Null:
		return "NULL"
	case value.Boolean:
		return v.String()[:1]
	case value.Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return v.String()
}

// askPostgreSQL returns the answers of psql, which runs the statements in a transaction block that is rolled back.
func askPostgreSQL(t *testing.T, command string, setup, list []string) []string {
	var script strings.Builder
	script.WriteString("\\set ON_ERROR_ROLLBACK on\nSET client_min_messages = error;\nBEGIN;\n")
	for _, s := range setup {
		script.WriteString(strings.NewReplacer(" INTEGER", " BIGINT", " FLOAT", " DOUBLE PRECISION", " JSON", " JSONB").
			Replace(s) + ";\n")
	}
	script.WriteString("\\echo start\n")
	for _, q := range list {
		script.WriteString(strings.TrimSuffix(q, ";") + ";\n\\echo end :SQLSTATE\n")
	}
	script.WriteString("ROLLBACK;\n")
	args := strings.Fields(command)
	cmd := exec.Command(args[0], append(args[1:], "-X", "-q", "-A", "-t", "-F", ",", "-P", "null=NULL")...)
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(out), "start\n")
	var answers, rows []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		code, end := strings.CutPrefix(line, "end ")
		switch {
		case !end:
			rows = append(rows, line)
		case code == "00000":
			answers, rows = append(answers, joinedAnswer(rows)), nil
		default:
			answers, rows = append(answers, errorOfCode(code)), nil
		}
	}
	return answers
}
