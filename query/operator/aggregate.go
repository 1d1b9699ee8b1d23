package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// aggregate groups its input. Groups come out in the order of their first row. When groups
// fill the memory, rows of further groups go to files, which are grouped one after the other
// at the end.
type aggregate struct {
	in     Operator
	n      *plan.Aggregate
	env    *expr.Env
	memory *Budget
	level  int
	groups *GroupTable
	keys   []column // of the groups
	states []foldState
	done   bool
	at     int
	rest   *parted
	file   *spillFile // that is read
	inner  *aggregate // groups it
}

func NewAggregate(in Operator, n *plan.Aggregate, env *expr.Env, memory *Budget) *aggregate {
	a := &aggregate{in: in, n: n, env: env, memory: memory, groups: NewGroupTable(len(n.Keys)), keys: make([]column, len(n.Keys))}
	if len(n.Keys) == 0 {
		a.groups.Groups = 1
	}
	for i := range n.Calls {
		a.states = append(a.states, newFold(&n.Calls[i], len(n.Keys) > 0, env, memory.again()))
	}
	return a
}

func (a *aggregate) Next(ctx context.Context) (*value.Batch, error) {
	if !a.done {
		if err := a.fill(ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.at < a.groups.Groups {
		return a.batch()
	}
	return a.fromFiles(ctx)
}

// batch lays out the next groups.
func (a *aggregate) batch() (*value.Batch, error) {
	from, to := a.at, min(a.at+value.BatchSize, a.groups.Groups)
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
	for {
		b, err := a.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return a.finish(ctx)
		}
		if err := a.add(b); err != nil {
			return err
		}
	}
}

// finish comes after the last batch.
func (a *aggregate) finish(ctx context.Context) error {
	a.done = true
	for _, s := range a.states {
		s.grow(a.groups.Groups)
		if err := s.finish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// add takes the rows of a batch into their groups.
func (a *aggregate) add(b *value.Batch) error {
	keys, err := EvalAll(a.n.Keys, a.env, b)
	if err != nil {
		return err
	}
	var ids []int32 // nil for one group
	switch {
	case len(keys) == 0:
	case a.rest != nil:
		if b, ids, err = a.known(b, keys); err != nil || b.N == 0 {
			return err
		}
	default:
		var first []int
		ids, first = a.groups.Assign(keys, b.N)
		bytes := a.groups.Bytes() + 64*len(a.states)*a.groups.Groups
		for i := range keys {
			if len(first) > 0 {
				v := keys[i].Select(first)
				a.keys[i].append(&v, len(first))
			}
			bytes += a.keys[i].bytes()
		}
		if a.memory.Exceeded(bytes) {
			a.rest = &parted{level: a.level}
		}
	}
	for _, s := range a.states {
		s.grow(a.groups.Groups)
		if err := s.add(ids, b); err != nil {
			return err
		}
	}
	return nil
}

// known returns the rows whose groups are in memory; the others go to files.
func (a *aggregate) known(b *value.Batch, keys []value.Vec) (*value.Batch, []int32, error) {
	ids := a.groups.lookup(keys, b.N)
	rest := unnumbered(ids)
	if len(rest) == 0 {
		return b, ids, nil
	}
	if err := a.rest.add(b, keys, rest); err != nil {
		return nil, nil, err
	}
	rows := []int{}
	for i, id := range ids {
		if id >= 0 {
			rows = append(rows, i)
		}
	}
	return b.Select(rows), pickIDs(ids, rows), nil
}

// fromFiles yields the groups of the files.
func (a *aggregate) fromFiles(ctx context.Context) (*value.Batch, error) {
	for {
		if a.inner != nil {
			b, err := a.inner.Next(ctx)
			if b != nil || err != nil {
				return b, err
			}
			if err := errors.Join(a.inner.Close(), a.file.close()); err != nil {
				return nil, err
			}
			a.inner, a.file = nil, nil
		}
		if a.rest == nil {
			return nil, nil
		}
		if a.file = a.rest.take(); a.file == nil {
			return nil, nil
		}
		in, err := a.file.reader()
		if err != nil {
			return nil, err
		}
		for _, s := range a.states {
			err = errors.Join(err, s.close())
		}
		if err != nil {
			return nil, err
		}
		a.groups, a.keys, a.states = NewGroupTable(0), nil, nil // their memory is free for the file
		a.memory.Release()
		a.at = 0
		a.inner = NewAggregate(in, a.n, a.env, a.memory.again())
		a.inner.level = a.level + 1
	}
}

func (a *aggregate) Close() error {
	a.memory.Release()
	err := a.in.Close()
	if a.inner != nil {
		err = errors.Join(err, a.inner.Close())
	}
	for _, s := range a.states {
		err = errors.Join(err, s.close())
	}
	return errors.Join(err, a.file.close(), a.rest.close())
}
