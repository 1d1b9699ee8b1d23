package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestFewRows looks up keys that have as many rows as are read at once, one fewer, one more and many more: an index
// gives the rows that a scan gives.
func TestFewRows(t *testing.T) {
	_, run := database(t)
	must := func(text string) []string {
		t.Helper()
		rows, err := run(text)
		if err != nil {
			t.Fatalf("%.200s: %v", text, err)
		}
		return rows
	}
	sizes := []int{0, 1, 127, 128, 129, 3000} // query/exec reads 128 rows at once
	for _, name := range []string{"plain", "indexed"} {
		must("CREATE TABLE " + name + " (k INTEGER, n INTEGER)")
		n := 0
		for k, size := range sizes {
			var rows []string
			for range size {
				n++
				rows = append(rows, fmt.Sprintf("(%d, %d)", k, n))
			}
			for some := range slices.Chunk(rows, 100) {
				must("INSERT INTO " + name + " VALUES " + strings.Join(some, ", "))
			}
		}
	}
	must("CREATE INDEX ON indexed (k)")
	if plan := strings.Join(must("EXPLAIN SELECT n FROM indexed WHERE k = 1"), "\n"); !strings.Contains(plan, "lookup") {
		t.Fatalf("the index is not used:\n%s", plan)
	}
	for k, size := range sizes {
		for _, query := range []string{
			"SELECT n FROM %s WHERE k = %d", "SELECT n FROM %s WHERE k = %d AND n %% 2 = 0",
			"SELECT count(*), sum(n) FROM %s WHERE k = %d", "SELECT n FROM %s WHERE k IN (%d, 1)",
			"SELECT (SELECT max(n) FROM %s x WHERE x.k = y.k) FROM plain y WHERE y.k = %d LIMIT 3",
			"SELECT x.n FROM %s x JOIN plain y ON x.k = y.k AND x.n = y.n WHERE y.k = %d",
		} {
			want, got := must(fmt.Sprintf(query, "plain", k)), must(fmt.Sprintf(query, "indexed", k))
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) || strings.HasPrefix(query, "SELECT n FROM %s WHERE k = %d") &&
				!strings.Contains(query, "AND") && len(got) != size {
				t.Errorf("%s of %d: %d rows by index, %d by scan of %d", query, k, len(got), len(want), size)
			}
		}
	}
}
