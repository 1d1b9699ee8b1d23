package exec

import (
	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/plan"
)

// Query plans and opens a SELECT.
func (r *Execution) Query(s *ast.Select) (*operator.Result, error) {
	p, err := r.Planned(s)
	if err != nil {
		return nil, err
	}
	r.ShareResults(p.sharesModel)
	op, err := r.open(p)
	if err != nil {
		return nil, err
	}
	r.result = operator.Result{Columns: p.Node.Columns(), Rows: op}
	return &r.result, nil
}

// open makes the operator of a plan, or reads its rows from the result cache.
func (r *Execution) open(p boundPlan) (operator.Operator, error) {
	if p.id == 0 || !r.cached() {
		return r.Build(p.Node)
	}
	_, r.reusesScratch = p.Node.(*plan.Project) // its expressions make new columns of those of the scan
	return r.withResultCache(p.id, func() (operator.Operator, error) { return r.Build(p.Node) })
}
