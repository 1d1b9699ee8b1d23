package picture

import (
	"fmt"
	"io"
	"strings"

	"parlance/algo/option"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// markdown writes a table.
type markdown struct{}

func (markdown) Options(*option.Set) {}

func (markdown) Begin(w io.Writer, columns []codec.Column) error {
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

func (markdown) Row(w io.Writer, _ []codec.Column, row []value.Value) error {
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
