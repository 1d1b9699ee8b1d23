package exec

import (
	"fmt"
	"strings"
	"time"

	"parlance/query/plan"
	"parlance/storage/value"
)

// statsNote is what EXPLAIN ANALYZE adds to the line of a node.
func (r *run) statsNote(n plan.Node) string {
	note := r.searchNote(n)
	st := r.stats[n]
	if st == nil {
		return note
	}
	note += fmt.Sprintf("  rows=%d time=%s", st.Rows, st.Time.Round(10*time.Microsecond))
	if st.Annotated {
		note += fmt.Sprintf(" hits=%d misses=%d", st.Hits, st.Misses)
	}
	return note
}

// lines is a result of one text column, a row a line.
func lines(column, text string) *Result {
	var rows [][]value.Value
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		rows = append(rows, []value.Value{value.Str(l)})
	}
	return tableResult([]plan.Column{{Name: column, Type: value.Text}}, rows)
}
