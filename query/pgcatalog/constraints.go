package pgcatalog

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/fn/jsonfn"
	"parlance/storage/value"
)

// constraintEntry is a primary key or a foreign key of a table.
type constraintEntry struct {
	oid     int64
	name    string
	table   *relationEntry
	columns []string
	index   *relationEntry // of the primary key
	of      *relationEntry // referenced table of a foreign key; nil for a primary key
}

// key makes a column the primary key of a table, with an index.
func (b *snapshotBuilder) key(t *relationEntry, column string) {
	name := t.name + "_pkey"
	x := b.indexNamed(name, t, []string{column})
	x.index.primary = true
	b.constraint(t, &constraintEntry{name: name, columns: []string{column}, index: x})
}

// references makes a column a foreign key, with ON DELETE CASCADE.
func (b *snapshotBuilder) references(t *relationEntry, column string, of *relationEntry) {
	if k := of.key(); k != nil && columnIndex(t.columns, column) >= 0 {
		b.constraint(t, &constraintEntry{name: t.name + "_" + column + "_fkey", columns: []string{column},
			index: k.index, of: of})
	}
}

func (b *snapshotBuilder) constraint(t *relationEntry, c *constraintEntry) {
	c.oid, c.table = b.oid("constraint "+b.snap.schemaOf[t.schema]+"."+c.name), t
	t.constraints = append(t.constraints, c)
	b.snap.constraints[c.oid] = c
}

// key is the primary key of a table, or nil.
func (rel *relationEntry) key() *constraintEntry {
	for _, c := range rel.constraints {
		if c.of == nil {
			return c
		}
	}
	return nil
}

// neverNull reports whether a column is NOT NULL, since a constraint contains it.
func (rel *relationEntry) neverNull(column string) bool {
	return slices.ContainsFunc(rel.constraints, func(c *constraintEntry) bool {
		return slices.Contains(c.columns, column)
	})
}

// definition is the constraint as pg_get_constraintdef prints it.
func (c *constraintEntry) definition(snap *snapshot) string {
	columns := " (" + nameList(c.columns) + ")"
	if c.of == nil {
		return "PRIMARY KEY" + columns
	}
	table := ast.QuoteName(c.of.name)
	if c.of.schema != oidPublic {
		table = ast.QuoteName(snap.schemaOf[c.of.schema]) + "." + table
	}
	return "FOREIGN KEY" + columns + " REFERENCES " + table + "(" + nameList(c.of.key().columns) + ") ON DELETE CASCADE"
}

// places are the numbers of columns of a table, from 1.
func places(t *relationEntry, names []string) value.Value {
	out := make([]value.Value, len(names))
	for i, name := range names {
		out[i] = num(int64(columnIndex(t.columns, name) + 1))
	}
	v, _ := jsonfn.Array(out)
	return v
}

const constraintColumns = "oid:int conname connamespace:int contype condeferrable:bool condeferred:bool " +
	"convalidated:bool conrelid:int contypid:int conindid:int conparentid:int confrelid:int confupdtype confdeltype " +
	"confmatchtype conislocal:bool coninhcount:int connoinherit:bool conkey:json confkey:json conpfeqop:json " +
	"conppeqop:json conffeqop:json confdelsetcols:json conexclop:json conbin"

func constraintRows(_ *Reader, rel *relationEntry, b *rowBatch) {
	for _, c := range rel.constraints {
		kind, of, update, remove, match, keys := "p", int64(0), " ", " ", " ", null()
		if c.of != nil {
			kind, of, update, remove, match, keys = "f", c.of.oid, "a", "c", "s", places(c.of, c.of.key().columns)
		}
		b.add(num(c.oid), str(c.name), num(rel.schema), str(kind), yes(false), yes(false), yes(true), num(rel.oid), num(0),
			num(c.index.oid), num(0), num(of), str(update), str(remove), str(match),
			yes(true), num(0), yes(true), places(rel, c.columns), keys, null(), null(), null(), null(), null(), null())
	}
}

// identity is the catalog, schema and name of a constraint.
func (c *constraintEntry) identity(r *Reader) []value.Value {
	return oidRow(str(r.DatabaseName()), str(r.snapshot().schemaOf[c.table.schema]), str(c.name))
}

// identity is the catalog, schema and name of a table.
func (rel *relationEntry) identity(r *Reader) []value.Value {
	return oidRow(str(r.DatabaseName()), str(r.snapshot().schemaOf[rel.schema]), str(rel.name))
}

func informationConstraints(r *Reader, rel *relationEntry, b *rowBatch) {
	for _, c := range rel.constraints {
		kind, distinct := "PRIMARY KEY", str("YES")
		if c.of != nil {
			kind, distinct = "FOREIGN KEY", null()
		}
		b.add(slices.Concat(c.identity(r), rel.identity(r), oidRow(str(kind), str("NO"), str("NO"), str("YES"), distinct))...)
	}
}

func informationKeys(r *Reader, rel *relationEntry, b *rowBatch) {
	for _, c := range rel.constraints {
		for i, column := range c.columns {
			of := null()
			if c.of != nil {
				of = num(int64(i + 1))
			}
			b.add(slices.Concat(c.identity(r), rel.identity(r), oidRow(str(column), num(int64(i+1)), of))...)
		}
	}
}

func informationReferences(r *Reader, rel *relationEntry, b *rowBatch) {
	for _, c := range rel.constraints {
		if c.of != nil {
			b.add(slices.Concat(c.identity(r), c.of.key().identity(r), oidRow(str("NONE"), str("NO ACTION"), str("CASCADE")))...)
		}
	}
}

// usedColumns makes the rows of constraint_column_usage (columns) and constraint_table_usage.
func usedColumns(columns bool) func(r *Reader) ([][]value.Value, error) {
	return func(r *Reader) ([][]value.Value, error) {
		var out [][]value.Value
		for _, rel := range r.snapshot().relations {
			for _, c := range rel.constraints {
				of := rel
				if c.of != nil {
					of = c.of
				}
				if !columns {
					out = append(out, slices.Concat(of.identity(r), c.identity(r)))
					continue
				}
				for _, column := range of.key().columns {
					out = append(out, slices.Concat(of.identity(r), oidRow(str(column)), c.identity(r)))
				}
			}
		}
		return out, nil
	}
}
