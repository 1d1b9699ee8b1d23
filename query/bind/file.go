package bind

import (
	"parlance/query/ast"
	"parlance/query/plan"
)

// file plans 'path' in FROM: the rows of a file. The plan is made for one execution, for the file may be another one at
// the next, and others may not be allowed to read it.
func (b *Binder) file(t *ast.Table) (plan.Node, error) {
	if err := noUsing(t); err != nil {
		return nil, err
	}
	table, err := b.Catalog.File(t.Ref.File, t.With)
	if err != nil {
		return nil, err
	}
	b.Stateful = true
	alias := t.Alias
	if alias == "" {
		alias = table.Stem()
	}
	n := &plan.File{Pos: t.Ref.Pos, Table: table, Need: make([]bool, len(table.Columns))}
	for _, c := range table.Columns {
		n.Cols = append(n.Cols, plan.Column{Table: alias, Name: c.Name, Type: c.Type})
	}
	return n, nil
}
