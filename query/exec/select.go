package exec

import (
	"context"

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

// explain prints the plan of a SELECT; with ANALYZE it runs and counts.
func (r *run) explain(ctx context.Context, s *ast.Explain) (*operator.Result, error) {
	sel, ok := s.Statement.(*ast.Select)
	if !ok {
		return nil, plan.Errorf(s.Statement.Position(), plan.CodeFeature, "EXPLAIN [ANALYZE] SELECT …", "only queries have a plan")
	}
	n, err := r.plan(sel)
	if err != nil {
		return nil, err
	}
	if s.Analyze {
		r.stats = &operator.Analysis{ByNode: map[plan.Node]*operator.Stats{}}
		r.share(annotatesTwice(n))
		op, err := r.build(n)
		if err != nil {
			return nil, err
		}
		if err := exhaust(ctx, op); err != nil {
			return nil, err
		}
	}
	return r.planTold(s, n)
}

// exhaust reads an operator to its end and closes it.
func exhaust(ctx context.Context, op operator.Operator) error {
	for {
		b, err := op.Next(ctx)
		if err != nil {
			op.Close()
			return err
		}
		if b == nil {
			return op.Close()
		}
	}
}

// scalar evaluates a bound expression without a row.
func (r *run) scalar(x expr.Expr) (value.Value, error) {
	return x.At(r.env, &value.Batch{N: 1}, 0)
}
