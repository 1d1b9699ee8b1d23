package server

import (
	"context"
	"errors"
	"testing"

	"parlance/db"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestDeallocate forgets prepared statements by statements, as poolers and drivers do.
func TestDeallocate(t *testing.T) {
	_, _, addr := start(t, Options{})
	ctx := context.Background()
	c, err := pgx.Connect(ctx, "postgres://ann@"+addr+"/x?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	run := func(statement, code string) {
		t.Helper()
		if _, err := c.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); sqlstate(err) != code {
			t.Errorf("%s: %v, want %q", statement, err, code)
		}
	}
	prepare := func(name, code string) {
		t.Helper()
		if _, err := c.PgConn().Prepare(ctx, name, "SELECT 1", nil); sqlstate(err) != code {
			t.Errorf("prepare %s: %v, want %q", name, err, code)
		}
	}
	prepare("a", "")
	prepare("B c", "")
	prepare("a", "42P05")
	run("DEALLOCATE a", "")
	run("DEALLOCATE a", "26000")
	run(`DEALLOCATE PREPARE "B c"`, "")
	prepare("a", "")
	run("DEALLOCATE ALL", "")
	prepare("a", "")
	run("DISCARD ALL", "")
	prepare("a", "")
	if err := c.DeallocateAll(ctx); err != nil {
		t.Error(err)
	}
}

// sqlstate is the code of an error of either driver.
func sqlstate(err error) string {
	var own *db.Error
	var far *pgconn.PgError
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &far):
		return far.Code
	}
	return ""
}
