package db_test

import (
	"fmt"
	"testing"

	"parlance/db"
)

// statementBytes is what statements hold now, by the count of the database.
func statementBytes(t *testing.T, d *db.DB) int {
	t.Helper()
	for _, m := range d.Metrics() {
		if m.Name == "parlance_memory_held_bytes" {
			return int(m.Value)
		}
	}
	t.Fatal("no metric of the memory of statements")
	return 0
}

// TestMemoryLimit holds rows in many cursors of several sessions: together they hold no more than memory_limit, and
// those that would are refused or use files. Small statements go on, and all is given back.
func TestMemoryLimit(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), "ALTER SYSTEM SET memory_limit = 64")
	const bound = (64 + 12*8) << 20 // of each cursor, what some batches take is free
	for _, x := range []struct {
		name, query string
		refused     bool // else written to files
	}{
		{"wide rows", "SELECT repeat('x', 10000000 + n) FROM generate_series(1, 3) AS t(n)", true},
		{"arrays", "SELECT length(string_agg(repeat('x', 1000000), n::text)) FROM generate_series(1, 20) AS t(n)", true},
		{"sorts", "SELECT n, repeat('x', 2500) FROM generate_series(1, 8000) AS t(n) ORDER BY n DESC", false},
		{"groups", "SELECT n || repeat('x', 2500), count(*) FROM generate_series(1, 8000) AS t(n) GROUP BY 1", false},
		{"distinct rows", "SELECT DISTINCT n || repeat('x', 2500) FROM generate_series(1, 8000) AS t(n)", false},
		{"joins", "SELECT a.x FROM (SELECT n, n || repeat('x', 2500) AS x FROM generate_series(1, 8000) AS t(n)) a JOIN " +
			"(SELECT n, n || repeat('y', 2500) AS y FROM generate_series(1, 8000) AS t(n)) b ON a.n = b.n", false},
		{"windows", "SELECT x, count(*) OVER (PARTITION BY n) FROM (SELECT n, n || repeat('x', 2500) AS x FROM " +
			"generate_series(1, 8000) AS t(n)) a", false},
		{"values of a subselect", "SELECT n FROM generate_series(1, 3) AS s(n) WHERE n::text NOT IN (SELECT n || " +
			"repeat('x', 2500) FROM generate_series(1, 6000) AS t(n))", true},
	} {
		var sessions []*db.Conn
		refused := 0
		for i := range 6 {
			c := d.Conn()
			c.Wire().Interleave()
			sessions = append(sessions, c)
			script(t, c, "BEGIN")
			for k := range 2 {
				script(t, c, fmt.Sprintf("SAVEPOINT s; DECLARE c%d CURSOR FOR %s", k, x.query))
				err := c.Script(t.Context(), fmt.Sprintf("FETCH c%d", k), nil)
				if code(err) == "53200" {
					refused++
					script(t, c, "ROLLBACK TO s")
				} else if err != nil {
					t.Fatalf("%s: %v", x.name, err)
				}
			}
			if n := statementBytes(t, d); n > bound {
				t.Errorf("%s: %d cursors hold %d MB", x.name, 2*(i+1), n>>20)
			}
		}
		if (refused > 0) != x.refused {
			t.Errorf("%s: %d of 12 refused", x.name, refused)
		}
		script(t, d.Conn(), "SELECT n FROM generate_series(1, 100) AS t(n) ORDER BY n DESC")
		for _, c := range sessions {
			c.Wire().Release()
		}
		if n := statementBytes(t, d); n != 0 {
			t.Errorf("%s: %d bytes are never given back", x.name, n)
		}
		script(t, d.Conn(), x.query)
	}
	if n := statementBytes(t, d); n != 0 {
		t.Errorf("%d bytes are never given back", n)
	}
}
