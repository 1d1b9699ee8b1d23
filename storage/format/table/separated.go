package table

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/format/layers"
	"parlance/storage/value"
)

// separated is values separated by a comma or tab, quoted with " where needed.
type separated struct {
	codec.Notes
	delimiter          string
	quote              string
	header             bool
	null               string
	quotedNull         bool
	columns            []string
	id, content, label string
	numbers            bool

	buf []byte // what a record is written through
}

func (s *separated) Options(o *option.Set) {
	o.Bool(&s.header, "header", true, "whether the first line names the columns; without it and without columns, values "+
		"go to the columns of a table by their place")
	o.List(&s.columns, "columns", nil, "names of the columns, for files without a header")
	o.Text(&s.delimiter, "delimiter", s.delimiter, "character that separates values, or tab")
	o.Text(&s.quote, "quote", `"`, "character around values that hold the delimiter, a line end or itself, where it "+
		"stands twice; '' where quotes are characters as any other, as in most TSV files of corpora")
	o.Text(&s.null, "null", "", "what stands for NULL")
	o.Bool(&s.quotedNull, "quoted_null", true,
		"whether it does so within quotes too; if not, empty texts are written as \"\" and come back as such")
	o.Text(&s.id, "id", "id", "column with the id of a document; without such a column it is file:n")
	o.Text(&s.content, "text", "text", "column with the text of a document")
	o.Text(&s.label, "label", "label", "column with the label of a document; other columns are metadata")
	o.Bool(&s.numbers, "numbers", true, "whether metadata columns of numbers alone become INTEGER or FLOAT; values such "+
		"as "+
		"007 keep a column TEXT, as does standard input, and columns that the corpus has keep their types")
	o.Check("delimiter", s.separator)
	o.Check("quote", s.quoting)
	o.Check("null", s.absent)
}

// separator checks the delimiter.
func (s *separated) separator() error {
	if s.delimiter == "tab" {
		s.delimiter = "\t"
	}
	if utf8.RuneCountInString(s.delimiter) != 1 || !utf8.ValidString(s.delimiter) ||
		strings.ContainsAny(s.delimiter, "\r\n") || s.delimiter == `"` && s.quote == `"` {
		return fmt.Errorf("delimiter takes one character other than a quote or line end, or tab, not '%s'", s.delimiter)
	}
	return nil
}

// quoting checks the quote.
func (s *separated) quoting() error {
	if s.quote == "" {
		return nil
	}
	r, n := utf8.DecodeRuneInString(s.quote)
	if n != len(s.quote) || r == utf8.RuneError || r == '\r' || r == '\n' || s.quote == s.delimiter {
		return fmt.Errorf("quote takes one character other than a line end and the delimiter, or '' for none, not '%s'",
			s.quote)
	}
	return nil
}

// absent checks what represents NULL.
func (s *separated) absent() error {
	if s.null == `\.` || strings.ContainsAny(s.null, "\r\n") || strings.Contains(s.null, s.delimiter) ||
		s.quote != "" && strings.Contains(s.null, s.quote) {
		return fmt.Errorf(`null is \. or contains a quote, a line end or the delimiter`)
	}
	return nil
}

// LabelColumn is the column with the label of a document in files of a configured format, "" without one.
func LabelColumn(c codec.Codec) string {
	switch c := c.(type) {
	case *separated:
		if !c.ByPlace() {
			return c.label
		}
	case *typedColumns:
		return c.label
	}
	return ""
}

func (s *separated) ByPlace() bool { return !s.header && len(s.columns) == 0 }

// isNull reports whether a value represents NULL.
func (s *separated) isNull(c part) bool { return c.text == s.null && (s.quotedNull || !c.quoted) }

// records calls f for every record with the names of the columns; places are their names in a
// file that names none.
func (s *separated) records(src *codec.Source, places []string,
	f func(names []string, record []part, line int) error) error {
	names := s.columns
	if s.ByPlace() {
		names = places
	}
	r := &records{src: src, delimiter: s.delimiter, quote: s.quote, blank: !s.quotedNull && len(names) == 1,
		ended: !s.quotedNull}
	for first := true; ; first = false {
		record, line, err := r.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if first && s.header {
			if len(names) == 0 {
				names = textsOf(record)
				if name := repeated(names); name != "" {
					return &codec.Error{File: src.Name, Line: line, Msg: fmt.Sprintf("the header names column %s twice", name),
						Hint: "WITH (columns = (…)) gives the columns other names"}
				}
				r.blank = !s.quotedNull && len(names) == 1
			}
			continue
		}
		if len(record) != len(names) {
			return src.Fault(line, 0, "%d {value|values}, %d {column is|columns are} named (%s)", len(record), len(names),
				strings.Join(names, ", "))
		}
		if err := f(names, record, line); err != nil {
			return err
		}
	}
}

// repeated returns the first name that occurs again, "" without.
func repeated(names []string) string {
	for i, n := range names {
		if n != "" && slices.Contains(names[:i], n) {
			return n
		}
	}
	return ""
}

func textsOf(record []part) []string {
	out := make([]string, len(record))
	for i, c := range record {
		out[i] = c.text
	}
	return out
}

