package exec

import (
	"context"
	"sort"
	"sync"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// pgTable is a table of pg_catalog or information_schema: either with rows for each relation of
// the image, made as they are read, or with few rows made at once.
type pgTable struct {
	systemTableDef
	oid  int64
	view bool
	each func(r *run, rel *pgRelation) [][]value.Value
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
	out := columns(spec)
	for _, name := range []string{"tableoid", "xmin"} {
		out = append(out, plan.Column{Name: name, Type: value.Integer, Hidden: true})
	}
	return out
}

// pgRows is a row of a table of pg_catalog for each relation or thing, completed by the hidden
// columns when it is read.
type pgRows struct {
	r     *run
	t     *pgTable
	rels  []*pgRelation
	ready [][]value.Value
	types []value.Type
}

// system opens a table of the catalog.
func (r *run) system(n *plan.Relation) (Operator, error) {
	t := catalogTable(n.Schema, n.Rel)
	if t == nil {
		return nil, fault(plan.CodeUndefinedTable, "there is no table %s", n.Name)
	}
	o := &pgRows{r: r, t: t}
	for _, c := range t.columns {
		o.types = append(o.types, c.Type)
	}
	if t.each != nil {
		o.rels = r.relationsOf(t, n.Conds)
		return o, nil
	}
	var err error
	o.ready, err = t.rows(r)
	return o, err
}

// relationsOf returns the relations that conditions leave: all, or the one that an equality names.
func (r *run) relationsOf(t *pgTable, conds []expr.Expr) []*pgRelation {
	im := r.image()
	for _, c := range conds {
		cmp, ok := c.(*expr.Compare)
		if !ok || cmp.Op != "=" {
			continue
		}
		col, value := cmp.X, cmp.Y
		if _, ok := value.(*expr.Col); ok {
			col, value = value, col
		}
		k, ok := col.(*expr.Col)
		if !ok || k.Index >= len(t.columns) || t.columns[k.Index].Name != t.by || len(expr.Columns(value)) > 0 {
			continue
		}
		return r.relationsBy(im, value)
	}
	return im.relations
}

func (r *run) relationsBy(im *pgImage, x expr.Expr) []*pgRelation {
	v, err := r.scalar(x)
	if err != nil {
		return im.relations
	}
	if v, err = value.Cast(v, value.Integer); err != nil {
		return im.relations
	}
	if rel := im.byOID[v.Int()]; rel != nil && !v.IsNull() {
		return []*pgRelation{rel}
	}
	return nil
}

func (o *pgRows) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for len(o.ready) < value.BatchSize && len(o.rels) > 0 {
		o.ready = append(o.ready, o.t.each(o.r, o.rels[0])...)
		o.rels = o.rels[1:]
	}
	n := min(len(o.ready), value.BatchSize)
	if n == 0 {
		return nil, nil
	}
	rows := o.ready[:n]
	for i, row := range rows {
		if len(row) < len(o.types) {
			rows[i] = append(row[:len(row):len(row)], value.Int(o.t.oid), value.Int(1))
		}
	}
	o.ready = o.ready[n:]
	return value.FromRows(o.types, rows), nil
}

func (o *pgRows) Close() error { return nil }

// sortTables orders tables by name: they are numbered in their order.
func sortTables(list []pgTable) {
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
}
