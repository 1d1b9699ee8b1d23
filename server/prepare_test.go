package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestNamesAreShared prepares by message and runs by EXECUTE, and the other way round.
func TestNamesAreShared(t *testing.T) {
	_, _, addr := start(t, Options{})
	ctx := context.Background()
	c := connect(t, addr, "")
	simple := func(statement, code string) string {
		t.Helper()
		results, err := c.PgConn().Exec(ctx, statement).ReadAll()
		if sqlstate(err) != code || code == "" && err != nil {
			t.Errorf("%s: %v, want %q", statement, err, code)
		}
		if len(results) == 0 || len(results[0].Rows) == 0 {
			return ""
		}
		return string(results[0].Rows[0][0])
	}
	if _, err := c.Prepare(ctx, "twice", "SELECT ($1::int * 2)::text"); err != nil {
		t.Fatal(err)
	}
	if got := simple("EXECUTE twice (21)", ""); got != "42" {
		t.Error(got)
	}
	simple("PREPARE twice AS SELECT 1", "42P05")
	if got := simple("SELECT parameter_types || ' ' || from_sql FROM pg_prepared_statements WHERE name = 'twice'",
		""); got != `["integer"] false` {
		t.Error(got)
	}
	simple("PREPARE half (float, text) AS SELECT ($1 / 2)::text || $2", "")
	if _, err := c.PgConn().Prepare(ctx, "half", "SELECT 1", nil); sqlstate(err) != "42P05" {
		t.Error(err)
	}
	r := c.PgConn().ExecPrepared(ctx, "half", [][]byte{[]byte("3"), []byte(" kg")}, nil, nil).Read()
	if r.Err != nil || len(r.Rows) != 1 || string(r.Rows[0][0]) != "1.5 kg" {
		t.Error(r.Rows, r.Err)
	}
	if r.CommandTag.String() != "SELECT 1" {
		t.Error(r.CommandTag)
	}
	if err := c.PgConn().Deallocate(ctx, "half"); err != nil {
		t.Fatal(err)
	}
	simple("EXECUTE half (1, '')", "26000")
	if _, err := c.PgConn().Prepare(ctx, "\xff", "SELECT 1", nil); sqlstate(err) != "22021" {
		t.Error(err)
	}
	simple("DEALLOCATE twice", "")
	simple("EXECUTE twice (1)", "26000")
	if _, err := c.PgConn().Prepare(ctx, "make", "CREATE USER ann WITH PASSWORD $1", nil); err != nil {
		t.Fatal(err)
	}
	simple("EXECUTE make ('secret')", "0A000")
	simple("DISCARD ALL", "")
	simple("EXECUTE make ('secret')", "26000")
}

// TestTextsOfPreparedStatements bounds what the statements of a session take, by message and by PREPARE.
func TestTextsOfPreparedStatements(t *testing.T) {
	_, _, addr := start(t, Options{})
	ctx := context.Background()
	c := connect(t, addr, "").PgConn()
	long := "SELECT '" + strings.Repeat("x", 5<<20) + "'"
	prepare := func(name, code string) {
		t.Helper()
		if _, err := c.Prepare(ctx, name, long, nil); sqlstate(err) != code {
			t.Errorf("%s: %v, want %q", name, err, code)
		}
		if _, err := c.Exec(ctx, fmt.Sprintf("PREPARE by_%s AS %s", name, long)).ReadAll(); sqlstate(err) != code {
			t.Errorf("PREPARE %s: %v, want %q", name, err, code)
		}
	}
	prepare("a", "")
	if _, err := c.Prepare(ctx, "b", long, nil); err != nil {
		t.Error(err)
	}
	prepare("c", "54000")
	if _, err := c.Prepare(ctx, "short", "SELECT 1", nil); err != nil {
		t.Error(err)
	}
	for _, drop := range []string{"DEALLOCATE a; DEALLOCATE by_a", "DISCARD ALL"} {
		if _, err := c.Exec(ctx, drop).ReadAll(); err != nil {
			t.Error(err)
		}
		prepare(fmt.Sprint("after", len(drop)), "")
	}
	if _, err := c.Exec(ctx, "DISCARD ALL").ReadAll(); err != nil {
		t.Error(err)
	}
	if _, err := c.Prepare(ctx, "longest", "SELECT '"+strings.Repeat("x", 16<<20-9)+"'", nil); err != nil {
		t.Error(err)
	}
}
