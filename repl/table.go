package repl

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/storage/value"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// tableRows is the number of rows that a table gathers to measure its columns; longer results
// are shown as several tables with the same header.
const tableRows = 1000

// show writes rows and, in tables, their number; 0 is the width of no screen.
func show(w io.Writer, rows rows, l look, screen int) error {
	switch l.format {
	case "csv", "tsv":
		return separated(w, rows, l)
	case "jsonl":
		return jsonl(w, rows)
	case "unaligned":
		return unaligned(w, rows, l)
	case "markdown":
		return tables(w, rows, l, 0)
	}
	switch l.expanded {
	case "on":
		return vertical(w, rows, l, screen)
	case "auto":
		return expanded(w, rows, l, screen)
	}
	return tables(w, rows, l, screen)
}

// cell is a value as tables show it.
func (l *look) cell(v value.Value) string {
	switch v.T {
	case value.Null:
		return l.null
	case value.Float:
		return number(v.Float())
	}
	return visible(v.String())
}

// plain is a value as programs read it.
func (l *look) plain(v value.Value) string {
	if v.IsNull() {
		return l.null
	}
	return v.String()
}

// count writes the number of rows, below them.
func (l *look) count(w io.Writer, n int) error { return l.countAnd(w, n, "") }

// countAnd writes the number of rows, with what is to be known of them.
func (l *look) countAnd(w io.Writer, n int, more string) error {
	if l.bare || !l.footer {
		return nil
	}
	_, err := fmt.Fprintf(w, "(%d row%s%s)\n", n, map[bool]string{true: "", false: "s"}[n == 1], more)
	return err
}

// number writes a float with at most six digits after the point.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', 6, 64)
	if len(s) > 18 || f != 0 && f < 1e-4 && f > -1e-4 {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	s = strings.TrimRight(s, "0")
	return strings.TrimSuffix(s, ".")
}

func tables(w io.Writer, rows rows, l look, screen int) error {
	total, cut := 0, false
	for {
		cells, _, err := block(rows, l)
		if err != nil {
			return err
		}
		if total += len(cells); len(cells) > 0 || total == 0 {
			columns, _ := layOut(rows.Columns(), cells, l.room(screen))
			out, more := "", false
			if l.format == "markdown" {
				out = markdownTable(columns, cells)
			} else {
				out, more = grid(columns, cells, l)
			}
			cut = cut || more
			if _, err := io.WriteString(w, out); err != nil {
				return err
			}
		}
		if len(cells) < tableRows {
			break
		}
	}
	if l.format == "markdown" {
		return nil
	}
	if cut {
		return l.countAnd(w, total, `; … stands for more, which \x shows`)
	}
	return l.count(w, total)
}

// block reads the rows of a table.
func block(rows rows, l look) (cells [][]string, values [][]value.Value, err error) {
	for len(cells) < tableRows && rows.Next() {
		of := slices.Clone(rows.Values())
		row := make([]string, len(of))
		for i, v := range of {
			row[i] = l.cell(v)
		}
		cells, values = append(cells, row), append(values, of)
	}
	return cells, values, rows.Err()
}

func markdownTable(columns []column, cells [][]string) string {
	t := table.NewWriter()
	var header table.Row
	var configs []table.ColumnConfig
	for i, c := range columns {
		header = append(header, c.name)
		if c.right {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight})
		}
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, row := range cells {
		var r table.Row
		for _, s := range row {
			r = append(r, s)
		}
		t.AppendRow(r)
	}
	return t.RenderMarkdown() + "\n"
}

// expanded writes a table, or rows as vertical if the first ones make no table that fits on the screen.
func expanded(w io.Writer, rows rows, l look, screen int) error {
	cells, values, err := block(rows, l)
	if err != nil {
		return err
	}
	again := &replayed{rows: rows, first: values}
	whole := l
	whole.border = 1
	if _, fits := layOut(rows.Columns(), cells, whole.room(screen)); !fits {
		return vertical(w, again, l, screen)
	}
	return tables(w, again, l, screen)
}

