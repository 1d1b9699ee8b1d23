package db_test

import (
	"fmt"
	"testing"
)

// TestSpilledJoins joins more than the memory holds. Most partitions in the files have rows of one side alone; the
// other side is then missing, not empty.
func TestSpilledJoins(t *testing.T) {
	d := open(t, "")
	script(t, d.Conn(), "ALTER SYSTEM SET memory_limit = 16; CREATE TABLE l (k INTEGER, x TEXT); "+
		"CREATE TABLE r (k INTEGER, y TEXT); "+
		// 500 rows each of keys 1 to 8; a row of key 8 and 500 each of keys 9 to 16
		"INSERT INTO l SELECT 1 + n % 8, n || repeat('x', 3000) FROM generate_series(1, 4000) AS t(n); "+
		"INSERT INTO r SELECT 9 + n % 8, n || repeat('y', 3000) FROM generate_series(1, 4000) AS t(n); "+
		"INSERT INTO r VALUES (8, 'eight')")
	for _, c := range []struct {
		join                  string
		rows, noLeft, noRight int
	}{
		{"l JOIN r ON l.k = r.k", 500, 0, 0},
		{"l LEFT JOIN r ON l.k = r.k", 4000, 0, 3500},
		{"l RIGHT JOIN r ON l.k = r.k", 4500, 4000, 0},
		{"l FULL JOIN r ON l.k = r.k", 8000, 4000, 3500},
		{"r FULL JOIN l ON l.k = r.k", 8000, 4000, 3500},
	} {
		got := text(t, d.Conn(), "SELECT count(*), count(*) FILTER (WHERE l.k IS NULL), count(*) "+
			"FILTER (WHERE r.k IS NULL), max(length(x)) FROM "+c.join)
		want := fmt.Sprintf("%d\t%d\t%d\t3004\n", c.rows, c.noLeft, c.noRight)
		if got[len(got)-len(want):] != want {
			t.Errorf("%s: %s, want %s", c.join, got, want)
		}
	}
}
