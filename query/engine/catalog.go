package engine

import (
	"sync"

	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/pgcatalog"
	"parlance/query/plan"
	"parlance/storage/accounts"
	"parlance/storage/value"
)

// catalogTables are the tables of the catalog, those of the schema system first.
var catalogTables = sync.OnceValue(func() *pgcatalog.Tables {
	own := make([]pgcatalog.Table, len(systemTables))
	for i, t := range systemTables {
		own[i] = pgcatalog.Table{Schema: t.schema, Name: t.name, Doc: t.doc, Columns: t.columns}
	}
	return pgcatalog.NewTables(own)
})

// catalog reads the catalog as the execution sees it. The execution is its Host.
func (r *execution) catalog() *pgcatalog.Reader { return r.engine.catalog.Reader(r.Execution, r) }

// UserName is the name of the session's user.
func (r *execution) UserName() string {
	if r.ses.User == "" {
		return pgcatalog.Owner
	}
	return r.ses.User
}

// DatabaseName is the name of the database.
func (r *execution) DatabaseName() string {
	if r.ses.Database != "" {
		return r.ses.Database
	}
	return DatabaseName(r.Store.Path())
}

// Role is the role of the session's user.
func (r *execution) Role() (accounts.Role, error) { return r.engine.Role(r.ses) }

// superuser reports whether the session may do everything.
func (r *execution) superuser() bool {
	role, err := r.Role()
	return err == nil && role == accounts.Admin
}

// TableRows are the rows of a table of the schema system, or of one of pg_catalog about sessions.
func (r *execution) TableRows(schema, table string) ([][]value.Value, error) {
	switch table {
	case "pg_cursors":
		return cursorRows(r)
	case "pg_stat_activity":
		return backendRows(r)
	}
	return systemTable(schema, table).rows(r)
}

// OpenSystem opens a table of the catalog.
func (r *execution) OpenSystem(part *exec.Execution, n *plan.Relation) (operator.Operator, error) {
	return r.derived(part).catalog().Open(n)
}

// CatalogRows are the rows of a function over the catalog.
func (r *execution) CatalogRows(part *exec.Execution, function string, args []value.Value) ([][]value.Value, error) {
	return r.derived(part).catalog().FunctionRows(function, args)
}

// schemas returns the schemas of the setting search_path that exist, in its order.
func (r *execution) schemas() []string {
	path := r.SearchPath()
	if len(path) == 1 && path[0] == "public" {
		return path // the default needs no snapshot of the catalog
	}
	return r.catalog().SchemasOf(path)
}
