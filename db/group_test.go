package db_test

import (
	"path/filepath"
	"sync"
	"testing"
)

// TestUpdatesTogether changes one row from eight sessions: each change sees those before it, whether these were
// committed together or not, and RETURNING tells each number once. Statements that fail between them change nothing.
func TestUpdatesTogether(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "together.parlance"))
	c := d.Conn()
	if err := c.Script(t.Context(), `CREATE TABLE t (id INTEGER, n INTEGER); CREATE INDEX ON t (id);
INSERT INTO t VALUES (1, 0), (2, 0)`, nil); err != nil {
		t.Fatal(err)
	}
	const clients, each = 8, 25
	var seen sync.Map
	var wg sync.WaitGroup
	for k := range clients {
		own := d.Conn()
		wg.Go(func() {
			for i := range each {
				if k == 0 && i%5 == 0 {
					if _, err := own.Exec(t.Context(), "UPDATE t SET n = n / (id - id) WHERE id = 2"); err == nil {
						t.Error("a division by zero did not fail")
					}
				}
				rows, err := own.Query(t.Context(), "UPDATE t SET n = n + 1 WHERE id = 1 RETURNING n")
				if err != nil {
					t.Error(err)
					return
				}
				for rows.Next() {
					var n int
					if err := rows.Scan(&n); err != nil {
						t.Error(err)
					}
					if _, twice := seen.LoadOrStore(n, true); twice {
						t.Errorf("%d was returned twice", n)
					}
				}
				if err := rows.Err(); err != nil {
					t.Error(err)
				}
				if err := rows.Close(); err != nil {
					t.Error(err)
				}
				if _, err := own.Exec(t.Context(), "INSERT INTO t VALUES (3, 0)"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for query, want := range map[string]int{
		"SELECT n FROM t WHERE id = 1":        clients * each,
		"SELECT n FROM t WHERE id = 2":        0,
		"SELECT count(*) FROM t WHERE id = 3": clients * each,
	} {
		if got := number(t, c, query); got != want {
			t.Errorf("%s is %d, want %d", query, got, want)
		}
	}
	if res, err := c.Exec(t.Context(), "CHECK DATABASE"); err != nil || res.Tag != "CHECK ok" {
		t.Errorf("%q, %v", res.Tag, err)
	}
}
