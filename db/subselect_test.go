package db_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSubselectsByIndex compares subselects that look rows up with those that are run for each outer row, for
// few outer rows and for more than are looked up, with NULL and numbers of both types.
func TestSubselectsByIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	c := open(t, "").Conn()
	script(t, c, "CREATE LEXICON big (k TEXT, n INTEGER, x FLOAT); CREATE INDEX ON big (k, n); CREATE INDEX ON big (x); "+
		"CREATE LEXICON few (k TEXT, n INTEGER, x FLOAT); CREATE LEXICON many (k TEXT, n INTEGER, x FLOAT)")
	for _, table := range []struct {
		name    string
		n, keys int
	}{{"big", 240, 60}, {"few", 14, 70}, {"many", 100, 80}} {
		var rows []string
		for range table.n {
			k, n, x := fmt.Sprintf("'w%d'", rng.IntN(table.keys)), fmt.Sprint(rng.IntN(5)),
				fmt.Sprintf("%d", rng.IntN(table.keys))
			if rng.IntN(12) == 0 {
				k = "NULL"
			}
			if rng.IntN(12) == 0 {
				x = "NULL"
			}
			rows = append(rows, "("+k+", "+n+", "+x+")")
		}
		script(t, c, "INSERT INTO "+table.name+" VALUES "+strings.Join(rows, ", "))
	}
	for _, q := range []string{
		"SELECT k, n FROM o WHERE EXISTS (SELECT 1 FROM big b WHERE b.k = o.k)",
		"SELECT k, n FROM o WHERE NOT EXISTS (SELECT 1 FROM big b WHERE b.k = o.k AND b.n = o.n)",
		"SELECT k, n FROM o WHERE n > 1 AND NOT EXISTS (SELECT 1 FROM big b WHERE o.x = b.x AND b.n < 2)",
		"SELECT k, n, (SELECT count(*) FROM big b WHERE b.k = o.k), (SELECT sum(b.n) FROM big b WHERE b.x = o.n AND b.k > " +
			"'w2') FROM o",
		"SELECT k, n, (SELECT string_agg(b.n, ',') FROM big b WHERE b.k = o.k AND b.x > 20) FROM o",
		"SELECT k, n, ARRAY(SELECT b.n FROM big b WHERE b.k = o.k) FROM o",
		"SELECT k, n FROM o WHERE k IN (SELECT k FROM big)",
		"SELECT k, n FROM o WHERE k NOT IN (SELECT k FROM big WHERE k IS NOT NULL)",
		"SELECT k, n, k IN (SELECT k FROM big) FROM o",
		"SELECT k, n, k IN (SELECT b.k FROM big b WHERE b.n = o.n) FROM o",
		"SELECT k, n FROM o WHERE n IN (SELECT b.n FROM big b WHERE b.k = o.k)",
		"SELECT k, n FROM o WHERE n + 0.0 IN (SELECT x FROM big) AND k IS NOT NULL",
		"SELECT k, n, x FROM big WHERE k IN (SELECT k FROM o)",
		"SELECT k, n, x FROM big WHERE x IN (SELECT n FROM o) AND n IN (SELECT n FROM o WHERE n > 2)",
		"SELECT k, n FROM o WHERE EXISTS (SELECT 1 FROM big a JOIN big b ON b.x = a.x AND b.n > a.n WHERE a.k = o.k)",
		"SELECT o.k, g.s FROM o JOIN (SELECT k, sum(n) AS s FROM big GROUP BY k) g ON g.k = o.k",
	} {
		for _, outer := range []string{"few", "many"} {
			query := strings.ReplaceAll(q, " FROM o", " FROM "+outer+" o")
			script(t, c, "RESET rules_off")
			got := text(t, c, query)
			script(t, c, "SET rules_off = (index_lookup, decorrelate, push)")
			if want := text(t, c, query); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
			}
			if strings.Count(got, "\n") < 2 {
				t.Errorf("%s gives no rows", query)
			}
		}
	}
	script(t, c, "RESET rules_off")
	for query, part := range map[string]string{
		"SELECT n FROM few o WHERE EXISTS (SELECT 1 FROM big b WHERE b.k = o.k " +
			"AND b.n = o.n)": "big by k, n of the outer query  rows=",
		"SELECT n FROM few o WHERE k IN (SELECT k FROM big)": "big by k of the outer query  rows=",
		"SELECT n FROM big WHERE k IN (SELECT k FROM few)":   "big by k of the subselect  rows=",
	} {
		if got := text(t, c, "EXPLAIN ANALYZE "+query); !strings.Contains(got, part) {
			t.Errorf("%s:\n%s\nhas no %q", query, got, part)
		}
	}
}
