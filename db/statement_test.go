package db_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

func TestOnStatement(t *testing.T) {
	ctx := context.Background()
	d := open(t, "")
	c := d.Conn()
	var seen []db.StatementInfo
	c.Wire().OnStatement(func(i db.StatementInfo) { seen = append(seen, i) })
	next := func() db.StatementInfo {
		t.Helper()
		if len(seen) != 1 {
			t.Fatalf("%d ends are told", len(seen))
		}
		i := seen[0]
		seen = nil
		if i.Started.IsZero() || i.Duration <= 0 || i.Duration > time.Minute {
			t.Errorf("started at %s, took %s", i.Started, i.Duration)
		}
		return i
	}
	rows, err := c.Query(ctx, "select  1 as one union all select $1", 7)
	if err != nil || len(seen) != 0 {
		t.Fatalf("%v, %d ends are told before the rows are read", err, len(seen))
	}
	for rows.Next() {
	}
	first := next()
	if first.Kind != "SELECT" || first.Rows != 2 || first.Code() != "" ||
		first.Text() != "SELECT 1 AS one UNION ALL SELECT $1" || len(first.Params()) != 1 {
		t.Errorf("%+v %s", first, first.Text())
	}
	if err := rows.Close(); err != nil || len(seen) != 0 {
		t.Errorf("closing again: %v, %d ends are told", err, len(seen))
	}
	if _, err := c.Exec(ctx, "SELECT nothing FROM nowhere"); err == nil {
		t.Error("an unknown table is no error")
	}
	if i := next(); i.ID != first.ID+1 || i.Code() != "42P01" || i.Err == nil || i.Kind != "SELECT" {
		t.Errorf("%+v", i)
	}
	if _, err := c.Exec(ctx, "CREATE USER ann WITH PASWORD 'secret'"); err == nil {
		t.Error("a wrong statement is no error")
	}
	if i := next(); i.Kind != "UNPARSED" || i.Code() != "42601" || i.Text() != "" {
		t.Errorf("%+v %q", i, i.Text())
	}
	if _, err := c.Exec(ctx, "SELECT $1, $2", 1); err == nil {
		t.Error("a missing argument is no error")
	}
	if i := next(); i.Kind != "SELECT" || i.Code() != "08P01" {
		t.Errorf("%+v", i)
	}
	if err := c.Script(ctx, "SELECT 1; SELEKT 2", nil); err == nil || len(seen) != 2 {
		t.Errorf("%v, %d ends are told", err, len(seen))
	}
	if seen[0].Kind != "SELECT" || seen[1].Kind != "UNPARSED" {
		t.Errorf("%+v", seen)
	}
}

func TestOnStatementTellsCancelledRows(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	var last db.StatementInfo
	c.Wire().OnStatement(func(i db.StatementInfo) { last = i })
	script(t, c, "CREATE CORPUS docs; INSERT INTO docs (id, text) VALUES ('a', 'x')")
	ctx, cancel := context.WithCancel(context.Background())
	rows, err := c.Query(ctx, "SELECT id FROM docs")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for rows.Next() {
	}
	if rows.Close(); last.Code() != "57014" {
		t.Errorf("%+v", last)
	}
	if rows, err = c.Query(context.Background(), "SELECT id FROM docs"); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil || last.Code() != "08003" {
		t.Errorf("%v, %+v", err, last)
	}
	rows.Close()
}

func TestTextOfStatementsHidesPasswords(t *testing.T) {
	d := open(t, "")
	c := d.Conn()
	var all []string
	c.Wire().OnStatement(func(i db.StatementInfo) { all = append(all, i.Kind+" "+i.Text()) })
	for _, s := range []string{"CREATE USER ann WITH PASSWORD 'geheim' ROLE admin",
		"ALTER USER bob WITH PASSWORD 'geheim'", "EXPLAIN CREATE USER ann WITH PASSWORD 'geheim'",
		"CREATE USER ann WITH PASSWORD 'geheim'"} {
		_, _ = c.Exec(context.Background(), s)
	}
	if got := strings.Join(all, "\n"); strings.Contains(got, "geheim") || len(all) != 4 {
		t.Errorf("told:\n%s", got)
	}
}
