package codec

import (
	"strings"

	"parlance/storage/value"
	"parlance/storage/value/pg"
)

// Column is a typed column of rows.
type Column struct {
	Name string
	Type value.Type
}

// Cast reads a value as this language writes it, or as PostgreSQL does.
func Cast(s string, c Column) (value.Value, error) {
	if c.Type == value.Vector && strings.HasPrefix(s, "{") {
		return pg.ReadText([]byte(s), c.Type)
	}
	return value.Cast(value.Str(s), c.Type)
}

// ColumnNames returns the names of columns.
func ColumnNames(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
