package exec

import (
	"context"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// limit skips offset rows and passes at most left (negative for all).
type limit struct {
	in           Operator
	offset, left int64
	per          []int
	groups       *grouper
	counts       []int64 // rows passed of each group
}

func (r *run) limit(n *plan.Limit) (Operator, error) {
	l := &limit{left: -1}
	for _, p := range []struct {
		e   expr.Expr
		dst *int64
		at  ast.Pos
	}{{n.Limit, &l.left, n.LimitAt}, {n.Offset, &l.offset, n.OffsetAt}} {
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
		rows, err := value.Cast(v, value.Integer)
		if err != nil || rows.Int() < 0 {
			return nil, plan.NotRows(p.at, v)
		}
		*p.dst = rows.Int()
	}
	if l.left == 0 {
		return &union{}, nil
	}
	in, err := r.build(n.Input)
	l.in = in
	if len(n.Per) > 0 {
		l.per, l.groups = n.Per, newGrouper(len(n.Per))
	}
	return l, err
}

// perGroup passes at most left rows of each group, the first offset ones left out.
func (l *limit) perGroup(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := l.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		vecs := make([]value.Vec, len(l.per))
		for i, c := range l.per {
			vecs[i] = b.Cols[c]
		}
		ids, _ := l.groups.assign(vecs, b.N)
		var rows []int
		for i, id := range ids {
			for int(id) >= len(l.counts) {
				l.counts = append(l.counts, 0)
			}
			n := l.counts[id]
			l.counts[id]++
			if n >= l.offset && (l.left < 0 || n-l.offset < l.left) {
				rows = append(rows, i)
			}
		}
		if len(rows) > 0 {
			return b.Select(rows), nil
		}
	}
}

func (l *limit) Next(ctx context.Context) (*value.Batch, error) {
	if l.groups != nil {
		return l.perGroup(ctx)
	}
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
