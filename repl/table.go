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

	"parlance/db"
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
		return vertical(w, rows, l)
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

// number of rows, below them.
func (l *look) count(w io.Writer, n int) error {
	if l.bare || !l.footer {
		return nil
	}
	_, err := fmt.Fprintf(w, "(%d row%s)\n", n, map[bool]string{true: "", false: "s"}[n == 1])
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
	if l.border == 2 && screen > 0 {
		screen = max(1, screen-2) // the frame
	}
	total := 0
	for {
		var cells [][]string
		for len(cells) < tableRows && rows.Next() {
			values := rows.Values()
			row := make([]string, len(values))
			for i, v := range values {
				row[i] = l.cell(v)
			}
			cells = append(cells, row)
		}
		total += len(cells)
		if err := rows.Err(); err != nil {
			return err
		}
		if len(cells) > 0 || total == 0 {
			columns := gridColumns(rows.Columns(), cells, screen)
			out := ""
			if l.format == "markdown" {
				out = markdownTable(columns, cells)
			} else {
				out = grid(columns, cells, l)
			}
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
	return l.count(w, total)
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

// gridColumns aligns numbers and bounds the width of texts, so that a row fits on the screen where
// that leaves each text some width; 0 is no screen.
func gridColumns(columns []db.Column, cells [][]string, screen int) []column {
	out := make([]column, len(columns))
	room := screen + 1 // behind the last column is no line
	var texts []int
	for i, c := range columns {
		out[i] = column{name: visible(c.Name), right: c.Type == "integer" || c.Type == "float"}
		n := text.StringWidth(out[i].name)
		for _, row := range cells {
			n = max(n, text.StringWidth(row[i]))
		}
		room -= 3 // blanks and a line
		if out[i].right {
			room -= n
		} else {
			texts = append(texts, n)
		}
	}
	if len(columns) == 1 { // plans and templates are lines of their own
		return out
	}
	most := widestText
	if screen > 0 {
		most = min(most, capOf(texts, room))
	}
	for i := range out {
		if !out[i].right {
			out[i].most = most
		}
	}
	return out
}

// Bounds of the width of a text in a table.
const (
	widestText    = 100
	narrowestText = 12
)

// capOf is the largest bound of widths that makes their sum at most room, no less than narrowestText.
func capOf(widths []int, room int) int {
	sorted := slices.Sorted(slices.Values(widths))
	for i, n := range sorted {
		if rest := len(sorted) - i; n*rest > room {
			return max(room/rest, narrowestText)
		}
		room -= n
	}
	return widestText
}

// expanded writes a table, or rows as vertical if the first ones make one that is wider than the screen.
func expanded(w io.Writer, rows rows, l look, screen int) error {
	r := &replayed{rows: rows}
	var cells [][]string
	for len(cells) < tableRows && rows.Next() {
		values := slices.Clone(rows.Values())
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = l.cell(v)
		}
		r.first, cells = append(r.first, values), append(cells, row)
	}
	whole := l
	whole.border, whole.bare = 1, false
	lines := strings.SplitN(grid(gridColumns(rows.Columns(), cells, screen), cells, whole), "\n", 3)
	if screen > 0 && text.StringWidth(lines[1]) > screen { // the line below the names is as wide as the table
		return vertical(w, r, l)
	}
	return tables(w, r, l, screen)
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

func vertical(w io.Writer, rows rows, l look) error {
	width := 0
	names := make([]string, len(rows.Columns()))
	for i, c := range rows.Columns() {
		names[i] = visible(c.Name)
		width = max(width, text.StringWidth(names[i]))
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
			fmt.Fprintf(w, "%s%s | %s\n", names[i], strings.Repeat(" ", width-text.StringWidth(names[i])), l.cell(v))
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
