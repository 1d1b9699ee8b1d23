package exec

import (
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/format"
)

// Reserved reports whether an object may not have a name, for it would hide tables of the language.
func Reserved(name string) bool {
	switch name {
	case "system", "pg_catalog", "information_schema":
		return true
	}
	if strings.HasPrefix(name, "pg_") { // it would stand before a relation of the catalog, for all sessions
		return true
	}
	return strings.EqualFold(name, "public") || text.Builtins(name) != nil
}

// ColumnNames lists the columns of a table or corpus.
func ColumnNames(o *catalog.Object) string {
	names := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// TypedColumns lists the columns of a table or corpus with their types.
func TypedColumns(o *catalog.Object) string {
	parts := make([]string, len(o.Columns))
	for i, c := range o.Columns {
		parts[i] = c.Name + " " + c.Type.String()
	}
	return strings.Join(parts, ", ")
}

// Given reports whether an option is among arguments.
func Given(args []option.Arg, name string) bool {
	for _, a := range args {
		if a.Name == name {
			return true
		}
	}
	return false
}

// UnknownFormat is the error for a file format that there is not.
func UnknownFormat(pos ast.Pos, name string) error {
	var names []string
	for _, f := range format.List() {
		names = append(names, f.Name)
	}
	hint := "formats: " + strings.Join(names, ", ")
	if meant := option.DidYouMean(name, names); meant != "" {
		hint = strings.TrimPrefix(meant, "; ") + " " + hint
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, hint, "there is no format %s", name)
}
