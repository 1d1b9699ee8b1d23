package resource

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// tabbed is rows of tab-separated values without quotes; # begins no comment.
type tabbed struct {
	first string // name of the first column, for messages
	lower bool
}

func (t *tabbed) Options(s *option.Set) {
	s.Bool(&t.lower, "lower", false, "whether the first column is put into lower case")
}

func (t *tabbed) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	for {
		line, n, err := src.Next()
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
			return src.Fault(n, 0, "%d {value|values} for %d {column|columns}", len(parts), len(columns))
		}
		row := make([]value.Value, len(columns))
		for i, p := range parts {
			if i == 0 && t.lower {
				p = strings.ToLower(p)
			}
			if p = text.Trim(p); p == "" {
				continue
			}
			if row[i], err = codec.Cast(p, columns[i]); err != nil {
				return src.Fault(n, 0, "column %s: %v", columns[i].Name, err)
			}
		}
		if row[0].IsNull() {
			return src.Fault(n, 0, "the %s is empty", t.first)
		}
		if err := emit(row, n); err != nil {
			return err
		}
	}
}

func (t *tabbed) Begin(io.Writer, []codec.Column) error { return nil }

func (t *tabbed) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
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
