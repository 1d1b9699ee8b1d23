package db_test

import (
	"os"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// heapPeak measures how much the objects of the heap grow at most, until the returned function is called.
func heapPeak() (peak func() int) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() int {
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	runtime.GC()
	before, most := read(), 0
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			most = max(most, read()-before)
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() int {
		close(stop)
		<-done
		return most
	}
}

// TestAggregatesWithinMemoryLimit aggregates 300,000 rows, with PARLANCE_LARGE 3 million, under a memory_limit. Each
// statement ends, or is refused, and the heap never grows beyond 1.3 times the limit, garbage included; with the
// smaller limit, somewhat more.
func TestAggregatesWithinMemoryLimit(t *testing.T) {
	limit, rows := 32, 300_000
	large := os.Getenv("PARLANCE_LARGE") != ""
	if large {
		limit, rows = 128, 3_000_000
	}
	d := open(t, "")
	script(t, d.Conn(), "ALTER SYSTEM SET statement_memory = 4096; ALTER SYSTEM SET memory_limit = "+strconv.Itoa(limit))
	const from = " FROM (SELECT n, 'the text number ' || n AS x FROM generate_series(1, ROWS) AS t(n)) AS s"
	for _, query := range []string{
		"SELECT length(array_agg(x)::text)" + from,
		"SELECT length(json_agg(x)::text)" + from,
		"SELECT length(jsonb_agg(x)::text)" + from,
		"SELECT length(string_agg(x, ', '))" + from,
		"SELECT length(json_object_agg(x, n)::text)" + from,
		"SELECT length(jsonb_object_agg(x, n)::text)" + from,
		"SELECT length(array_agg(x ORDER BY x DESC)::text)" + from,
		"SELECT count(*) FROM (SELECT array_agg(x) AS list" + from + " GROUP BY n % 10000) AS lists",
		"SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x)" + from,
		"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n)" + from,
		"SELECT mode() WITHIN GROUP (ORDER BY x)" + from,
		"SELECT count(DISTINCT x)" + from,
		"SELECT length(array_agg(DISTINCT x)::text)" + from,
		"SELECT length(array_agg(DISTINCT x ORDER BY x)::text)" + from,
		"SELECT count(DISTINCT n)" + from,
		"SELECT sum(m) FROM (SELECT count(DISTINCT x) AS m" + from + " GROUP BY n % 1000) AS counts",
		"SELECT count(*) FROM (SELECT DISTINCT x" + from + ") AS texts",
		"SELECT count(*) FROM (SELECT DISTINCT x, n" + from + ") AS pairs",
		"SELECT count(*) FROM (SELECT x, count(*)" + from + " GROUP BY x) AS texts",
		"SELECT length(ARRAY(SELECT x" + from + ")::text)",
		"SELECT length(ARRAY(SELECT n" + from + ")::text)",
		"SELECT 'the text number 7' IN (SELECT x" + from + ")",
		"SELECT count(*) FROM (SELECT x" + from + " INTERSECT SELECT x" + from + ") AS texts",
		"SELECT count(*)" + from + " JOIN" + strings.Replace(strings.TrimPrefix(from, " FROM"), "AS s", "AS b", 1) +
			" ON s.x = b.x",
		"SELECT max(length(list)) FROM (SELECT string_agg(x, ' ') OVER (ORDER BY n) AS list" + from + ") AS lists",
		"SELECT sum(m) FROM (SELECT max(x) OVER (ORDER BY n ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) AS y, n AS m" +
			from + ") AS maxima",
	} {
		query = strings.ReplaceAll(query, "ROWS)", strconv.Itoa(rows)+")")
		ceiling := limit << 20 * 13 / 10
		if !large { // buffers of files and the garbage of a collection that comes late do not grow with the limit
			ceiling += 8 << 20
			if hashed.MatchString(query) {
				ceiling += 16 << 20
			}
		}
		most, err := leastPeak(t, d.Conn(), query, ceiling)
		if err != nil && code(err) != "53200" && code(err) != "54000" {
			t.Errorf("%s: %v", query, err)
		}
		t.Logf("%4d MB, %v: %.60s", most>>20, err, query)
		if most > ceiling {
			t.Errorf("%s: the heap grows by %d MB, with memory_limit = %d", query, most>>20, limit)
		}
	}
}

// hashed matches queries over hash tables, which go to files.
var hashed = regexp.MustCompile(`DISTINCT|GROUP BY|INTERSECT|JOIN`)

// leastPeak runs a query and returns by how much the heap grows. On a busy machine collections come late, so it runs
// again, three times at most, while that is above a ceiling; what is really held stays above it.
func leastPeak(t *testing.T, c *db.Conn, query string, ceiling int) (most int, err error) {
	t.Helper()
	for range 3 {
		peak := heapPeak()
		err = drain(t, c, query)
		if most = peak(); most <= ceiling {
			break
		}
	}
	return most, err
}

// drain reads the rows of a query.
func drain(t *testing.T, c *db.Conn, query string) error {
	t.Helper()
	rows, err := c.Query(t.Context(), query)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return rows.Close()
}
