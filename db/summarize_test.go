package db_test

import (
	"strings"
	"testing"
)

// TestSummaryEqualsAggregates compares SUMMARIZE, with little memory and with enough, with aggregates of the same
// columns.
func TestSummaryEqualsAggregates(t *testing.T) {
	c := open(t, "").Conn()
	script(t, c, `CREATE TABLE t (word TEXT, n INTEGER, x FLOAT);
INSERT INTO t SELECT CASE WHEN i % 7 > 0 THEN 'word' || bucket(i, 30000) END, bucket(i, 50000, 1),
  CASE WHEN i % 5 > 0 THEN bucket(i, 1000, 2) / 8.0 END FROM generate_series(1, 60000) AS g (i)`)
	values := func(q string) string {
		_, rows, _ := strings.Cut(text(t, c, q), "\n") // below the names of the columns
		return "\n" + rows
	}
	want := ""
	for _, col := range []string{"word", "n", "x"} {
		numbers := "NULL, NULL, NULL, NULL"
		if col != "word" {
			numbers = "avg(" + col + "), percentile_cont(0.25) WITHIN GROUP (ORDER BY " + col + "), " +
				"percentile_cont(0.5) WITHIN GROUP (ORDER BY " + col + "), percentile_cont(0.75) WITHIN GROUP (ORDER BY " +
				col + ")"
		}
		want += values("SELECT count(" + col + "), count(*) - count(" + col + "), count(DISTINCT " + col + "), " +
			"min(" + col + ")::text, max(" + col + ")::text, " + numbers + ", " +
			"(SELECT " + col + "::text FROM t WHERE " + col + " IS NOT NULL GROUP BY " + col + " ORDER BY count(*) DESC, " +
			col + " LIMIT 1), " +
			"(SELECT count(*) FROM t WHERE " + col + " IS NOT NULL GROUP BY " + col + " ORDER BY count(*) DESC LIMIT 1) FROM t")
	}
	for _, memory := range []string{"RESET work_memory", "SET work_memory = 1"} {
		script(t, c, memory)
		got := ""
		for _, col := range []string{"word", "n", "x"} {
			got += values(`SELECT count, nulls, "distinct", least, greatest, mean, q25, median, q75, top, ` +
				`top_count FROM (SUMMARIZE t) AS s WHERE "column" = '` + col + `'`)
		}
		if got != want {
			t.Errorf("%s: SUMMARIZE says%s\nwant%s", memory, got, want)
		}
	}
}
