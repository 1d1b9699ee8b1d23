package exec

import (
	"context"
	"errors"
	"slices"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// foldState is one aggregate of all groups.
type foldState interface {
	// grow makes room for n groups.
	grow(n int)
	// add takes the rows of a batch; row i belongs to group ids[i], all to group 0 if ids is nil.
	add(ids []int32, b *value.Batch) error
	// finish comes after the last batch.
	finish(context.Context) error
	result(group int) (value.Value, error)
	close() error
}

// newFold returns the state of a call: arguments are evaluated, rows that FILTER, DISTINCT or
// NULL leave out are dropped, and a folder takes what remains.
func newFold(c *plan.AggregateCall, grouped bool, env *expr.Env, memory int) foldState {
	s := &callState{call: c, grouped: grouped, env: env, memory: memory}
	if c.Distinct {
		s.seen = newGrouper(len(c.Args) + int(bit(grouped)))
	}
	if len(c.OrderBy) == 0 {
		s.f = newFolder(c)
		return s
	}
	s.f = &heldFolder{call: c, env: env}
	return s
}

// callState evaluates the arguments of a call.
type callState struct {
	call    *plan.AggregateCall
	grouped bool
	env     *expr.Env
	memory  int
	seen    *grouper // of DISTINCT: arguments, and the group if there are groups
	level   int
	rest    *parted // values that DISTINCT has no memory for
	f       folder
}

func (s *callState) close() error { return s.rest.close() }

// finish takes what DISTINCT left in files, one file at a time.
func (s *callState) finish(ctx context.Context) error {
	if s.rest == nil {
		return nil
	}
	rest := s.rest
	s.rest = nil
	defer rest.close()
	for f := rest.take(); f != nil; f = rest.take() {
		if err := s.file(ctx, f); err != nil {
			return errors.Join(err, f.close())
		}
		if err := f.close(); err != nil {
			return err
		}
	}
	return nil
}

// file takes the values of one file, which hold arguments, keys of ORDER BY and the group.
func (s *callState) file(ctx context.Context, f *spillFile) error {
	in, err := f.reader()
	if err != nil {
		return err
	}
	inner := &callState{call: s.call, grouped: s.grouped, memory: s.memory, level: s.level + 1, seen: newGrouper(len(s.call.Args) + int(bit(s.grouped))), f: s.f}
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
		if err := inner.distinct(ids, args, b.N); err != nil {
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

func (s *callState) grow(n int) { s.f.grow(n) }

func (s *callState) result(g int) (value.Value, error) { return s.f.result(g) }

func (s *callState) add(ids []int32, b *value.Batch) error {
	args, err := evalAll(s.call.Args, s.env, b)
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
		return s.distinct(ids, args, n)
	}
	return s.f.fold(ids, args, n)
}

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

// distinct folds the rows whose arguments their group has not seen yet. When those seen fill
// the memory, further ones go to files.
func (s *callState) distinct(ids []int32, args []value.Vec, n int) error {
	keys := append([]value.Vec{}, args[:len(s.call.Args)]...)
	if s.grouped {
		group := value.Vec{Type: value.Integer, Ints: make([]int64, n)}
		for i := range ids {
			group.Ints[i] = int64(ids[i])
		}
		keys = append(keys, group)
	}
	if s.rest != nil {
		row := &value.Batch{N: n, Cols: args[:len(args):len(args)]}
		if s.grouped {
			row.Cols = append(row.Cols, keys[len(keys)-1])
		}
		if rest := unnumbered(s.seen.lookup(keys, n)); len(rest) > 0 {
			return s.rest.add(row, keys, rest)
		}
		return nil
	}
	_, first := s.seen.assign(keys, n)
	if s.seen.bytes() > s.memory {
		s.rest = &parted{level: s.level}
	}
	if len(first) == 0 {
		return nil
	}
	if len(first) < n {
		ids, args = picked(ids, args, first)
	}
	return s.f.fold(ids, args, len(first))
}

func pickIDs(ids []int32, rows []int) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = ids[r]
	}
	return out
}

// rows returns the rows that count; nil for all.
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
	if len(args) > 0 && (args[0].Null != nil || args[0].Any != nil || unknown(&args[0])) {
		rows = keepRows(rows, b.N, func(i int) bool { return !args[0].At(i).IsNull() })
	}
	return rows, nil
}

