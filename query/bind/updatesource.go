package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/value"
)

// UpdateSource plans the FROM of an UPDATE or the USING of a DELETE.
func (b *Binder) UpdateSource(at ast.Pos, name string, target plan.Node, tables []ast.TableRef,
	where ast.Expr) (*plan.UpdateSource, error) {
	cols := target.Columns()
	row := &plan.WorkTable{Name: name,
		Cols: append(cols[:len(cols):len(cols)], plan.Column{Hidden: true, Type: value.Integer})}
	others, err := b.from(tables)
	if err != nil {
		return nil, err
	}
	n, err := b.join(&ast.Join{Pos: at, Kind: "CROSS"}, row, others, nil)
	if err != nil {
		return nil, err
	}
	m := &plan.UpdateSource{Target: target, TargetRows: row, Pairs: n}
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
			m.TargetConds = append(m.TargetConds, c)
		}
	}
	if b.Off["push"] {
		m.Pairs = &plan.Filter{Input: n, Cond: x}
	} else {
		m.Pairs = optimise.Push(n, b.lookUpMembers(conds))
	}
	return m, nil
}
