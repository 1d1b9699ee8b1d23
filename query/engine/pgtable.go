package engine

import (
	"context"
	"sort"
	"sync"

	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// pgTable is a table of pg_catalog or information_schema: either with rows for each relation of
// the image, made as they are read, or with few rows made at once.
type pgTable struct {
	systemTableDef
	oid  int64
	view bool
	each func(r *execution, rel *pgRelation, b *pgBatch)
	by   string // of each: the column that holds the oid of the relation, "" for none
}

var pgTables struct {
	once   sync.Once
	list   []pgTable
	byName map[pgName]*pgTable
}

// catalogList returns all tables of the catalog, those of the schema system first. It is filled
// at first use, for rows refer to it.
func catalogList() []pgTable {
	p := &pgTables
	p.once.Do(func() {
		for _, t := range systemTables {
			p.list = append(p.list, pgTable{systemTableDef: t})
		}
		p.list = append(p.list, pgCatalogTables()...)
		p.list = append(p.list, emptyTables()...)
		p.list = append(p.list, informationTables()...)
		p.byName = map[pgName]*pgTable{}
		for i := range p.list {
			t := &p.list[i]
			if t.oid == 0 {
				t.oid = 12000 + int64(i)
			}
			p.byName[pgName{t.schema, t.name}] = t
		}
	})
	return p.list
}

// catalogTable returns a table of the catalog, or nil.
func catalogTable(schema, name string) *pgTable {
	catalogList()
	return pgTables.byName[pgName{schema, name}]
}

// pgColumns are the columns of a table of pg_catalog: behind those of the specification hidden
// ones that every such table has.
func pgColumns(spec string) []plan.Column {
	out := exec.Columns(spec)
	for _, name := range []string{"tableoid", "xmin"} {
		out = append(out, plan.Column{Name: name, Type: value.Integer, Hidden: true})
	}
	return out
}

// pgBatch takes the rows of a table, of which it keeps the columns that are read.
type pgBatch struct {
	t    *pgTable
	need []bool
	cols [][]value.Value
	n    int
}

// add adds a row; the hidden columns of pg_catalog may be left out.
func (b *pgBatch) add(row ...value.Value) {
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

// batch returns the rows taken so far and begins anew; columns that are not read are NULL.
func (b *pgBatch) batch() *value.Batch {
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

// pgScan reads a table of the catalog.
type pgScan struct {
	r    *execution
	b    pgBatch
	rels []*pgRelation
	rows [][]value.Value
}

// SystemColumns returns the columns of a table of the catalog.
func (r *execution) SystemColumns(schema, table string) ([]plan.Column, bool) {
	t := catalogTable(schema, table)
	if t == nil {
		return nil, false
	}
	return t.columns, true
}

// SystemNames are the names of the tables of the catalog.
func (r *execution) SystemNames() []string {
	var names []string
	for _, t := range catalogList() {
		names = append(names, t.schema+"."+t.name)
	}
	return names
}

// OpenSystem opens a table of the catalog.
func (x *execution) OpenSystem(part *exec.Execution, n *plan.Relation) (operator.Operator, error) {
	r := x.on(part)
	t := catalogTable(n.Schema, n.Rel)
	if t == nil {
		return nil, fault.New(plan.CodeUndefinedTable, "there is no table %s", n.Name)
	}
	o := &pgScan{r: r, b: pgBatch{t: t, need: n.Need, cols: make([][]value.Value, len(t.columns))}}
	if t.each != nil {
		o.rels = r.relationsOf(t, n.Conds)
		return o, nil
	}
	var err error
	o.rows, err = t.rows(r)
	return o, err
}

func (o *pgScan) Next(ctx context.Context) (*value.Batch, error) {
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

func (o *pgScan) Close() error { return nil }

// relationsOf returns the relations that equalities with constants and parameters leave: one by
// its number, or those of a name or a schema.
func (r *execution) relationsOf(t *pgTable, conds []expr.Expr) []*pgRelation {
	im := r.image()
	rels := im.relations
	for _, c := range conds {
		name, v, ok := r.equality(t, c)
		if !ok {
			continue
		}
		switch name {
		case t.by:
			rel := im.byOID[v.Int()]
			if rel == nil || v.IsNull() {
				return nil
			}
			return []*pgRelation{rel}
		case "relname", "table_name", "tablename":
			rels = selectRelations(rels, func(rel *pgRelation) bool { return rel.name == v.S })
		case "table_schema", "schemaname":
			oid := im.schemaOID[v.S]
			rels = selectRelations(rels, func(rel *pgRelation) bool { return rel.schema == oid })
		case "relnamespace":
			rels = selectRelations(rels, func(rel *pgRelation) bool { return rel.schema == v.Int() })
		}
	}
	return rels
}

func selectRelations(rels []*pgRelation, keep func(*pgRelation) bool) []*pgRelation {
	var out []*pgRelation
	for _, rel := range rels {
		if keep(rel) {
			out = append(out, rel)
		}
	}
	return out
}

// equality reads a condition column = value, the value being of the type of the column.
func (r *execution) equality(t *pgTable, c expr.Expr) (column string, v value.Value, ok bool) {
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

// sortTables orders tables by name: they are numbered in their order.
func sortTables(list []pgTable) {
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
}
