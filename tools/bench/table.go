package main

import (
	"fmt"
	"io"
	"strings"
)

// row is one line of the table of figures.
type row struct{ name, figure, bound, note string }

// table has columns of its own and stands behind the figures.
type table struct {
	title   string
	columns []string
	rows    [][]string
	log     io.Writer
}

// add appends a row of as many cells as there are columns. The row also goes to the log, where it
// outlives a run that is stopped.
func (t *table) add(cells ...string) {
	t.rows = append(t.rows, cells)
	fmt.Fprintf(t.log, "  | %s |\n", strings.Join(cells, " | "))
}

// print writes the figures, then the tables, in Markdown.
func (b *bench) print(w io.Writer) {
	if len(b.rows) > 0 || len(b.tables) == 0 {
		fmt.Fprintln(w, "| what | measured | bound | note |\n|---|---:|---|---|")
	}
	for _, r := range b.rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", r.name, r.figure, r.bound, r.note)
	}
	for _, t := range b.tables {
		fmt.Fprintf(w, "\n### %s\n\n| %s |\n|---%s|\n", t.title, strings.Join(t.columns, " | "),
			strings.Repeat("|---:", len(t.columns)-1))
		for _, r := range t.rows {
			fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | "))
		}
	}
}

// table appends an empty table.
func (b *bench) table(title string, columns ...string) *table {
	t := &table{title: title, columns: columns, log: b.log}
	b.tables = append(b.tables, t)
	return t
}

// limit is what a figure must keep to: at least or, if most, at most a value.
type limit struct {
	value float64
	most  bool
}

func atLeast(v float64) limit { return limit{value: v} }
func atMost(v float64) limit  { return limit{value: v, most: true} }

// met tells whether a figure keeps to it.
func (l limit) met(v float64) bool {
	if l.most {
		return v <= l.value
	}
	return v >= l.value
}

// bounded adds a figure with its bound, both in a format, and whether it is met.
func (b *bench) bounded(name, format string, v float64, l limit, note string) {
	sign, verdict := "≥ ", "met"
	if l.most {
		sign = "≤ "
	}
	if !l.met(v) {
		verdict = "**missed**"
	}
	if note != "" {
		verdict += "; " + note
	}
	b.add(name, fmt.Sprintf(format, v), sign+fmt.Sprintf(format, l.value), verdict)
}
