package operator

import (
	"context"

	"parlance/query/expr"
	"parlance/storage/value"
)

// filter keeps the rows for which cond is true.
type filter struct {
	in   Operator
	cond expr.Expr
	env  *expr.Env
}

func NewFilter(in Operator, cond expr.Expr, env *expr.Env) Operator { return &filter{in, cond, env} }

func (f *filter) Next(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := f.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		rows, err := expr.Filter(f.cond, f.env, b)
		if err != nil {
			return nil, err
		}
		switch len(rows) {
		case 0:
			continue
		case b.N:
			return b, nil
		}
		return b.Select(rows), nil
	}
}

func (f *filter) Close() error { return f.in.Close() }
