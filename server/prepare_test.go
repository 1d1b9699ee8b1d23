package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestNamesOfStatements prepares by message, and neither prepares nor executes by statement.
func TestNamesOfStatements(t *testing.T) {
	_, _, addr := start(t, Options{})
	ctx := context.Background()
	c := connect(t, addr, "")
	simple := func(statement, code string) {
		t.Helper()
		if _, err := c.PgConn().Exec(ctx, statement).ReadAll(); sqlstate(err) != code || code == "" && err != nil {
			t.Errorf("%s: %v, want %q", statement, err, code)
		}
	}
	run := func(code string) {
		t.Helper()
		r := c.PgConn().ExecPrepared(ctx, "twice", [][]byte{[]byte("21")}, nil, nil).Read()
		if sqlstate(r.Err) != code || code == "" && (len(r.Rows) != 1 || string(r.Rows[0][0]) != "42") {
			t.Error(r.Rows, r.Err)
		}
	}
	if _, err := c.PgConn().Prepare(ctx, "twice", "SELECT ($1::int * 2)::text", nil); err != nil {
		t.Fatal(err)
	}
	run("")
	simple("EXECUTE twice (21)", "0A000")
	simple("PREPARE half AS SELECT 1", "0A000")
	if _, err := c.PgConn().Prepare(ctx, "twice", "SELECT 1", nil); sqlstate(err) != "42P05" {
		t.Error(err)
	}
	if _, err := c.PgConn().Prepare(ctx, "\xff", "SELECT 1", nil); sqlstate(err) != "22021" {
		t.Error(err)
	}
	if err := c.PgConn().Deallocate(ctx, "twice"); err != nil {
		t.Fatal(err)
	}
	run("26000")
	simple("DEALLOCATE twice", "26000")
}

// TestTextsOfPreparedStatements bounds what the statements of a session take.
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
	}
	prepare("a", "")
	prepare("b", "")
	prepare("c", "")
	prepare("d", "54000")
	if _, err := c.Prepare(ctx, "short", "SELECT 1", nil); err != nil {
		t.Error(err)
	}
	for _, drop := range []string{"DEALLOCATE a", "DISCARD ALL"} {
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
