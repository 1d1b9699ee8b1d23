package operator

import (
	"slices"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/aggfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// folder computes an aggregate from rows that all count.
type folder interface {
	grow(n int)
	fold(ids []int32, args []value.Vec, n int) error
	result(group int) (value.Value, error)
}

// newFolder returns the folder of a call; what it keeps of rows counts as held.
func newFolder(c *plan.AggregateCall, held *expr.Held) folder {
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
		return &extremeFolder{sign: -1, held: held}
	case c.F.Fold == fn.Greatest:
		return &extremeFolder{sign: 1, held: held}
	}
	return &rowFolder{f: c.F, held: held}
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
		f.real[g], f.comp[g] = aggfn.AddCompensated(f.real[g], f.comp[g], v.At(i).Float())
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
		return aggfn.ErrSum
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
	return value.Real(aggfn.Compensated(f.real[g], f.comp[g]) + float64(f.ints[g])), nil
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
		f.sum[g], f.comp[g] = aggfn.AddCompensated(f.sum[g], f.comp[g], x)
	}
	return nil
}

func (f *meanFolder) result(g int) (value.Value, error) {
	if f.n[g] == 0 {
		return value.Value{}, nil
	}
	return value.Real(aggfn.Compensated(f.sum[g], f.comp[g]) / float64(f.n[g])), nil
}

// extremeFolder keeps the smallest (sign -1) or greatest value.
type extremeFolder struct {
	sign int
	best []value.Value
	ints []int64 // while all values are integers of one type
	has  []bool
	t    value.Type
	any  bool // best is in use
	held *expr.Held
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
	held *expr.Held
}

func (f *rowFolder) grow(n int) {
	for len(f.accs) < n {
		f.accs = append(f.accs, f.f.New())
	}
}

func (f *rowFolder) fold(ids []int32, args []value.Vec, n int) error {
	if f.f.Grows {
		bytes := 0
		for k := range args {
			bytes += args[k].TextBytes(n)
		}
		if err := f.held.Take(bytes + n*rowFolderCell); err != nil {
			return err
		}
	}
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

// rowFolderCell is about what an accumulator that grows adds to the text of a row.
const rowFolderCell = 8

func (f *rowFolder) result(g int) (value.Value, error) { return f.accs[g].Value(), nil }

// heldFolder keeps the rows of each group until all are there, for ORDER BY.
type heldFolder struct {
	call *plan.AggregateCall
	env  *expr.Env
	rows [][][]value.Value // by group: arguments, then keys
	held *expr.Held
}

func (f *heldFolder) grow(n int) { f.rows = grown(f.rows, n) }

func (f *heldFolder) fold(ids []int32, args []value.Vec, n int) error {
	if err := f.held.Take(expr.ValuesBytes(args, n)); err != nil {
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

func (f *heldFolder) result(g int) (value.Value, error) {
	rows, first := f.rows[g], len(f.call.Args)
	err := sortStable(ContextOf(f.env), rows, func(p, q []value.Value) int {
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
	acc := f.call.F.New()
	for _, r := range rows {
		if err := acc.Add(r[:first]); err != nil {
			return value.Value{}, err
		}
	}
	return acc.Value(), nil
}
