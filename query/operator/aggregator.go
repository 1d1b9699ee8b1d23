package operator

import (
	"context"
	"slices"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/aggfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// aggregator computes one aggregate for all groups, a batch of arguments at a time.
type aggregator interface {
	// grow makes room for n groups.
	grow(n int)
	// add adds n rows; row i belongs to group ids[i], every row to group 0 if ids is nil.
	add(ids []int32, args []value.Vec, n int) error
	result(group int) (value.Value, error)
}

// newAggregator returns the aggregator of a call: one that works on whole columns for the common aggregates, else one
// that calls the aggregate's accumulator row by row. What it keeps of rows counts as held.
func newAggregator(c *plan.AggregateCall, env *expr.Env, held *expr.Reservation) aggregator {
	t := value.Null
	if len(c.Args) > 0 {
		t = c.Args[0].Type()
	}
	switch number := t == value.Integer || t == value.Float; {
	case c.F.Fold == fn.Count:
		return &countAggregator{}
	case c.F.Fold == fn.Sum && number:
		return &sumAggregator{}
	case c.F.Fold == fn.Mean && number:
		return &meanAggregator{}
	case c.F.Fold == fn.Least:
		return &minMaxAggregator{sign: -1, held: held}
	case c.F.Fold == fn.Greatest:
		return &minMaxAggregator{sign: 1, held: held}
	}
	return &rowAggregator{f: c.F, ctx: env.Context(), held: held}
}

// grown returns s with at least n elements, new ones being zero where s was not longer before.
func grown[T any](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	return slices.Grow(s, n-len(s))[:n]
}

// countAggregator counts rows.
type countAggregator struct{ n []int64 }

func (f *countAggregator) grow(n int) { f.n = grown(f.n, n) }

func (f *countAggregator) add(ids []int32, _ []value.Vec, n int) error {
	if ids == nil {
		f.n[0] += int64(n)
		return nil
	}
	for _, g := range ids[:n] {
		f.n[g]++
	}
	return nil
}

func (f *countAggregator) result(g int) (value.Value, error) { return value.Int(f.n[g]), nil }

// sumAggregator adds integers exactly, and floats with compensated summation.
type sumAggregator struct {
	ints  []int64
	state []uint8 // 0 no value, 1 integers, 2 floats among them
	real  []float64
	comp  []float64
}

func (f *sumAggregator) grow(n int) { f.ints, f.state = grown(f.ints, n), grown(f.state, n) }

func (f *sumAggregator) add(ids []int32, args []value.Vec, n int) error {
	v := &args[0]
	switch {
	case v.Ints != nil && ids == nil:
		return f.addIntegers(v.Ints[:n])
	case v.Ints != nil:
		for i, x := range v.Ints[:n] {
			if err := f.addInteger(ids[i], x); err != nil {
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
				if err := f.addInteger(g, x.Int()); err != nil {
					return err
				}
				continue
			}
		}
		f.state[g] = 2
		f.real[g], f.comp[g] = aggfn.AddCompensated(f.real[g], f.comp[g], v.At(i).Float())
	}
	return nil
}

// addIntegers adds integers to group 0.
func (f *sumAggregator) addIntegers(xs []int64) error {
	for _, x := range xs {
		if err := f.addInteger(0, x); err != nil {
			return err
		}
	}
	return nil
}

func (f *sumAggregator) addInteger(g int32, x int64) error {
	s := f.ints[g] + x
	if (s > f.ints[g]) != (x > 0) && x != 0 {
		return aggfn.ErrSum
	}
	f.ints[g] = s
	if f.state[g] == 0 {
		f.state[g] = 1
	}
	return nil
}

func (f *sumAggregator) result(g int) (value.Value, error) {
	switch f.state[g] {
	case 0:
		return value.Value{}, nil
	case 1:
		return value.Int(f.ints[g]), nil
	}
	return value.Real(aggfn.Compensated(f.real[g], f.comp[g]) + float64(f.ints[g])), nil
}

// meanAggregator computes means, with compensated summation.
type meanAggregator struct {
	n         []int64
	sum, comp []float64
}

func (f *meanAggregator) grow(n int) {
	f.n, f.sum, f.comp = grown(f.n, n), grown(f.sum, n), grown(f.comp, n)
}

func (f *meanAggregator) add(ids []int32, args []value.Vec, n int) error {
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
		f.sum[g], f.comp[g] = aggfn.AddCompensated(f.sum[g], f.comp[g], x)
	}
	return nil
}