// Read reads documents.
func (s *separated) Read(src *codec.Source, emit func(*text.Document, int) error) error {
	if s.ByPlace() {
		return &codec.Error{File: src.Name, Line: 1, Msg: "a file without a header does not name its columns",
			Hint: "WITH (header = false, columns = (id, text, …))"}
	}
	n, missing := 0, &textColumn{of: s}
	err := s.records(src, nil, func(names []string, record []part, line int) error {
		n++
		s.told(src, record, line)
		d := &text.Document{ID: fmt.Sprintf("%s:%d", src.Base, n)}
		found := false
		for i, name := range names {
			v, null := record[i].text, s.isNull(record[i])
			switch name {
			case s.content:
				found = true
				if !null {
					d.Text = v
				}
			case s.id:
				if v == "" || null {
					return src.Fault(line, 0, "the id is empty")
				}
				d.ID = v
			case s.label:
				if v != "" && !null {
					d.SetLayer(layers.Labels(v))
				}
			default:
				if !null {
					d.Fields = append(d.Fields, text.Field{Name: name, Value: value.Str(v)})
				}
			}
		}
		if !found {
			return missing.see(names, record, line)
		}
		return emit(d, line)
	})
	return missing.fault(src, err)
}

var overLines = codec.Topic{
	One: "1 row has a value in quotes that reaches over a line end; WITH (quote = '') reads quotes as " +
		"characters", Many: "%d rows have values in quotes that reach over a line end; WITH (quote = '') reads quotes as " +
		"characters"}

// told reports a record of a file with tabs that spans lines: most such files have no quotes.
func (s *separated) told(src *codec.Source, record []part, line int) {
	if s.delimiter == "\t" && slices.ContainsFunc(record, func(c part) bool { return c.lines }) {
		s.Tell(overLines, 1, src.Name, line)
	}
}

// rowsTogether is how many rows are allocated at once.
const rowsTogether = 128

// Rows reads rows; columns are found by name, or by place where no name fits.
func (s *separated) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	var at []int // of each column in a record, -1 where it is not
	var free []value.Value
	return s.records(src, codec.ColumnNames(columns), func(names []string, record []part, line int) error {
		if at == nil { // the names are the same for all records
			if at = placesOf(columns, names); at == nil {
				return src.Fault(line, 0, "%d {value|values} for %d {column|columns}", len(names), len(columns))
			}
		}
		s.told(src, record, line)
		if len(free) < len(columns) {
			free = make([]value.Value, rowsTogether*len(columns))
		}
		row := free[:len(columns):len(columns)]
		free = free[len(columns):]
		for i, c := range columns {
			if at[i] < 0 || s.isNull(record[at[i]]) {
				continue
			}
			v, err := codec.Cast(record[at[i]].text, c)
			if err != nil {
				return src.Fault(line, 0, "column %s: %v", c.Name, err)
			}
			row[i] = v
		}
		return emit(row, line)
	})
}

// placesOf returns where each column is among the names, by name, or by place where no name fits, -1 where it is not;
// nil if there are more names than columns, and none fits.
func placesOf(columns []codec.Column, names []string) []int {
	byName := slices.ContainsFunc(columns, func(c codec.Column) bool { return slices.Contains(names, c.Name) })
	if !byName && len(names) > len(columns) {
		return nil
	}
	at := make([]int, len(columns))
	for i, c := range columns {
		switch {
		case byName:
			at[i] = slices.Index(names, c.Name)
		case i < len(names):
			at[i] = i
		default:
			at[i] = -1
		}
	}
	return at
}

func (s *separated) Begin(w io.Writer, columns []codec.Column) error {
	if !s.header {
		return nil
	}
	s.buf = s.buf[:0]
	for i, name := range codec.ColumnNames(columns) {
		if err := s.append(i, name, name == "" && len(columns) == 1); err != nil {
			return err
		}
	}
	return s.flush(w)
}

func (s *separated) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
	s.buf = s.buf[:0]
	for i, v := range row {
		switch {
		case !v.IsNull():
			v := v.String()
			if err := s.append(i, v, v == s.null && !s.quotedNull || v == "" && len(row) == 1); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		case len(row) == 1 && s.null == "" && s.quotedNull: // a blank line would be read as none
			if err := s.append(i, "", true); err != nil {
				return fmt.Errorf("column %s: %w", columns[i].Name, err)
			}
		default:
			s.separate(i)
			s.buf = append(s.buf, s.null...)
		}
	}
	return s.flush(w)
}

func (s *separated) separate(i int) {
	if i > 0 {
		s.buf = append(s.buf, s.delimiter...)
	}
}

// append writes value i of a record, in quotes where it needs them or they are asked for. Without a character for
// quotes, a value that needs them is an error.
func (s *separated) append(i int, v string, quotes bool) error {
	s.separate(i)
	switch {
	case s.quote == "" && (quotes || v == `\.` || strings.ContainsAny(v, "\r\n") || strings.Contains(v, s.delimiter) ||
		i == 0 && strings.HasPrefix(v, "\ufeff")):
		return fmt.Errorf("%.40q cannot be written with quote = '', for it needs quotes", v)
	case s.quote == "" || !quotes && !s.needsQuotes(v):
		s.buf = append(s.buf, v...)
		return nil
	}
	s.buf = append(s.buf, s.quote...)
	s.buf = append(s.buf, strings.ReplaceAll(v, s.quote, s.quote+s.quote)...)
	s.buf = append(s.buf, s.quote...)
	return nil
}

// needsQuotes reports whether a value would be read as something else without quotes.
func (s *separated) needsQuotes(v string) bool {
	first, _ := utf8.DecodeRuneInString(v)
	return v == `\.` || strings.ContainsAny(v, "\"\r\n") || strings.Contains(v, s.quote) ||
		strings.Contains(v, s.delimiter) || unicode.IsSpace(first) || first == '\ufeff'
}

func (s *separated) flush(w io.Writer) error {
	s.buf = append(s.buf, '\n')
	_, err := w.Write(s.buf)
	return err
}
