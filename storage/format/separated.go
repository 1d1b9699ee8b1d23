package format

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/value"
)

// separated is values separated by a comma or tab, quoted with " where needed.
type separated struct {
	comma              string
	header             bool
	columns            []string
	id, content, label string

	// what a record is written through
	line bytes.Buffer
	csv  *csv.Writer
}

func (s *separated) options(o *option.Set) {
	o.Bool(&s.header, "header", true, "whether the first line names the columns")
	o.List(&s.columns, "columns", nil, "names of the columns, for files without a header")
	o.Text(&s.id, "id", "id", "column with the id of a document; without such a column it is file:n")
	o.Text(&s.content, "text", "text", "column with the text of a document")
	o.Text(&s.label, "label", "label", "column with the label of a document; other columns are metadata")
}

// lineReader gives encoding/csv the checked lines of a source.
type lineReader struct {
	src  *Source
	rest []byte
	err  error
}

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		line, _, err := r.src.next()
		if err != nil {
			r.err = err
			return 0, err
		}
		r.rest = append(append(r.rest[:0], line...), '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// records calls f for every record with the names of the columns.
func (s *separated) records(src *Source, f func(names, record []string, line int) error) error {
	if !s.header && len(s.columns) == 0 {
		return &Error{File: src.Name, Line: 1, Msg: "a file without a header does not name its columns", Hint: "WITH (header = false, columns = (id, text, …))"}
	}
	r := csv.NewReader(&lineReader{src: src})
	r.Comma = rune(s.comma[0])
	r.FieldsPerRecord = -1
	r.ReuseRecord = false
	names := s.columns
	for first := true; ; first = false {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		var p *csv.ParseError
		if errors.As(err, &p) {
			return src.fault(p.Line, p.Column, "%v", p.Err)
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		if first && s.header {
			if len(names) == 0 {
				names = record
			}
			continue
		}
		if len(record) != len(names) {
			return src.fault(line, 0, "%d values, %d columns are named (%s)", len(record), len(names), strings.Join(names, ", "))
		}
		if err := f(names, record, line); err != nil {
			return err
		}
	}
}

// read reads documents.
func (s *separated) read(src *Source, emit func(*text.Document, int) error) error {
	n := 0
	return s.records(src, func(names, record []string, line int) error {
		n++
		d := &text.Document{ID: fmt.Sprintf("%s:%d", src.Base, n)}
		found := false
		for i, name := range names {
			switch v := record[i]; name {
			case s.content:
				d.Text, found = v, true
			case s.id:
				if v == "" {
					return src.fault(line, 0, "the id is empty")
				}
				d.ID = v
			case s.label:
				if v != "" {
					d.SetLayer(labels(v))
				}
			default:
				if v != "" {
					d.Fields = append(d.Fields, text.Field{Name: name, Value: value.Str(v)})
				}
			}
		}
		if !found {
			return src.fault(line, 0, "there is no column %s; columns are %s", s.content, strings.Join(names, ", "))
		}
		return emit(d, line)
	})
}

// rows reads rows; columns are found by name, or by place where no name fits.
func (s *separated) rows(src *Source, columns []Column, emit func([]value.Value, int) error) error {
	return s.records(src, func(names, record []string, line int) error {
		byName := false
		for _, c := range columns {
			byName = byName || slices.Contains(names, c.Name)
		}
		if !byName && len(names) > len(columns) {
			return src.fault(line, 0, "%d values for %d columns", len(names), len(columns))
		}
		row := make([]value.Value, len(columns))
		for i, c := range columns {
			at := i
			if byName {
				at = slices.Index(names, c.Name)
			}
			if at < 0 || at >= len(record) {
				continue
			}
			v, err := cast(record[at], c)
			if err != nil {
				return src.fault(line, 0, "column %s: %v", c.Name, err)
			}
			row[i] = v
		}
		return emit(row, line)
	})
}

// cast reads a value; an empty one is NULL.
func cast(s string, c Column) (value.Value, error) {
	if s == "" {
		return value.Value{}, nil
	}
	return value.Cast(value.Str(s), c.Type)
}

func (s *separated) write(w io.Writer, record []string) error {
	if s.csv == nil {
		s.csv = csv.NewWriter(&s.line)
		s.csv.Comma = rune(s.comma[0])
	}
	if len(record) == 1 && record[0] == "" {
		_, err := io.WriteString(w, "\"\"\n") // encoding/csv writes a blank line, which reads as none
		return err
	}
	s.line.Reset()
	if err := s.csv.Write(record); err != nil {
		return err
	}
	s.csv.Flush()
	if err := s.csv.Error(); err != nil {
		return err
	}
	_, err := w.Write(s.line.Bytes())
	return err
}

func (s *separated) begin(w io.Writer, columns []Column) error {
	if !s.header {
		return nil
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return s.write(w, names)
}

func (s *separated) row(w io.Writer, _ []Column, row []value.Value) error {
	record := make([]string, len(row))
	for i, v := range row {
		if !v.IsNull() {
			record[i] = v.String()
		}
	}
	return s.write(w, record)
}

// tabbed is rows of tab-separated values without quotes; # begins no comment.
type tabbed struct {
	first string // name of the first column, for messages
	lower bool
}

func (t *tabbed) options(s *option.Set) {
	s.Bool(&t.lower, "lower", false, "whether the first column is put into lower case")
}

func (t *tabbed) rows(src *Source, columns []Column, emit func([]value.Value, int) error) error {
	for {
		line, n, err := src.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		parts := strings.Split(string(line), "\t")
		if len(parts) > len(columns) {
			return src.fault(n, 0, "%d values for %d columns", len(parts), len(columns))
		}
		row := make([]value.Value, len(columns))
		for i, p := range parts {
			if i == 0 && t.lower {
				p = strings.ToLower(p)
			}
			if row[i], err = cast(strings.TrimSpace(p), columns[i]); err != nil {
				return src.fault(n, 0, "column %s: %v", columns[i].Name, err)
			}
		}
		if row[0].IsNull() {
			return src.fault(n, 0, "the %s is empty", t.first)
		}
		if err := emit(row, n); err != nil {
			return err
		}
	}
}

func (t *tabbed) begin(io.Writer, []Column) error { return nil }

func (t *tabbed) row(w io.Writer, columns []Column, row []value.Value) error {
	parts := make([]string, len(row))
	for i, v := range row {
		if v.IsNull() {
			continue
		}
		if parts[i] = v.String(); strings.ContainsAny(parts[i], "\t\n") {
			return fmt.Errorf("column %s: %q does not fit between tabs", columns[i].Name, parts[i])
		}
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(parts, "\t"), "\t"))
	return err
}

// markdown writes a table.
type markdown struct{}

func (markdown) options(*option.Set) {}

func (markdown) begin(w io.Writer, columns []Column) error {
	names, rules := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], rules[i] = escape(c.Name), "---"
		if c.Type == value.Integer || c.Type == value.Float {
			rules[i] = "---:"
		}
	}
	_, err := fmt.Fprintf(w, "| %s |\n|%s|\n", strings.Join(names, " | "), strings.Join(rules, "|"))
	return err
}

func (markdown) row(w io.Writer, _ []Column, row []value.Value) error {
	parts := make([]string, len(row))
	for i, v := range row {
		if !v.IsNull() {
			parts[i] = escape(v.String())
		}
	}
	_, err := fmt.Fprintf(w, "| %s |\n", strings.Join(parts, " | "))
	return err
}

func escape(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ").Replace(s)
}
