package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
)

// Returning binds the list of RETURNING over the columns of the target and marks those that it reads.
func (b *Binder) Returning(items []ast.Item, n plan.Node) ([]expr.Expr, []plan.Column, error) {
	s := &scope{cols: n.Columns(), mark: plan.ReadMarker(n)}
	items, err := expand(items, s)
	if err != nil {
		return nil, nil, err
	}
	exprs, cols := make([]expr.Expr, len(items)), make([]plan.Column, len(items))
	for i, it := range items {
		if exprs[i], err = b.bind(it.Expr, s); err != nil {
			return nil, nil, err
		}
		cols[i] = plan.Column{Name: itemName(it), Type: exprs[i].Type(), Param: repeated(exprs[i])}
	}
	return exprs, cols, nil
}
