package catalog

import (
	"slices"

	"parlance/storage/value"
)

// A knowledge base is a catalog entry with tables, which are stored like all tables, under identifiers of their own.
// Rows with equal keys, which a change must find, are neighbours in the first index of a table.

// Names of the tables of a knowledge base.
const (
	Triples   = "triples"
	Entities  = "entities"
	Aliases   = "aliases"
	Relations = "relations"
	Types     = "types"
	Rules     = "rules"
)

// KBTable declares a table of a knowledge base.
type KBTable struct {
	Name    string
	Columns []ColumnDef
	Key     int // number of columns of the key, which identifies a row or a group of rows
	Indexes [][]string
}

func column(name string, t value.Type) ColumnDef { return ColumnDef{Name: name, Type: t} }

// KBSchema are the tables in the order in which they are hashed. The three indexes of the triples
// begin with each column and with each pair of columns.
var KBSchema = []KBTable{
	{Triples, []ColumnDef{column("subject", value.Text), column("relation", value.Text), column("object", value.Text),
		column("weight", value.Float), column("truth", value.Boolean)}, 3,
		[][]string{{"subject", "relation", "object"}, {"relation", "object"}, {"object", "subject"}}},
	{Entities, []ColumnDef{column("entity", value.Text), column("type", value.Text)}, 1,
		[][]string{{"entity", "type"}, {"type"}}},
	{Aliases, []ColumnDef{column("entity", value.Text), column("alias", value.Text)}, 2,
		[][]string{{"entity", "alias"}, {"alias"}}},
	{Relations, []ColumnDef{column("relation", value.Text), column("domain", value.Text), column("range", value.Text),
		column("count", value.Integer)}, 1,
		[][]string{{"relation"}, {"domain"}, {"range"}}},
	{Types, []ColumnDef{column("type", value.Text), column("parent", value.Text)}, 1,
		[][]string{{"type", "parent"}, {"parent"}}},
	{Rules, []ColumnDef{column("rule", value.Text), column("weight", value.Float)}, 1, [][]string{{"rule"}}},
}

// Key returns the number of columns of the key, the first columns of a table. It identifies a row or a group of rows.
func (o *Object) Key() int {
	for _, t := range KBSchema {
		if o.Owner != 0 && t.Name == o.Part {
			return t.Key
		}
	}
	return 1
}

// KBTables lists the names of the tables of a knowledge base.
func KBTables() []string {
	out := make([]string, len(KBSchema))
	for i, t := range KBSchema {
		out[i] = t.Name
	}
	return out
}

// KBColumns returns the columns that a table of every knowledge base has, nil if there is no such table.
func KBColumns(table string) []ColumnDef {
	for _, t := range KBSchema {
		if t.Name == table {
			return slices.Clone(t.Columns)
		}
	}
	return nil
}

// NewKB is the catalog entry of an empty knowledge base; columns are added to those of its triples.
func NewKB(name string, columns []ColumnDef) Object {
	o := Object{Name: name, Kind: KBObject}
	for _, t := range KBSchema {
		c := &Object{Name: name + "." + t.Name, Kind: KBObject, Part: t.Name, Columns: slices.Clone(t.Columns),
			Indexes: slices.Clone(t.Indexes)}
		if t.Name == Triples {
			c.Columns = append(c.Columns, columns...)
		}
		o.Tables = append(o.Tables, c)
	}
	return o
}

// BuiltinIndex reports whether an index is one that every such table has, and that cannot be dropped.
func (o *Object) BuiltinIndex(cols []string) bool {
	for _, t := range KBSchema {
		if t.Name == o.Part {
			return slices.ContainsFunc(t.Indexes, func(c []string) bool { return slices.Equal(c, cols) })
		}
	}
	return false
}

// Builtin reports whether every table of this name in a knowledge base has the column.
func (o *Object) Builtin(column string) bool {
	return slices.ContainsFunc(KBColumns(o.Part), func(c ColumnDef) bool { return c.Name == column })
}
