package server

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/lib/pq"
)

// TestLibPQ drives the server with the other driver that Go programs use.
func TestLibPQ(t *testing.T) {
	_, _, addr := start(t, Options{})
	for name, option := range map[string]string{"text": "", "binary": "&binary_parameters=yes"} {
		t.Run(name, func(t *testing.T) {
			pool, err := sql.Open("postgres", "postgres://ann@"+addr+"/x?sslmode=disable"+option)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			ctx := context.Background()
			exec := func(statement string, args ...any) int64 {
				t.Helper()
				r, err := pool.ExecContext(ctx, statement, args...)
				if err != nil {
					t.Fatal(err)
				}
				n, err := r.RowsAffected()
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			exec("CREATE CORPUS docs (year INTEGER, seen TIMESTAMP)")
			defer exec("DROP CORPUS docs")
			now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
			if n := exec("INSERT INTO docs (id, text, year, seen) VALUES ($1, $2, $3, $4)", "a", "Ann's “text”.",
				2020, now); n != 1 {
				t.Errorf("%d rows affected", n)
			}
			var id, text string
			var year int
			var seen time.Time
			var label sql.NullString
			row := pool.QueryRowContext(ctx,
				"SELECT id, text, year, seen, CAST(NULL AS text) FROM docs WHERE year >= $1 AND seen = $2", 2000, now)
			if err := row.Scan(&id, &text, &year, &seen, &label); err != nil || id != "a" || text != "Ann's “text”." ||
				year != 2020 || !seen.Equal(now) || label.Valid {
				t.Error(id, text, year, seen, label, err)
			}
			st, err := pool.PrepareContext(ctx, "SELECT $1::float8 * 2, $2::bool, $3")
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			for range 3 {
				var f float64
				var b bool
				var s string
				if err := st.QueryRowContext(ctx, 1.25, true, "x").Scan(&f, &b, &s); err != nil || f != 2.5 || !b || s != "x" {
					t.Error(f, b, s, err)
				}
			}
			tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			_, err = tx.ExecContext(ctx, "DELETE FROM docs")
			var e *pq.Error
			if !errors.As(err, &e) || e.Code[:2] != "25" {
				t.Errorf("a write in a transaction: %v", err)
			}
			if err := tx.Rollback(); err != nil {
				t.Error(err)
			}
			_, err = pool.ExecContext(ctx, "SELECT nix FROM docs")
			if !errors.As(err, &e) || e.Code != "42703" || e.Position != "8" || e.Hint == "" {
				t.Errorf("%+v", e)
			}
			short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			if _, err := pool.ExecContext(short,
				"SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b"); err == nil {
				t.Error("a statement outlives its context")
			}
		})
	}
}
