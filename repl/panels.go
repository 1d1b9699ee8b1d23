package repl

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/metrics"
	"parlance/db"
	"parlance/storage/value"
)

// mostMetrics bounds the metrics that stand side by side.
const mostMetrics = 6

// panel is a table of rows that are held.
type panel struct {
	columns []db.Column
	list    [][]value.Value
}

// rows are those of the panel; what else is asked of them, those of a statement answer.
func (p panel) rows(of rows) rows {
	return &held{replayed: replayed{rows: ended{of}, first: p.list}, columns: p.columns}
}

// held are rows with columns of their own.
type held struct {
	replayed
	columns []db.Column
}

func (h *held) Columns() []db.Column { return h.columns }

// showStatement shows the rows of a statement. Tables of EVALUATE and of DIFF MODEL are laid out for people: a row a
// label, and a table for each sort of difference.
func showStatement(w io.Writer, statement string, all rows, l look, screen int) error {
	words := append(strings.Fields(strings.ToUpper(statement)), "", "")
	layOut := differences
	if words[0] == "EXPLAIN" && words[1] != "PREDICTION" { // the lines of a plan are no records
		l.expanded = "off"
	}
	switch {
	case l.format != "table" || l.expanded == "on":
		layOut = nil
	case words[0] == "EVALUATE":
		layOut = evaluation
	case words[0] != "DIFF" || words[1] != "MODEL":
		layOut = nil
	}
	if layOut == nil {
		return show(w, all, l, screen)
	}
	long := panel{columns: all.Columns()}
	for all.Next() {
		long.list = append(long.list, slices.Clone(all.Values()))
	}
	if err := all.Err(); err != nil {
		return err
	}
	for _, p := range layOut(long) {
		if err := show(w, p.rows(all), l, screen); err != nil {
			return err
		}
	}
	return nil
}

// evaluation is the rows of EVALUATE as a summary of the metrics that are not computed label by label, a table of a row
// a label, with its metrics side by side and the interval of the last, and what was taken for what.
func evaluation(long panel) []panel {
	n := len(long.columns) - 6 // columns before metric, label, value, low, high, support
	if n < 1 || long.columns[n].Name != "metric" {
		return []panel{long}
	}
	long, taken := confusions(long, n)
	return append(scores(long, n), taken...)
}

// scores are the tables of EVALUATE without what was taken for what; n is the place of the column metric.
func scores(long panel, n int) []panel {
	names := sideBySide(long.list, n, n+1)
	if len(names) == 0 {
		return []panel{long}
	}
	wide, rest := panel{columns: slices.Clone(long.columns[:n])}, panel{columns: long.columns}
	wide.columns = append(wide.columns, long.columns[n+1])
	for _, name := range names {
		wide.columns = append(wide.columns, db.Column{Name: name, Type: value.Float.String()})
	}
	last := names[len(names)-1]
	wide.columns = append(wide.columns, db.Column{Name: last + ".low", Type: value.Float.String()},
		db.Column{Name: last + ".high", Type: value.Float.String()}, long.columns[n+5])
	at := map[string]int{} // of the row of a label
	for _, row := range long.list {
		k := slices.Index(names, row[n].S)
		if k < 0 {
			short := slices.Clone(row)
			for i := n + 2; i < n+5; i++ {
				short[i] = rounded(row[i])
			}
			rest.list = append(rest.list, short)
			continue
		}
		of := append(slices.Clone(row[:n]), row[n+1])
		i, known := at[keyOf(of)]
		if !known {
			i = len(wide.list)
			at[keyOf(of)] = i
			wide.list = append(wide.list, append(of, make([]value.Value, len(names)+3)...))
		}
		to := wide.list[i][n+1:]
		to[k] = rounded(row[n+2])
		to[len(names)+2] = row[n+5]
		if k == len(names)-1 {
			to[len(names)], to[len(names)+1] = rounded(row[n+3]), rounded(row[n+4])
		}
	}
	if len(rest.list) == 0 {
		return []panel{wide}
	}
	return []panel{rest.without(n+1, metrics.All), wide}
}