func (f *meanAggregator) result(g int) (value.Value, error) {
	if f.n[g] == 0 {
		return value.Value{}, nil
	}
	return value.Real(aggfn.Compensated(f.sum[g], f.comp[g]) / float64(f.n[g])), nil
}

// minMaxAggregator keeps the smallest (sign -1) or greatest (sign 1) value.
type minMaxAggregator struct {
	sign int
	best []value.Value
	ints []int64 // while all values are integers of one type
	has  []bool
	t    value.Type
	any  bool // values of several types or no integers: best is in use, not ints
	held *expr.Reservation
}

func (f *minMaxAggregator) grow(n int) {
	f.ints, f.has = grown(f.ints, n), grown(f.has, n)
	if f.any {
		f.best = grown(f.best, n)
	}
}

func (f *minMaxAggregator) add(ids []int32, args []value.Vec, n int) error {
	v := &args[0]
	if v.Ints != nil && !f.any && (f.t == value.Null || f.t == v.Type) {
		f.t = v.Type
		f.addIntegers(ids, v.Ints[:n])
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
	bytes := 0
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		if x := v.At(i); f.best[g].IsNull() || f.sign*value.Compare(x, f.best[g]) > 0 {
			bytes += len(x.S) - len(f.best[g].S)
			f.best[g] = x
		}
	}
	return f.held.Take(bytes)
}

func (f *minMaxAggregator) addIntegers(ids []int32, xs []int64) {
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

func (f *minMaxAggregator) result(g int) (value.Value, error) {
	switch {
	case f.any:
		return f.best[g], nil
	case !f.has[g]:
		return value.Value{}, nil
	}
	return value.Value{T: f.t, N: uint64(f.ints[g])}, nil
}

// rowAggregator has an accumulator for each group and adds rows one by one.
type rowAggregator struct {
	f    *fn.Aggregate
	ctx  context.Context // ends the adding
	accs []fn.Accumulator
	held *expr.Reservation
}

func (f *rowAggregator) grow(n int) {
	for len(f.accs) < n {
		f.accs = append(f.accs, f.f.NewWithin(f.ctx))
	}
}

func (f *rowAggregator) add(ids []int32, args []value.Vec, n int) error {
	row := make([]value.Value, len(args))
	for i := range n {
		g := int32(0)
		if ids != nil {
			g = ids[i]
		}
		for k := range args {
			row[k] = args[k].At(i)
		}
		if err := addCounted(f.accs[g], row, f.held); err != nil {
			return err
		}
	}
	return nil
}

// addCounted adds a row to an accumulator, and counts what that takes.
func addCounted(acc fn.Accumulator, row []value.Value, held *expr.Reservation) error {
	s, grows := acc.(fn.Sized)
	if !grows {
		return acc.Add(row)
	}
	before := s.Bytes()
	if err := s.Add(row); err != nil {
		return err
	}
	if n := s.Bytes() - before; n != 0 {
		return held.Take(n)
	}
	return nil
}

func (f *rowAggregator) result(g int) (value.Value, error) { return f.accs[g].Value(), nil }

// orderedAggregator keeps all rows of each group and sorts them in the end, for aggregates with ORDER BY.
type orderedAggregator struct {
	call *plan.AggregateCall
	env  *expr.Env
	rows [][][]value.Value // by group: arguments, then keys
	held *expr.Reservation
}

func (f *orderedAggregator) grow(n int) { f.rows = grown(f.rows, n) }

func (f *orderedAggregator) add(ids []int32, args []value.Vec, n int) error {
	if err := f.held.Take(expr.ValuesBytes(args, n) + n*(fn.Grown(rowHeader)-rowHeader)); err != nil {
		return err
	}
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

// rowHeader is what a list of rows takes of each, besides its values.
const rowHeader = 24

func (f *orderedAggregator) result(g int) (value.Value, error) {
	rows, first := f.rows[g], len(f.call.Args)
	err := sortStable(f.env.Context(), rows, func(p, q []value.Value) int {
		for k, o := range f.call.OrderBy {
			key := plan.SortKey{Desc: o.Desc, NullsFirst: o.NullsFirst}
			if c := compareValues(&key, p[first+k], q[first+k]); c != 0 {
				return c
			}
		}
		return 0
	})
	if err != nil {
		return value.Value{}, err
	}
	acc := f.call.F.NewWithin(f.env.Context())
	for i, r := range rows {
		if err := addCounted(acc, r[:first], f.held); err != nil {
			return value.Value{}, err
		}
		rows[i] = nil
	}
	f.rows[g] = nil
	return acc.Value(), nil
}
