package repl

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"parlance/query/ast"
	"parlance/storage/value"
)

// trainedTag is the tag of a statement that has made a version of a model.
var trainedTag = regexp.MustCompile(`^(?:TRAIN|TUNE) (.+)@(\d+)(?: |$)`)

// trained tells, as notices do, what a training was: documents, labels, seconds, the last objective and the score on
// held-out documents, as far as there are such.
func (r *runner) trained(ctx context.Context, tag string) {
	m := trainedTag.FindStringSubmatch(tag)
	if m == nil || r.quiet || r.look.machine() || r.vars.on("QUIET") {
		return
	}
	name := ast.QuoteName(m[1])
	version := r.row(ctx, "SELECT documents, labels, seconds, metric, value FROM "+name+".versions WHERE version = "+m[2])
	if len(version) != 5 {
		return
	}
	var parts []string
	add := func(format string, v ...any) { parts = append(parts, fmt.Sprintf(format, v...)) }
	if !version[0].IsNull() {
		add("%s", numberOf(version[0].Int(), "document"))
	}
	if !version[1].IsNull() {
		add("%s", numberOf(version[1].Int(), "label"))
	}
	add("%s", secondsOf(version[2].Float()))
	last := r.row(ctx, "SELECT step, objective FROM "+name+"@"+m[2]+
		".trace WHERE objective IS NOT NULL ORDER BY step DESC LIMIT 1")
	if len(last) == 2 {
		add("objective %.6g after %s", last[1].Float(), numberOf(last[0].Int(), "step"))
	}
	if !version[3].IsNull() {
		add("held-out %s %.4f", version[3], version[4].Float())
	}
	w := r.errs
	if r.paged {
		w = r.out // with the tag, which the pager still has
	}
	_ = r.out.Flush() // the tag comes first; the caller flushes again and has the error
	fmt.Fprintf(w, "%s@%s: %s\n", m[1], m[2], strings.Join(parts, ", "))
}

// numberOf is a number of things.
func numberOf(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// row is the first row of a statement of the shell itself, nil without one.
func (r *runner) row(ctx context.Context, statement string) (row []value.Value) {
	rows, err := r.conn.Query(ctx, statement)
	if err != nil {
		return nil
	}
	if rows.Next() {
		row = append(row, rows.Values()...)
	}
	if rows.Close() != nil {
		return nil
	}
	return row
}

// secondsOf is a time, to hundredths where it is short.
func secondsOf(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}
