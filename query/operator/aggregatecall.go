package operator

import (
	"context"
	"errors"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// newCallState returns the state of a call before the first row.
func newCallState(c *plan.AggregateCall, grouped bool, env *expr.Env, memory *Budget) *callState {
	s := &callState{call: c, grouped: grouped, env: env, memory: memory, held: expr.Reservation{Of: env.Memory}}
	if c.Distinct {
		s.seen = NewGroupTable(len(c.Args) + int(bit(grouped)))
	}
	if len(c.OrderBy) == 0 {
		s.aggregator = newAggregator(c, env, &s.held)
		return s
	}
	s.aggregator = &orderedAggregator{call: c, env: env, held: &s.held}
	return s
}

// callState is one call of an aggregate, for all groups. It evaluates the arguments, leaves out the rows that FILTER,
// DISTINCT and NULL leave out, and gives the others to an aggregator.
type callState struct {
	call       *plan.AggregateCall
	grouped    bool
	env        *expr.Env
	memory     *Budget
	seen       *GroupTable // of DISTINCT: the arguments so far, with the group where there are groups
	level      int
	spilled    *spillPartitions // arguments of DISTINCT that do not fit into memory
	aggregator aggregator
	held       expr.Reservation
}

func (s *callState) close() error {
	s.held.Release()
	s.memory.Release()
	return s.spilled.close()
}

// finish comes after the last batch. It adds the rows that DISTINCT has written to files, one file at a time.
func (s *callState) finish(ctx context.Context) error {
	if s.spilled == nil {
		return nil
	}
	rest := s.spilled
	s.spilled, s.seen = nil, nil // the rows that were seen are in no file: their memory is free for the files
	s.memory.Release()
	defer rest.close()
	for f := rest.next(); f != nil; f = rest.next() {
		if err := s.addFile(ctx, f); err != nil {
			return errors.Join(err, f.close())
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds the rows of one file: arguments, sort keys of ORDER BY, and the group.
func (s *callState) addFile(ctx context.Context, f *spillFile) error {
	in, err := f.reader()
	if err != nil {
		return err
	}
	inner := &callState{call: s.call, grouped: s.grouped, memory: s.memory.fresh(), level: s.level + 1,
		seen: NewGroupTable(len(s.call.Args) + int(bit(s.grouped))), aggregator: s.aggregator}
	defer inner.close()
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			return inner.finish(ctx)
		}
		var ids []int32
		args := b.Cols
		if s.grouped {
			ids = make([]int32, b.N)
			for i := range ids {
				ids[i] = int32(b.Cols[len(b.Cols)-1].At(i).Int())
			}
			args = b.Cols[:len(b.Cols)-1]
		}
		if err := inner.addDistinct(ids, args, b.N); err != nil {
			return err
		}
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// grow makes room for n groups.
func (s *callState) grow(n int) { s.aggregator.grow(n) }

// result returns the value of a group.
func (s *callState) result(g int) (value.Value, error) {
	v, err := s.aggregator.result(g)
	return v, expr.ErrorAt(s.call.Pos, err)
}

// add adds the rows of a batch; row i belongs to group ids[i], every row to group 0 if ids is nil.
func (s *callState) add(ids []int32, b *value.Batch) error {
	args, err := EvalAll(s.call.Args, s.env, b)
	if err != nil {
		return err
	}
	rows, err := s.rows(ids, args, b)
	if err != nil {
		return err
	}
	for _, o := range s.call.OrderBy {
		v, err := expr.Eval(o.X, s.env, b)
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	n := b.N
	if rows != nil {
		n = len(rows)
		ids, args = picked(ids, args, rows)
	}
	switch {
	case n == 0:
		return nil
	case s.seen != nil:
		return s.addDistinct(ids, args, n)
	}
	return expr.ErrorAt(s.call.Pos, s.aggregator.add(ids, args, n))
}

// picked returns groups and arguments of some rows.
func picked(ids []int32, args []value.Vec, rows []int) ([]int32, []value.Vec) {
	out := make([]value.Vec, len(args))
	for i := range args {
		out[i] = args[i].Select(rows)
	}
	if ids != nil {
		ids = pickIDs(ids, rows)
	}
	return ids, out
}

// addDistinct adds the rows whose arguments are new in their group. Once the memory is full, new rows go to files.
func (s *callState) addDistinct(ids []int32, args []value.Vec, n int) error {
	keys := append([]value.Vec{}, args[:len(s.call.Args)]...)
	if s.grouped {
		group := value.Vec{Type: value.Integer, Ints: make([]int64, n)}
		for i := range ids {
			group.Ints[i] = int64(ids[i])
		}
		keys = append(keys, group)
	}
	if s.spilled != nil {
		row := &value.Batch{N: n, Cols: args[:len(args):len(args)]}
		if s.grouped {
			row.Cols = append(row.Cols, keys[len(keys)-1])
		}
		if rest := unassigned(s.seen.lookup(keys, n)); len(rest) > 0 {
			return s.spilled.add(row, keys, rest)
		}
		return nil
	}
	_, first := s.seen.Assign(keys, n)
	if s.memory.Exceeded(s.seen.Bytes()) {
		s.spilled = &spillPartitions{level: s.level}
	}
	if len(first) == 0 {
		return nil
	}
	if len(first) < n {
		ids, args = picked(ids, args, first)
	}
	return expr.ErrorAt(s.call.Pos, s.aggregator.add(ids, args, len(first)))
}

func pickIDs(ids []int32, rows []int) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = ids[r]
	}
	return out
}

// rows returns the rows that FILTER and NULL leave; nil for all.
func (s *callState) rows(ids []int32, args []value.Vec, b *value.Batch) ([]int, error) {
	var rows []int
	if s.call.Filter != nil {
		kept, err := expr.Filter(s.call.Filter, s.env, b)
		if err != nil {
			return nil, err
		}
		if rows = kept; rows == nil {
			rows = []int{}
		}
	}
	if len(args) > 0 && !s.call.F.Nulls && (args[0].Null != nil || args[0].Any != nil || unknown(&args[0])) {
		rows = keepRows(rows, b.N, func(i int) bool { return !args[0].At(i).IsNull() })
	}
	return rows, nil
}

// unknown reports whether a vector holds no values, so that every row is NULL.
func unknown(v *value.Vec) bool {
	return v.Ints == nil && v.Floats == nil && v.Strs == nil && v.Codes == nil && v.Any == nil
}

// keepRows returns the rows for which keep is true; rows nil stands for 0 to n-1.
func keepRows(rows []int, n int, keep func(int) bool) []int {
	out := []int{}
	if rows == nil {
		for i := range n {
			if keep(i) {
				out = append(out, i)
			}
		}
		return out
	}
	for _, i := range rows {
		if keep(i) {
			out = append(out, i)
		}
	}
	return out
}
