package engine

// SystemTable is the declaration of a table of the schema system.
type SystemTable struct {
	Name, Doc string
	Columns   []string
}

// SystemTables lists the tables of the schema system.
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
func CatalogTables(schema string) (full, empty []string) { return catalogTables().Schema(schema) }
