package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/storage/value"
)

// project computes expressions.
type project struct {
	in    Operator
	exprs []expr.Expr
	env   *expr.Env
	rest  []*value.Batch // what is left of a batch whose rows are wide, the last part first
}

// wideBatch is what the texts of a column may take before fewer rows are computed at once.
const wideBatch = 32 << 20

func NewProject(in Operator, exprs []expr.Expr, env *expr.Env) Operator {
	return &project{in: in, exprs: exprs, env: env}
}

func (p *project) Next(ctx context.Context) (*value.Batch, error) {
	b, err := p.input(ctx)
	if err != nil || b == nil {
		return nil, err
	}
	for {
		out, err := p.compute(b)
		if err == nil || !errors.Is(err, expr.ErrWide) {
			return out, err
		}
		half := b.N / 2
		p.rest = append(p.rest, b.Slice(half, b.N))
		b = b.Slice(0, half)
	}
}

func (p *project) input(ctx context.Context) (*value.Batch, error) {
	if n := len(p.rest); n > 0 {
		b := p.rest[n-1]
		p.rest = p.rest[:n-1]
		return b, ctx.Err()
	}
	return p.in.Next(ctx)
}

func (p *project) compute(b *value.Batch) (_ *value.Batch, err error) {
	out := &value.Batch{N: b.N, Cols: make([]value.Vec, len(p.exprs))}
	for i, e := range p.exprs {
		if out.Cols[i], err = expr.EvalWithin(e, p.env, b, wideBatch); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *project) Close() error { return p.in.Close() }
