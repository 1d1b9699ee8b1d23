package exec

import (
	"fmt"
	"math"
	"strings"
	"time"

	"parlance/query/plan"
	"parlance/storage/value"
)

// statsNote is what EXPLAIN ANALYZE adds to the line of a node.
func (r *run) statsNote(n plan.Node) string {
	st := r.stats.m[n]
	if st == nil {
		return ""
	}
	note := fmt.Sprintf("  rows=%d time=%s", st.Rows, st.Time.Round(10*time.Microsecond))
	if st.Annotated {
		note += fmt.Sprintf(" documents=%d hits=%d misses=%d", st.Documents, st.Hits, st.Misses)
	}
	if st.Keys > 0 {
		note += fmt.Sprintf(" keys=%d", st.Keys)
	}
	if st.Steps > 0 {
		note += fmt.Sprintf(" steps=%d", st.Steps)
	}
	return note
}

// expected guesses how many documents each node of a plan annotates.
func (r *run) expected(root plan.Node) map[plan.Node]float64 {
	out := map[plan.Node]float64{}
	var walk func(plan.Node)
	walk = func(n plan.Node) {
		if l, ok := n.(*plan.Layer); ok && len(l.Models) > 0 && l.Corpus != nil {
			out[n] = r.documents(l)
			if l.Call != nil && l.Call.Likely != nil {
				out[n] *= otherShare
			}
		}
		for _, c := range n.Inputs() {
			walk(c)
		}
		j, ok := n.(*plan.Join)
		if !ok || j.Semi == nil {
			return
		}
		first := j.Left
		if j.Semi.FromRight {
			first = j.Right
		}
		out[j.Semi.Layer] = min(out[j.Semi.Layer], r.estimate(first))
	}
	walk(root)
	return out
}

// expectedNote is what EXPLAIN adds to the line of a node that annotates.
func expectedNote(documents map[plan.Node]float64) func(plan.Node) string {
	return func(n plan.Node) string {
		if d, ok := documents[n]; ok {
			return fmt.Sprintf("  estimated documents=%.0f", math.Ceil(d))
		}
		return ""
	}
}

// lines is a result of one text column, a row a line.
func lines(column, text string) *Result {
	var rows [][]value.Value
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		rows = append(rows, []value.Value{value.Str(l)})
	}
	return tableResult([]plan.Column{{Name: column, Type: value.Text}}, rows)
}
