package exec

import (
	"context"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// aggregate groups its input in memory. Groups come out in the order of their first row.
type aggregate struct {
	in     Operator
	n      *plan.Aggregate
	env    *expr.Env
	groups *grouper
	keys   []column // of the groups
	states []foldState
	done   bool
	at     int
}

func newAggregate(in Operator, n *plan.Aggregate, env *expr.Env) *aggregate {
	a := &aggregate{in: in, n: n, env: env, groups: newGrouper(len(n.Keys)), keys: make([]column, len(n.Keys))}
	for i := range n.Calls {
		a.states = append(a.states, newFold(&n.Calls[i], len(n.Keys) > 0, env))
	}
	return a
}

func (a *aggregate) Next(ctx context.Context) (*value.Batch, error) {
	if !a.done {
		if err := a.fill(ctx); err != nil {
			return nil, err
		}
		a.done = true
	}
	if a.at >= a.groups.n {
		return nil, nil
	}
	from, to := a.at, min(a.at+value.BatchSize, a.groups.n)
	a.at = to
	b := &value.Batch{N: to - from}
	for i := range a.keys {
		b.Cols = append(b.Cols, a.keys[i].vec(a.n.Columns()[i].Type, from, to))
	}
	for i, s := range a.states {
		col := make([]value.Value, 0, b.N)
		for g := from; g < to; g++ {
			v, err := s.result(g)
			if err != nil {
				return nil, err
			}
			col = append(col, v)
		}
		b.Cols = append(b.Cols, value.FromValues(a.n.Calls[i].T, col))
	}
	return b, nil
}

func (a *aggregate) fill(ctx context.Context) error {
	if len(a.n.Keys) == 0 {
		a.groups.n = 1
	}
	for {
		b, err := a.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := a.add(b); err != nil {
			return err
		}
	}
	for _, s := range a.states {
		s.grow(a.groups.n)
	}
	return nil
}

// add takes the rows of a batch into their groups.
func (a *aggregate) add(b *value.Batch) error {
	keys, err := evalAll(a.n.Keys, a.env, b)
	if err != nil {
		return err
	}
	var ids []int32 // nil for one group
	if len(keys) > 0 {
		var first []int
		ids, first = a.groups.assign(keys, b.N)
		if len(first) > 0 {
			for i := range keys {
				v := keys[i].Select(first)
				a.keys[i].append(&v, len(first))
			}
		}
	}
	for _, s := range a.states {
		s.grow(a.groups.n)
		if err := s.add(ids, b); err != nil {
			return err
		}
	}
	return nil
}

func (a *aggregate) Close() error { return a.in.Close() }
