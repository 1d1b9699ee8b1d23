package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/value"
)

// aggregate computes aggregates by group (hash aggregation). Groups come out in the order of their first row. Once the
// groups fill the memory, rows of other groups go to partitions in files, which are aggregated one after the other.
type aggregate struct {
	in      Operator
	n       *plan.Aggregate
	env     *expr.Env
	memory  *Budget
	level   int
	groups  *GroupTable
	keys    []column // of each group
	states  []*callState
	done    bool
	at      int
	spilled *spillPartitions
	file    *spillFile // partition that is read
	inner   *aggregate // aggregates it
}

func NewAggregate(in Operator, n *plan.Aggregate, env *expr.Env, memory *Budget) *aggregate {
	a := &aggregate{in: in, n: n, env: env, memory: memory, groups: NewGroupTable(len(n.Keys)),
		keys: make([]column, len(n.Keys))}
	if len(n.Keys) == 0 {
		a.groups.Groups = 1
	}
	for i := range n.Calls {
		a.states = append(a.states, newCallState(&n.Calls[i], len(n.Keys) > 0, env, memory.fresh()))
	}
	return a
}

func (a *aggregate) Next(ctx context.Context) (*value.Batch, error) {
	if !a.done {
		if err := a.fill(ctx); err != nil {
			return nil, err
		}
	}
	if err := turn.Err(ctx); err != nil {
		return nil, err
	}
	if a.at < a.groups.Groups {
		return a.batch()
	}
	return a.nextSpilled(ctx)
}

// batch returns the rows of the next groups.
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
		if err := turn.Err(ctx); err != nil {
			return err
		}
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

// add adds the rows of a batch to their groups.
func (a *aggregate) add(b *value.Batch) error {
	keys, err := EvalAll(a.n.Keys, a.env, b)
	if err != nil {
		return err
	}
	var ids []int32 // nil for one group
	switch {
	case len(keys) == 0:
	case a.spilled != nil:
		if b, ids, err = a.inMemory(b, keys); err != nil || b.N == 0 {
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
			a.spilled = &spillPartitions{level: a.level}
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

// inMemory returns the rows whose groups are in memory, and writes the others to files.
func (a *aggregate) inMemory(b *value.Batch, keys []value.Vec) (*value.Batch, []int32, error) {
	ids := a.groups.lookup(keys, b.N)
	rest := unassigned(ids)
	if len(rest) == 0 {
		return b, ids, nil
	}
	if err := a.spilled.add(b, keys, rest); err != nil {
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

// nextSpilled returns groups of the files.
func (a *aggregate) nextSpilled(ctx context.Context) (*value.Batch, error) {
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
		if a.spilled == nil {
			return nil, nil
		}
		if a.file = a.spilled.next(); a.file == nil {
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
		a.inner = NewAggregate(in, a.n, a.env, a.memory.fresh())
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
	return errors.Join(err, a.file.close(), a.spilled.close())
}
