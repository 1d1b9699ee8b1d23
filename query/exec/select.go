package exec

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Query plans and opens a SELECT.
func (r *Execution) Query(s *ast.Select) (*operator.Result, error) {
	p, err := r.Planned(s)
	if err != nil {
		return nil, err
	}
	n := p.Node
	r.ShareResults(p.sharesModel)
	op, err := r.open(p)
	if err != nil {
		return nil, err
	}
	r.result = operator.Result{Columns: n.Columns(), Rows: op}
	return &r.result, nil
}

// open makes the operator of a plan.
func (r *Execution) open(p boundPlan) (operator.Operator, error) {
	if p.id > 0 && r.cached() {
		_, r.reusesScratch = p.Node.(*plan.Project)
		return r.withResultCache(p.id, func() (operator.Operator, error) { return r.Build(p.Node) })
	}
	return r.Build(p.Node)
}

// Scalar evaluates a bound expression without a row.
func (r *Execution) Scalar(x expr.Expr) (value.Value, error) {
	return x.At(r.Env, &value.Batch{N: 1}, 0)
}
