package pgcatalog

import (
	"context"
	"sort"

	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// catalogTable is a table of pg_catalog or information_schema. Either it has rows for each relation of the snapshot,
// which are made as they are read, or it has few rows, which are made at once.
type catalogTable struct {
	tableDef
	oid  int64
	view bool
	each func(r *Reader, rel *relationEntry, b *rowBatch)
	by   string // of a table with rows for each relation: the column with the OID of the relation, "" for none
}

// tableDef declares a table; rows are those of a table whose rows are made at once.
type tableDef struct {
	schema, name, doc string
	columns           []plan.Column
	rows              func(r *Reader) ([][]value.Value, error)
}

// numberArrays are the columns that are arrays of numbers.
var numberArrays = map[string]bool{"conkey": true, "confkey": true, "conpfeqop": true, "conppeqop": true,
	"conffeqop": true, "confdelsetcols": true, "conexclop": true, "proallargtypes": true, "protrftypes": true,
	"polroles": true, "grolist": true, "extconfig": true}

// hiddenColumns are the columns of a table of pg_catalog: those of the specification, and the hidden system columns.
func hiddenColumns(spec string) []plan.Column {
	out := exec.Columns(spec)
	for i, c := range out {
		if c.Type == value.JSON { // what PostgreSQL has as arrays
			out[i].Members = "text"
			if numberArrays[c.Name] {
				out[i].Members = "integer"
			}
		}
	}
	for _, name := range []string{"tableoid", "xmin"} {
		out = append(out, plan.Column{Name: name, Type: value.Integer, Hidden: true})
	}
	return out
}

// rowBatch collects rows of a table; it stores only the columns that are read.
type rowBatch struct {
	t    *catalogTable
	need []bool
	cols [][]value.Value
	n    int
}

// add adds a row; the hidden columns of pg_catalog may be left out.
func (b *rowBatch) add(row ...value.Value) {
	for c, need := range b.need {
		if !need {
			continue
		}
		v := value.Int(1) // xmin
		switch {
		case c < len(row):
			v = row[c]
		case c == len(b.need)-2:
			v = value.Int(b.t.oid)
		}
		b.cols[c] = append(b.cols[c], v)
	}
	b.n++
}

// batch returns the rows collected so far and clears the batch. Columns that are not read are NULL.
func (b *rowBatch) batch() *value.Batch {
	out := &value.Batch{N: b.n, Cols: make([]value.Vec, len(b.need))}
	for c := range b.need {
		out.Cols[c].Type = b.t.columns[c].Type
		if b.need[c] {
			out.Cols[c] = value.FromValues(b.t.columns[c].Type, b.cols[c])
			b.cols[c] = nil
		}
	}
	b.n = 0
	return out
}

// tableScan is the scan of a table of the catalog.
type tableScan struct {
	r    *Reader
	b    rowBatch
	rels []*relationEntry
	rows [][]value.Value
}

// Open opens a table of the catalog.
func (r *Reader) Open(n *plan.Relation) (operator.Operator, error) {
	t := r.catalog.find(n.Schema, n.Rel)
	if t == nil {
		return nil, fault.New(plan.CodeUndefinedTable, "there is no table %s", n.Name)
	}
	o := &tableScan{r: r, b: rowBatch{t: t, need: n.Need, cols: make([][]value.Value, len(t.columns))}}
	if t.each != nil {
		o.rels = r.relationsOf(t, n.Conds)
		return o, nil
	}
	var err error
	o.rows, err = t.rows(r)
	return o, err
}

func (o *tableScan) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for o.b.n < value.BatchSize && len(o.rels) > 0 {
		o.b.t.each(o.r, o.rels[0], &o.b)
		o.rels = o.rels[1:]
	}
	for o.b.n < value.BatchSize && len(o.rows) > 0 {
		o.b.add(o.rows[0]...)
		o.rows = o.rows[1:]
	}
	if o.b.n == 0 {
		return nil, nil
	}
	return o.b.batch(), nil
}

func (o *tableScan) Close() error { return nil }

// relationsOf returns the relations that can satisfy conditions of the form column = constant: one by its OID, or those
// of a name or a schema.
func (r *Reader) relationsOf(t *catalogTable, conds []expr.Expr) []*relationEntry {
	snap := r.snapshot()
	rels := snap.relations
	for _, c := range conds {
		name, v, ok := r.equality(t, c)
		if !ok {
			continue
		}
		switch name {
		case t.by:
			rel := snap.byOID[v.Int()]
			if rel == nil || v.IsNull() {
				return nil
			}
			return []*relationEntry{rel}
		case "relname", "table_name", "tablename":
			rels = selectRelations(rels, func(rel *relationEntry) bool { return rel.name == v.S })
		case "table_schema", "schemaname":
			oid := snap.schemaOID[v.S]
			rels = selectRelations(rels, func(rel *relationEntry) bool { return rel.schema == oid })
		case "relnamespace":
			rels = selectRelations(rels, func(rel *relationEntry) bool { return rel.schema == v.Int() })
		}
	}
	return rels
}

func selectRelations(rels []*relationEntry, keep func(*relationEntry) bool) []*relationEntry {
	var out []*relationEntry
	for _, rel := range rels {
		if keep(rel) {
			out = append(out, rel)
		}
	}
	return out
}

// equality splits a condition column = value whose value has the type of the column.
func (r *Reader) equality(t *catalogTable, c expr.Expr) (column string, v value.Value, ok bool) {
	cmp, ok := c.(*expr.Compare)
	if !ok || cmp.Op != "=" {
		return "", v, false
	}
	x, y := cmp.X, cmp.Y
	if _, ok := y.(*expr.Col); ok {
		x, y = y, x
	}
	col, ok := x.(*expr.Col)
	if !ok || col.Index >= len(t.columns) || len(expr.Columns(y)) > 0 || expr.Volatile(y) {
		return "", v, false
	}
	v, err := r.Scalar(y)
	if err == nil {
		v, err = value.Cast(v, t.columns[col.Index].Type)
	}
	return t.columns[col.Index].Name, v, err == nil
}

// sortTables sorts tables by name: OIDs are given in this order.
func sortTables(list []catalogTable) {
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
}
