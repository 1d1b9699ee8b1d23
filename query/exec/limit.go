package exec

import (
	"context"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// limit skips offset rows and passes at most left (negative for all).
type limit struct {
	in           Operator
	offset, left int64
}

func (r *run) limit(n *plan.Limit) (Operator, error) {
	l := &limit{left: -1}
	for _, p := range []struct {
		e   expr.Expr
		dst *int64
	}{{n.Limit, &l.left}, {n.Offset, &l.offset}} {
		if p.e == nil {
			continue
		}
		v, err := p.e.At(r.env, &value.Batch{N: 1}, 0)
		if err != nil {
			return nil, err
		}
		if v.IsNull() {
			continue
		}
		if v, err = value.Cast(v, value.Integer); err != nil || v.Int() < 0 {
			return nil, invalid("LIMIT and OFFSET take a whole number from 0")
		}
		*p.dst = v.Int()
	}
	if l.left == 0 {
		return &union{}, nil
	}
	in, err := r.build(n.Input)
	l.in = in
	return l, err
}

func (l *limit) Next(ctx context.Context) (*value.Batch, error) {
	for l.left != 0 {
		b, err := l.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		from := int(min(l.offset, int64(b.N)))
		l.offset -= int64(from)
		to := b.N
		if l.left >= 0 {
			to = int(min(int64(to), int64(from)+l.left))
			l.left -= int64(to - from)
		}
		if from < to {
			return b.Slice(from, to), nil
		}
	}
	return nil, nil
}

func (l *limit) Close() error { return l.in.Close() }
