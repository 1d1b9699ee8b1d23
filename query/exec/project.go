package exec

import (
	"context"

	"parlance/query/expr"
	"parlance/storage/value"
)

// project computes expressions.
type project struct {
	in    Operator
	exprs []expr.Expr
	env   *expr.Env
}

func (p *project) Next(ctx context.Context) (*value.Batch, error) {
	b, err := p.in.Next(ctx)
	if err != nil || b == nil {
		return nil, err
	}
	out := &value.Batch{N: b.N, Cols: make([]value.Vec, len(p.exprs))}
	for i, e := range p.exprs {
		if out.Cols[i], err = expr.Eval(e, p.env, b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *project) Close() error { return p.in.Close() }
