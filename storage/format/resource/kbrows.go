package resource

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// kbRows is the rows of one table of a knowledge base: values between tabs, without quotes.
type kbRows struct {
	of      string
	columns []string
	need    int // this many first columns may not be missing
}

// KBTable returns the table of a knowledge base that the rows of a format belong to, "" for other formats.
func KBTable(c codec.Codec) string {
	switch c := c.(type) {
	case *kbRows:
		return c.of
	case *triples:
		return c.of
	case *rules:
		return c.of
	}
	return ""
}

func (k *kbRows) Options(*option.Set) {}

// fields reads the lines that are not blank.
func fields(src *codec.Source, emit func(parts []string, line int) error) error {
	for {
		line, n, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if s := string(line); !codec.IsBlankText(s) {
			if err := emit(strings.Split(s, "\t"), n); err != nil {
				return err
			}
		}
	}
}

func (k *kbRows) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	at := make([]int, len(k.columns))
	for i, name := range k.columns {
		at[i] = slices.IndexFunc(columns, func(c codec.Column) bool { return c.Name == name })
	}
	return fields(src, func(parts []string, n int) error {
		row, err := k.row1(src, columns, at, parts, n)
		if err != nil {
			return err
		}
		return emit(row, n)
	})
}

// row1 makes a row of the fields of a line.
func (k *kbRows) row1(src *codec.Source, columns []codec.Column, at []int, parts []string, n int) ([]value.Value,
	error) {
	if len(parts) > len(k.columns) || len(parts) < k.need {
		return nil, src.Fault(n, 0, "%d {value|values} where %s are expected, between tabs", len(parts),
			strings.Join(k.columns, ", "))
	}
	row := make([]value.Value, len(columns))
	for i, p := range parts {
		name, c := k.columns[i], at[i]
		if p = text.Trim(p); p == "" && i < k.need && name != "_" {
			return nil, src.Fault(n, 0, "the %s is empty", name)
		}
		if p == "" || name == "_" {
			continue
		}
		if c < 0 {
			return nil, src.Fault(n, 0, "there is no column %s%s", name, option.DidYouMean(name, codec.ColumnNames(columns)))
		}
		v, err := codec.Cast(p, columns[c])
		if err != nil {
			return nil, src.Fault(n, 0, "column %s: %v", name, err)
		}
		row[c] = v
	}
	return row, nil
}

func (k *kbRows) Begin(io.Writer, []codec.Column) error { return nil }

func (k *kbRows) Row(w io.Writer, columns []codec.Column, row []value.Value) error {
	return (&tabbed{}).Row(w, columns, row)
}

// triples is the triples of a knowledge base, a line each.
type triples struct{ kbRows }

func newTriples() codec.Codec {
	return &triples{kbRows{of: "triples", need: 3}}
}

func (t *triples) Options(s *option.Set) {
	s.List(&t.columns, "columns", []string{"subject", "relation", "object", "weight", "truth"}, "names of the columns "+
		"in the order of the file; _ leaves one out. What stands behind the last of subject, relation and object "+
		"may be missing")
	s.Check("columns", t.check)
}

// check finds out how many columns every line has.
func (t *triples) check() error {
	t.need = 0
	for _, name := range []string{"subject", "relation", "object"} {
		i := slices.Index(t.columns, name)
		if i < 0 {
			return fmt.Errorf("the %s is missing: a triple has subject, relation and object", name)
		}
		t.need = max(t.need, i+1)
	}
	for i, name := range t.columns {
		if name != "_" && slices.Contains(t.columns[:i], name) {
			return fmt.Errorf("%s is named twice", name)
		}
	}
	return nil
}

// rules is the rules of a knowledge base, a line each, the weight before or behind a tab.
type rules struct{ kbRows }

func newRules() codec.Codec {
	return &rules{kbRows{of: "rules", columns: []string{"rule", "weight"}, need: 1}}
}

func (r *rules) Rows(src *codec.Source, columns []codec.Column, emit func([]value.Value, int) error) error {
	at := make([]int, 2)
	for i, name := range r.columns {
		at[i] = slices.IndexFunc(columns, func(c codec.Column) bool { return c.Name == name })
	}
	return fields(src, func(parts []string, n int) error {
		if strings.HasPrefix(parts[0], "#") {
			return nil
		}
		if len(parts) == 2 {
			if _, err := strconv.ParseFloat(text.Trim(parts[0]), 64); err == nil {
				parts[0], parts[1] = parts[1], parts[0]
			}
		}
		row, err := r.row1(src, columns, at, parts, n)
		if err != nil {
			return err
		}
		return emit(row, n)
	})
}