// without is the panel without a column if that has the same value in all rows.
func (p panel) without(column int, value string) panel {
	for _, row := range p.list {
		if row[column].S != value {
			return p
		}
	}
	out := panel{columns: slices.Delete(slices.Clone(p.columns), column, column+1)}
	for _, row := range p.list {
		out.list = append(out.list, slices.Delete(slices.Clone(row), column, column+1))
	}
	return out
}

// sideBySide are the metrics that are computed over all labels and label by label.
func sideBySide(list [][]value.Value, metric, label int) (names []string) {
	all, single := map[string]bool{}, map[string]bool{}
	for _, row := range list {
		name := row[metric].S
		if row[label].S == metrics.All {
			all[name] = true
		} else {
			single[name] = true
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !all[n] || !single[n] })
	return names[:min(len(names), mostMetrics)]
}

func keyOf(values []value.Value) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(strconv.Quote(v.String()))
	}
	return b.String()
}

// differences is the rows of DIFF MODEL as a table for each sort of difference, with the columns that it has; metrics
// as a row a label.
func differences(long panel) []panel {
	var out []panel
	for begin := 0; begin < len(long.list); {
		sort := long.list[begin][0].S
		end := begin
		for end < len(long.list) && long.list[end][0].S == sort {
			end++
		}
		part := panel{columns: long.columns, list: long.list[begin:end]}
		if sort == "metric" {
			var wide panel
			if wide, part = metricsOf(part); len(wide.list) > 0 {
				out = append(out, wide.filled())
			}
		}
		if len(part.list) > 0 {
			out = append(out, part.filled())
		}
		begin = end
	}
	if out == nil {
		return []panel{long}
	}
	return out
}

// metricsOf is the metrics of DIFF MODEL that are computed label by label, one row a label, each with its value of both
// models and p, and the rows of the others.
func metricsOf(long panel) (wide, rest panel) {
	names := sideBySide(long.list, 1, 2)
	rest.columns = long.columns
	wide = panel{columns: []db.Column{long.columns[0], long.columns[2]}}
	for _, name := range names {
		for _, what := range []string{"a", "b", "p"} {
			wide.columns = append(wide.columns, db.Column{Name: name + "." + what, Type: value.Float.String()})
		}
	}
	at := map[string]int{}
	for _, row := range long.list {
		k := slices.Index(names, row[1].S)
		if k < 0 {
			rest.list = append(rest.list, row)
			continue
		}
		i, known := at[row[2].S]
		if !known {
			i = len(wide.list)
			at[row[2].S] = i
			wide.list = append(wide.list, append([]value.Value{row[0], row[2]}, make([]value.Value, 3*len(names))...))
		}
		to := wide.list[i][2+3*k:]
		to[0], to[1], to[2] = rounded(figure(row[3])), rounded(figure(row[4])), rounded(row[6])
	}
	return wide, rest
}

// figure is a number that is written as a text.
func figure(v value.Value) value.Value {
	if f, err := strconv.ParseFloat(v.S, 64); err == nil {
		return value.Real(f)
	}
	return value.Value{}
}

// rounded is a figure to four digits behind the point; those below 0.001 stay as they are.
func rounded(v value.Value) value.Value {
	if v.T != value.Float || math.Abs(v.Float()) < 1e-3 {
		return v
	}
	return value.Real(math.Round(v.Float()*1e4) / 1e4)
}

// filled is the panel without the columns that are NULL in all its rows.
func (p panel) filled() (out panel) {
	var kept []int
	for i, c := range p.columns {
		if slices.ContainsFunc(p.list, func(row []value.Value) bool { return !row[i].IsNull() }) {
			kept, out.columns = append(kept, i), append(out.columns, c)
		}
	}
	for _, row := range p.list {
		var short []value.Value
		for _, i := range kept {
			short = append(short, row[i])
		}
		out.list = append(out.list, short)
	}
	return out
}