// replayed are rows of which the first have been read.
type replayed struct {
	rows
	first [][]value.Value
	at    int // number of rows that Next has come to
}

func (r *replayed) Next() bool {
	r.at++
	return r.at <= len(r.first) || r.rows.Next()
}

func (r *replayed) Values() []value.Value {
	if r.at <= len(r.first) {
		return r.first[r.at-1]
	}
	return r.rows.Values()
}

// vertical writes rows as lines of name and value; on a screen long values take several lines.
func vertical(w io.Writer, rows rows, l look, screen int) error {
	width := 0
	names := make([]string, len(rows.Columns()))
	for i, c := range rows.Columns() {
		names[i] = visible(c.Name)
		width = max(width, text.StringWidth(names[i]))
	}
	room := 0
	if left := screen - width - len(" | "); left >= narrowestText {
		room = left
	}
	n := 0
	for rows.Next() {
		n++
		if !l.bare {
			fmt.Fprintf(w, "-[ row %d ]\n", n)
		} else if n > 1 {
			fmt.Fprintln(w)
		}
		for i, v := range rows.Values() {
			name := names[i]
			for _, line := range wrap(l.cell(v), room) {
				fmt.Fprintf(w, "%s%s | %s\n", name, strings.Repeat(" ", width-text.StringWidth(name)), line)
				name = ""
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return l.count(w, n)
}

// unaligned writes rows as lines of values, or values as lines of name and value.
func unaligned(w io.Writer, rows rows, l look) error {
	names := columnNames(rows)
	if !l.bare && l.expanded != "on" {
		if _, err := fmt.Fprintln(w, strings.Join(names, l.fieldsep)); err != nil {
			return err
		}
	}
	n := 0
	for ; rows.Next(); n++ {
		row := make([]string, len(names))
		end := l.fieldsep
		for i, v := range rows.Values() {
			row[i] = l.plain(v)
			if l.expanded == "on" {
				row[i] = names[i] + l.fieldsep + row[i]
				end = "\n"
			}
		}
		if n > 0 && l.expanded == "on" {
			row[0] = "\n" + row[0]
		}
		if _, err := fmt.Fprintln(w, strings.Join(row, end)); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil || l.expanded == "on" {
		return err
	}
	return l.count(w, n)
}

func columnNames(rows rows) []string {
	names := make([]string, len(rows.Columns()))
	for i, c := range rows.Columns() {
		names[i] = c.Name
	}
	return names
}

func separated(w io.Writer, rows rows, l look) error {
	c := csv.NewWriter(w)
	if l.format == "tsv" {
		c.Comma = '\t'
	}
	names := columnNames(rows)
	if !l.bare {
		if err := c.Write(names); err != nil {
			return err
		}
	}
	record := make([]string, len(names))
	for rows.Next() {
		for i, v := range rows.Values() {
			record[i] = l.plain(v)
		}
		if len(record) == 1 && record[0] == "" {
			c.Flush()
			// encoding/csv writes a blank line, which reads as none.
			if _, err := io.WriteString(w, "\"\"\n"); err != nil {
				return err
			}
			continue
		}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	return rows.Err()
}

func jsonl(w io.Writer, rows rows) error {
	for rows.Next() {
		var b strings.Builder
		b.WriteByte('{')
		for i, v := range rows.Values() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(rows.Columns()[i].Name) + ":" + jsonValue(v))
		}
		b.WriteString("}\n")
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// jsonValue writes a value; numbers that JSON has not, such as NaN, are null.
func jsonValue(v value.Value) string {
	switch v.T {
	case value.Null:
		return "null"
	case value.Integer, value.Boolean:
		return v.String()
	case value.Float:
		if b, err := json.Marshal(v.Float()); err == nil {
			return string(b)
		}
		return "null"
	case value.JSON:
		var one bytes.Buffer // line
		if json.Compact(&one, []byte(v.S)) == nil {
			return one.String()
		}
	}
	return quoted(v.String())
}

// quoted writes a string as JSON does, keeping <, > and &.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
