package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Matched plans the FROM of an UPDATE or the USING of a DELETE.
func (b *Binder) Matched(at ast.Pos, name string, target plan.Node, tables []ast.TableRef, where ast.Expr) (*plan.Matched, error) {
	cols := target.Columns()
	row := &plan.Working{Name: name, Cols: append(cols[:len(cols):len(cols)], plan.Column{Hidden: true, Type: value.Integer})}
	others, err := b.from(tables)
	if err != nil {
		return nil, err
	}
	n, err := b.join(&ast.Join{Pos: at, Kind: "CROSS"}, row, others, nil)
	if err != nil {
		return nil, err
	}
	m := &plan.Matched{Target: target, Row: row, Rows: n}
	if where == nil {
		return m, nil
	}
	s := &scope{cols: n.Columns(), mark: plan.ReadMarker(m)}
	x, err := b.bind(where, s)
	if err != nil {
		return nil, err
	}
	if err := condition(where, x); err != nil {
		return nil, err
	}
	conds := expr.Conjuncts(x)
	for _, c := range conds {
		if plan.SideOf(c, len(cols)) == 1 && !plan.HoldsSubselect(c) && !expr.Volatile(c) {
			m.Own = append(m.Own, c)
		}
	}
	if b.Off["push"] {
		m.Rows = &plan.Filter{Input: n, Cond: x}
	} else {
		m.Rows = optimise.Push(n, b.seekMembers(conds))
	}
	return m, nil
}