// unknown reports whether a vector is NULL in every row for it has no values at all.
func unknown(v *value.Vec) bool {
	return v.Ints == nil && v.Floats == nil && v.Strs == nil && v.Codes == nil && v.Any == nil
}

// keepRows filters rows, nil standing for 0 to n-1.
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

// folder computes an aggregate from rows that all count.
type folder interface {
	grow(n int)
	fold(ids []int32, args []value.Vec, n int) error
	result(group int) (value.Value, error)
}

func newFolder(c *plan.AggregateCall) folder {
	t := value.Null
	if len(c.Args) > 0 {
		t = c.Args[0].Type()
	}
	switch number := t == value.Integer || t == value.Float; {
	case c.F.Fold == fn.Count:
		return &countFolder{}
	case c.F.Fold == fn.Sum && number:
		return &sumFolder{}
	case c.F.Fold == fn.Mean && number:
		return &meanFolder{}
	case c.F.Fold == fn.Least:
		return &extremeFolder{sign: -1}
	case c.F.Fold == fn.Greatest:
		return &extremeFolder{sign: 1}
	}
	return &rowFolder{f: c.F}
}

func grown[T any](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	return slices.Grow(s, n-len(s))[:n]
}

type countFolder struct{ n []int64 }

func (f *countFolder) grow(n int) { f.n = grown(f.n, n) }

func (f *countFolder) fold(ids []int32, _ []value.Vec, n int) error {
	if ids == nil {
		f.n[0] += int64(n)
		return nil
	}
	for _, g := range ids[:n] {
		f.n[g]++
	}
	return nil
}

func (f *countFolder) result(g int) (value.Value, error) { return value.Int(f.n[g]), nil }

var errSumRange = errors.New("sum out of range of integer")

// sumFolder sums integers exactly and floats with compensation.
type sumFolder struct {
	ints  []int64
	state []uint8 // 0 no value, 1 integers, 2 floats among them
	real  []float64
	comp  []float64
}

func (f *sumFolder) grow(n int) { f.ints, f.state = grown(f.ints, n), grown(f.state, n) }

func (f *sumFolder) fold(ids []int32, args []value.Vec, n int) error {
	v := &args[0]
	switch {
	case v.Ints != nil && ids == nil:
		return f.one(v.Ints[:n])
	case v.Ints != nil:
		for i, x := range v.Ints[:n] {
			if err := f.integer(ids[i], x); err != nil {
				return err
			}
		}
		return nil
	}
	f.real, f.comp = grown(f.real, len(f.ints)), grown(f.comp, len(f.ints))
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		if v.Floats == nil {
			if x := v.At(i); x.T == value.Integer {
				if err := f.integer(g, x.Int()); err != nil {
					return err
				}
				continue
			}
		}
		f.state[g] = 2
		f.real[g], f.comp[g] = fn.AddCompensated(f.real[g], f.comp[g], v.At(i).Float())
	}
	return nil
}

// one adds integers to group 0.
func (f *sumFolder) one(xs []int64) error {
	for _, x := range xs {
		if err := f.integer(0, x); err != nil {
			return err
		}
	}
	return nil
}

func (f *sumFolder) integer(g int32, x int64) error {
	s := f.ints[g] + x
	if (s > f.ints[g]) != (x > 0) && x != 0 {
		return errSumRange
	}
	f.ints[g] = s
	if f.state[g] == 0 {
		f.state[g] = 1
	}
	return nil
}

func (f *sumFolder) result(g int) (value.Value, error) {
	switch f.state[g] {
	case 0:
		return value.Value{}, nil
	case 1:
		return value.Int(f.ints[g]), nil
	}
	return value.Real(f.real[g] + f.comp[g] + float64(f.ints[g])), nil
}

type meanFolder struct {
	n         []int64
	sum, comp []float64
}

func (f *meanFolder) grow(n int) {
	f.n, f.sum, f.comp = grown(f.n, n), grown(f.sum, n), grown(f.comp, n)
}

