package server

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestTemporaryObjectsEndWithTheirClient ends sessions in every way that clients have; what was temporary is gone.
func TestTemporaryObjectsEndWithTheirClient(t *testing.T) {
	_, _, addr := start(t, Options{})
	other := connect(t, addr, "")
	do := func(c *pgx.Conn, statements ...string) {
		t.Helper()
		for _, s := range statements {
			if _, err := c.Exec(t.Context(), s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	for name, end := range map[string]func(c *pgx.Conn) error{
		"Terminate": func(c *pgx.Conn) error { return c.Close(context.Background()) },
		"gone":      func(c *pgx.Conn) error { return c.PgConn().Conn().Close() },
		"gone while a statement runs": func(c *pgx.Conn) error {
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = c.Exec(context.Background(), "INSERT INTO wire SELECT n FROM generate_series(1, 1000000000) AS g(n)")
			}()
			time.Sleep(50 * time.Millisecond)
			err := c.PgConn().Conn().Close()
			<-done
			return err
		},
		"ended by another": func(c *pgx.Conn) error {
			var ended bool
			err := other.QueryRow(t.Context(), "SELECT pg_terminate_backend($1, 5000)", c.PgConn().PID()).Scan(&ended)
			if err == nil && !ended {
				t.Error("the session has not ended")
			}
			// it ends with its temporary objects
			do(other, "CREATE TABLE wire (n INTEGER)", "DROP TABLE wire")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, addr, "")
			do(c, "CREATE TEMPORARY CORPUS scratch; INSERT INTO scratch (id, text) VALUES ('a', 'Ann left.'); "+
				"CREATE TEMP TABLE wire AS SELECT 1 AS n")
			var n int
			err := c.QueryRow(t.Context(), "SELECT count(*) FROM scratch.tokens, wire WHERE n = $1", 1).Scan(&n)
			if err != nil || n != 3 {
				t.Fatal(n, err)
			}
			if _, err := other.Exec(t.Context(), "SELECT n FROM wire"); sqlstate(err) != "42P01" {
				t.Errorf("another session gets %v", err)
			}
			if _, err := other.Exec(t.Context(), "CREATE TABLE wire (n INTEGER)"); sqlstate(err) != "42710" {
				t.Errorf("the name that is taken gives %v", err)
			}
			if err := end(c); err != nil {
				t.Fatal(err)
			}
			for started := time.Now(); ; time.Sleep(10 * time.Millisecond) {
				_, err := other.Exec(t.Context(), "CREATE TABLE wire (n INTEGER)")
				if err == nil {
					break
				}
				if sqlstate(err) != "42710" || time.Since(started) > 5*time.Second {
					t.Fatal(err)
				}
			}
			do(other, "CREATE CORPUS scratch", "DROP TABLE wire", "DROP CORPUS scratch")
		})
	}
}
