package plan

import (
	"parlance/query/ast"
	"parlance/query/expr"
)

// Returning binds the list of RETURNING over the columns of the target and marks those that it reads.
func (b *Binder) Returning(items []ast.Item, n Node) ([]expr.Expr, []Column, error) {
	s := &scope{cols: n.Columns(), mark: marker(n)}
	items, err := expand(items, s)
	if err != nil {
		return nil, nil, err
	}
	exprs, cols := make([]expr.Expr, len(items)), make([]Column, len(items))
	for i, it := range items {
		if exprs[i], err = b.bind(it.Expr, s); err != nil {
			return nil, nil, err
		}
		cols[i] = Column{Name: itemName(it), Type: exprs[i].Type(), Param: repeated(exprs[i])}
	}
	return exprs, cols, nil
}