func (f *meanFolder) fold(ids []int32, args []value.Vec, n int) error {
	v := &args[0]
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		x := 0.0
		switch {
		case v.Ints != nil:
			x = float64(v.Ints[i])
		case v.Floats != nil:
			x = v.Floats[i]
		default:
			x = v.At(i).Float()
		}
		f.n[g]++
		f.sum[g], f.comp[g] = fn.AddCompensated(f.sum[g], f.comp[g], x)
	}
	return nil
}

func (f *meanFolder) result(g int) (value.Value, error) {
	if f.n[g] == 0 {
		return value.Value{}, nil
	}
	return value.Real((f.sum[g] + f.comp[g]) / float64(f.n[g])), nil
}

// extremeFolder keeps the smallest (sign -1) or greatest value.
type extremeFolder struct {
	sign int
	best []value.Value
	ints []int64 // while all values are integers of one type
	has  []bool
	t    value.Type
	any  bool // best is in use
}

func (f *extremeFolder) grow(n int) {
	f.ints, f.has = grown(f.ints, n), grown(f.has, n)
	if f.any {
		f.best = grown(f.best, n)
	}
}

func (f *extremeFolder) fold(ids []int32, args []value.Vec, n int) error {
	v := &args[0]
	if v.Ints != nil && !f.any && (f.t == value.Null || f.t == v.Type) {
		f.t = v.Type
		f.integers(ids, v.Ints[:n])
		return nil
	}
	if !f.any {
		f.any, f.best = true, make([]value.Value, len(f.has))
		for g, has := range f.has {
			if has {
				f.best[g] = value.Value{T: f.t, N: uint64(f.ints[g])}
			}
		}
	}
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		if x := v.At(i); f.best[g].IsNull() || f.sign*value.Compare(x, f.best[g]) > 0 {
			f.best[g] = x
		}
	}
	return nil
}

func (f *extremeFolder) integers(ids []int32, xs []int64) {
	for i, x := range xs {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		if !f.has[g] || f.sign > 0 && x > f.ints[g] || f.sign < 0 && x < f.ints[g] {
			f.has[g], f.ints[g] = true, x
		}
	}
}

func (f *extremeFolder) result(g int) (value.Value, error) {
	switch {
	case f.any:
		return f.best[g], nil
	case !f.has[g]:
		return value.Value{}, nil
	}
	return value.Value{T: f.t, N: uint64(f.ints[g])}, nil
}

// rowFolder feeds accumulators a row at a time.
type rowFolder struct {
	f    *fn.Aggregate
	accs []fn.Accumulator
}

func (f *rowFolder) grow(n int) {
	for len(f.accs) < n {
		f.accs = append(f.accs, f.f.New())
	}
}

func (f *rowFolder) fold(ids []int32, args []value.Vec, n int) error {
	row := make([]value.Value, len(args))
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		for k := range args {
			row[k] = args[k].At(i)
		}
		if err := f.accs[g].Add(row); err != nil {
			return err
		}
	}
	return nil
}

func (f *rowFolder) result(g int) (value.Value, error) { return f.accs[g].Value(), nil }

// heldFolder keeps the rows of each group until all are there, for ORDER BY.
type heldFolder struct {
	call *plan.AggregateCall
	env  *expr.Env
	rows [][][]value.Value // by group: arguments, then keys
}

func (f *heldFolder) grow(n int) { f.rows = grown(f.rows, n) }

func (f *heldFolder) fold(ids []int32, args []value.Vec, n int) error {
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		row := make([]value.Value, len(args))
		for k := range args {
			row[k] = args[k].At(i)
		}
		f.rows[g] = append(f.rows[g], row)
	}
	return nil
}

func (f *heldFolder) result(g int) (value.Value, error) {
	rows, first := f.rows[g], len(f.call.Args)
	err := sortStable(contextOf(f.env), rows, func(p, q []value.Value) int {
		for k, o := range f.call.OrderBy {
			if c := value.Compare(p[first+k], q[first+k]); c != 0 {
				if o.Desc {
					return -c
				}
				return c
			}
		}
		return 0
	})
	if err != nil {
		return value.Value{}, err
	}
	acc := f.call.F.New()
	for _, r := range rows {
		if err := acc.Add(r[:first]); err != nil {
			return value.Value{}, err
		}
	}
	return acc.Value(), nil
}
