package exec

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// query plans and opens a SELECT.
func (r *run) query(s *ast.Select) (*operator.Result, error) {
	p, err := r.planned(s)
	if err != nil {
		return nil, err
	}
	n := p.node
	r.share(p.shares)
	op, err := r.open(p)
	if err != nil {
		return nil, err
	}
	r.result = operator.Result{Columns: n.Columns(), Rows: op}
	return &r.result, nil
}

// open makes the operator of a plan.
func (r *run) open(p planned) (operator.Operator, error) {
	if p.number > 0 && r.cached() {
		_, r.lone = p.node.(*plan.Project)
		return r.recalled(p.number, func() (operator.Operator, error) { return r.build(p.node) })
	}
	return r.build(p.node)
}

// scalar evaluates a bound expression without a row.
func (r *run) scalar(x expr.Expr) (value.Value, error) {
	return x.At(r.env, &value.Batch{N: 1}, 0)
}
