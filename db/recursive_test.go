package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// TestClosure compares the transitive closure of random graphs with one by depth-first search, with and
// without an index, from all nodes and from one.
func TestClosure(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ nodes, edges int }{{1, 1}, {4, 5}, {9, 12}, {30, 40}, {60, 70}} {
		d := open(t, "")
		c := d.Conn()
		next := map[string][]string{}
		var rows []string
		for range size.edges {
			from, to := fmt.Sprintf("n%d", rng.IntN(size.nodes)), fmt.Sprintf("n%d", rng.IntN(size.nodes))
			next[from] = append(next[from], to)
			rows = append(rows, fmt.Sprintf("('%s', '%s')", from, to))
		}
		script(t, c, "CREATE LEXICON edge (a TEXT, b TEXT); INSERT INTO edge VALUES "+strings.Join(rows, ", "))
		for _, index := range []string{"", "CREATE INDEX ON edge (a)"} {
			if index != "" {
				script(t, c, index)
			}
			var want []string
			for from := range next {
				want = append(want, reached(next, from)...)
			}
			slices.Sort(want)
			all := "WITH RECURSIVE t (a, b) AS (SELECT a, b FROM edge UNION SELECT t.a, e.b FROM t JOIN edge e ON e.a = t.b) " +
				"SELECT a || '>' || b FROM t"
			if got := column(t, c, all); !slices.Equal(got, want) {
				t.Errorf("%v %s: closure has %d pairs, want %d", size, index, len(got), len(want))
			}
			other := "WITH RECURSIVE t (a, b) AS (SELECT a, b FROM edge UNION SELECT t.a, e.b FROM edge e, t WHERE e.a = t.b) " +
				"SELECT a || '>' || b FROM t"
			if got := column(t, c, other); !slices.Equal(got, want) {
				t.Errorf("%v %s: closure of the sides exchanged has %d pairs, want %d", size, index, len(got), len(want))
			}
			one := reached(next, "n0")
			slices.Sort(one)
			from := "WITH RECURSIVE t (b) AS (SELECT $1 UNION SELECT e.b FROM t JOIN edge e ON e.a = t.b) SELECT DISTINCT " +
				"'n0>' || e.b FROM t JOIN edge e ON e.a = t.b"
			if got := column(t, c, from, "n0"); !slices.Equal(got, one) {
				t.Errorf("%v %s: from n0: %v, want %v", size, index, got, one)
			}
		}
	}
}

// reached lists the pairs of a node and what paths of one edge or more lead to.
func reached(next map[string][]string, from string) (out []string) {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(n string) {
		for _, to := range next[n] {
			if !seen[to] {
				seen[to] = true
				out = append(out, from+">"+to)
				visit(to)
			}
		}
	}
	visit(from)
	return out
}

// column returns the first column of a query as sorted texts.
func column(t *testing.T, c *db.Conn, query string, args ...any) (out []string) {
	t.Helper()
	rows, err := c.Query(context.Background(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// TestEndlessRecursion ends recursive selects without an end by cancellation and by statement_timeout.
func TestEndlessRecursion(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c,
		"CREATE LEXICON ring (a TEXT, b TEXT); INSERT INTO ring VALUES ('x', 'y'), ('y', 'x'); SET max_recursion_rows = 0")
	for _, query := range []string{
		"WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT count(*) FROM t",
		"WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT n FROM t WHERE n = 0",
		"WITH RECURSIVE t (a) AS (SELECT 'x' UNION ALL SELECT r.b FROM t JOIN ring r ON r.a = t.a) SELECT count(*) FROM t",
		"WITH RECURSIVE t (n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT max(n) FROM t",
	} {
		if !cancelled(t, c, query, 20*time.Millisecond) {
			t.Errorf("%s has ended", query)
		}
	}
	script(t, c, "SET statement_timeout = 30")
	const hint = "walk may have no end: UNION"
	var err error
	for range 20 { // where the machine pauses, the time may be over before the first step
		_, err = c.Exec(context.Background(),
			"WITH RECURSIVE walk (n) AS (SELECT 1 UNION ALL SELECT n FROM walk) SELECT count(*) FROM walk")
		if code(err) != "57014" || strings.Contains(err.Error(), hint) {
			break
		}
	}
	if code(err) != "57014" || !strings.Contains(err.Error(), hint) {
		t.Errorf("after statement_timeout: %v", err)
	}
}
