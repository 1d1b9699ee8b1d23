package repl_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/db"
)

// TestKilledServerLeavesNothingTemporary kills a server while a session has temporary objects, and opens its file.
func TestKilledServerLeavesNothingTemporary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "served.parlance")
	p := serveFile(t, buildCommand(t), file)
	c, err := pgconn.Connect(t.Context(), "postgres://"+p.addr+"/parlance?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for _, script := range []string{"CREATE CORPUS kept", "CREATE TEMPORARY CORPUS scratch",
		"INSERT INTO scratch (id, text) SELECT n::text, 'Ann left.' FROM generate_series(1, 3000) AS g(n)",
		"CREATE TEMP TABLE numbers AS SELECT n FROM generate_series(1, 100000) AS g(n)", "CREATE INDEX ON numbers (n)",
		"BEGIN", "CREATE TEMP TABLE pending AS SELECT 1 AS n"} {
		if err := c.Exec(t.Context(), script).Close(); err != nil {
			t.Fatalf("%s: %v", script, err)
		}
	}
	p.kill()
	d, err := db.Open(file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var names []string
	rows, err := d.Query(t.Context(), "SELECT relname FROM pg_class WHERE relnamespace = 2200 AND relkind = 'r'")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		names = append(names, rows.Values()[0].String())
	}
	if err := rows.Close(); err != nil || !slices.Equal(names, []string{"kept"}) {
		t.Errorf("the file has %v, %v", names, err)
	}
	for _, s := range []string{"CHECK DATABASE", "CREATE CORPUS scratch", "CREATE TABLE numbers (n INTEGER)",
		"CREATE TABLE pending (n INTEGER)", "CHECK DATABASE"} {
		if _, err := d.Exec(t.Context(), s); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}
