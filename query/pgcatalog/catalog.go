package pgcatalog

import (
	"sort"

	"parlance/query/exec"
	"parlance/query/plan"
	"parlance/storage/accounts"
	"parlance/storage/value"
)

// Host is what the catalog needs to know of the session that reads it.
type Host interface {
	// UserName is the name of the user, Owner for a program that has the file open.
	UserName() string
	DatabaseName() string
	Role() (accounts.Role, error)
	// SettingRows lists the settings: name, value, default, scope, doc.
	SettingRows() [][5]string
	// TableRows are the rows of a table that the host declares, and of those about sessions: pg_cursors
	// and pg_stat_activity.
	TableRows(schema, table string) ([][]value.Value, error)
}

// Table declares a table of the catalog.
type Table struct {
	Schema, Name, Doc string
	Columns           []plan.Column
}

// Tables are the tables of the catalog. They are immutable.
type Tables struct {
	list   []catalogTable
	byName map[qualifiedName]*catalogTable
}

// NewTables returns the tables of the host, followed by those of this package.
func NewTables(host []Table) *Tables {
	p := &Tables{byName: map[qualifiedName]*catalogTable{}}
	for _, t := range host {
		def := tableDef{t.Schema, t.Name, t.Doc, t.Columns, hostRows(t.Schema, t.Name)}
		p.list = append(p.list, catalogTable{tableDef: def})
	}
	p.list = append(p.list, catalogTables()...)
	p.list = append(p.list, emptyTables()...)
	p.list = append(p.list, informationTables()...)
	for i := range p.list {
		t := &p.list[i]
		if t.oid == 0 {
			t.oid = 12000 + int64(i)
		}
		p.byName[qualifiedName{t.schema, t.name}] = t
	}
	return p
}

// hostRows returns a function for the rows of a table of the host.
func hostRows(schema, table string) func(r *Reader) ([][]value.Value, error) {
	return func(r *Reader) ([][]value.Value, error) { return r.TableRows(schema, table) }
}

// find returns a table, or nil.
func (p *Tables) find(schema, name string) *catalogTable {
	return p.byName[qualifiedName{schema, name}]
}

// Columns returns the columns of each table, by schema.table.
func (p *Tables) Columns() map[string][]plan.Column {
	out := make(map[string][]plan.Column, len(p.list))
	for _, t := range p.list {
		out[t.schema+"."+t.name] = t.columns
	}
	return out
}

// Schema lists the tables of a schema: those that have rows and those that are always empty.
func (p *Tables) Schema(schema string) (full, empty []string) {
	for _, t := range p.list {
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

// Catalog is the catalog of one database. It is safe for concurrent use.
type Catalog struct {
	*Tables
	snapshots  snapshotCache
	procedures procList
}

// New returns a catalog of the tables.
func New(t *Tables) *Catalog { return &Catalog{Tables: t} }

// Reader reads the catalog for one statement.
type Reader struct {
	*exec.Execution
	Host
	catalog *Catalog
}

// Reader returns a reader of the catalog in the snapshot of the execution.
func (c *Catalog) Reader(r *exec.Execution, h Host) *Reader { return &Reader{r, h, c} }

// SchemasOf returns the existing schemas of a search path, in its order.
func (r *Reader) SchemasOf(path []string) []string {
	snap := r.snapshot()
	var out []string
	for _, s := range path {
		if _, ok := snap.schemaOID[s]; ok {
			out = append(out, s)
		}
	}
	return out
}
