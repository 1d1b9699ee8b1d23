package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// summarize plans (SUMMARIZE table): a row for each column that * stands for. A stored table, or a file of columns,
// is read once for each column, of which that column alone is read; another one is computed once.
func (b *Binder) summarize(t *ast.Table, alias string) (plan.Node, error) {
	first, err := b.table(t.Ref.Summarize)
	if err != nil {
		return nil, err
	}
	cols := first.Columns()
	var visible []int
	for i, c := range cols {
		if !c.Hidden {
			visible = append(visible, i)
		}
	}
	if len(visible) == 0 {
		return nil, plan.Errorf(t.Ref.Pos, plan.CodeWrongKind, "", "%s has no columns",
			tableName(t.Ref.Summarize.Ref))
	}
	source := func() (plan.Node, error) { return b.table(t.Ref.Summarize) }
	if f, ok := first.(*plan.File); ok && f.Table.Groups() > 0 {
		source = func() (plan.Node, error) {
			column := *f // of the same file, or another one in between would be mixed with it
			column.Need = make([]bool, len(f.Need))
			return &column, nil
		}
	} else if !storedColumns(first) {
		shared := &plan.CTE{Name: "summarized table", Input: first, Uses: len(visible), Cols: cols, Size: 1}
		for i := range cols {
			plan.MarkRead(first, i)
		}
		source = func() (plan.Node, error) { return shared, nil }
	}
	out := &plan.Union{Cols: named(alias, plan.SummaryColumns)}
	for _, i := range visible {
		in, err := source()
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, b.summary(in, i, out.Cols))
	}
	return out, noModels(t)
}

// storedColumns reports whether the columns of a table are stored, each by itself.
func storedColumns(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Table:
		return true
	case *plan.Layer:
		return n.Text == nil && n.Rows == nil && n.Call == nil && len(n.Models) == 0
	}
	return false
}

// summary plans the row of column i.
func (b *Binder) summary(in plan.Node, i int, cols []plan.Column) plan.Node {
	c := in.Columns()[i]
	plan.MarkRead(in, i)
	key := []plan.Column{{Name: c.Name, Type: c.Type}}
	values := &plan.Project{Input: in, Exprs: []expr.Expr{&expr.Col{Index: i, Name: c.Name, T: c.Type}}, Cols: key}
	counted := &plan.Aggregate{Input: values, Keys: []expr.Expr{&expr.Col{Name: c.Name, T: c.Type}},
		Calls: []plan.AggregateCall{{F: b.Catalog.Declared.Functions.Aggregate("count"), T: value.Integer}},
		Cols:  append(key[:1:1], plan.Column{Name: "count", Type: value.Integer})}
	return &plan.Summary{Input: counted, Column: c, Cols: cols}
}
