package engine

import (
	"sort"
)

// SystemTable is what is declared of a table of the catalog.
type SystemTable struct {
	Name, Doc string
	Columns   []string
}

// SystemTables lists the tables of the catalog's schema system.
func SystemTables() []SystemTable {
	var out []SystemTable
	for _, t := range systemTables {
		s := SystemTable{Name: t.name, Doc: t.doc}
		for _, c := range t.columns {
			s.Columns = append(s.Columns, c.Name)
		}
		out = append(out, s)
	}
	return out
}

// CatalogTables lists the tables of a schema of the catalog: those that have rows and those that
// are always empty.
func CatalogTables(schema string) (full, empty []string) {
	for _, t := range catalogList() {
		switch {
		case t.schema != schema:
		case t.doc == "empty":
			empty = append(empty, t.name)
		default:
			full = append(full, t.name)
		}
	}
	sort.Strings(full)
	sort.Strings(empty)
	return full, empty
}
