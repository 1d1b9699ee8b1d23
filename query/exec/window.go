package exec

import (
	"context"
	"slices"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// window reads all rows, computes its calls and yields the rows in their order with one more
// column a call.
type window struct {
	in      Operator
	n       *plan.Window
	env     *expr.Env
	batches []*value.Batch
	results []value.Vec // by call, over all rows
	done    bool
	at      int
	row     int
}

func (w *window) Next(ctx context.Context) (*value.Batch, error) {
	if !w.done {
		if err := w.fill(ctx); err != nil {
			return nil, err
		}
		w.done = true
	}
	if w.at >= len(w.batches) {
		return nil, nil
	}
	b := w.batches[w.at]
	w.batches[w.at] = nil
	w.at++
	out := &value.Batch{N: b.N, Cols: append([]value.Vec{}, b.Cols...)}
	for i := range w.results {
		out.Cols = append(out.Cols, w.results[i].Slice(w.row, w.row+b.N))
	}
	w.row += b.N
	return out, nil
}

func (w *window) Close() error { return w.in.Close() }

// fill reads the input and computes the calls, those of one specification together.
func (w *window) fill(ctx context.Context) error {
	var specs []*windowSpec
	calls := make([]*windowCall, len(w.n.Calls))
	for i := range w.n.Calls {
		c := &w.n.Calls[i]
		k := slices.IndexFunc(specs, func(s *windowSpec) bool { return s.calls[0].call.Shares(*c) })
		if k < 0 {
			k = len(specs)
			specs = append(specs, newWindowSpec(c))
		}
		calls[i] = &windowCall{call: c, args: make([]column, len(c.Args))}
		specs[k].calls = append(specs[k].calls, calls[i])
	}
	n := 0
	for {
		b, err := w.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		w.batches = append(w.batches, b)
		n += b.N
		for _, s := range specs {
			if err := s.append(w.env, b); err != nil {
				return err
			}
		}
	}
	for _, s := range specs {
		if err := s.compute(ctx, w.env, n); err != nil {
			return err
		}
	}
	for i, c := range calls {
		w.results = append(w.results, value.FromValues(w.n.Calls[i].T, c.out))
	}
	return nil
}

// windowSpec is PARTITION BY and ORDER BY with the calls that share them.
type windowSpec struct {
	partition []expr.Expr
	order     []plan.WindowOrder
	groups    *grouper
	parts     column // number of the partition of each row
	keys      []*column
	calls     []*windowCall
}

func newWindowSpec(c *plan.WindowCall) *windowSpec {
	s := &windowSpec{partition: c.Partition, order: c.Order, groups: newGrouper(len(c.Partition))}
	for _, o := range c.Order {
		s.keys = append(s.keys, &column{desc: o.Desc, nullsFirst: o.NullsFirst})
	}
	return s
}

// append notes keys and arguments of a batch.
func (s *windowSpec) append(env *expr.Env, b *value.Batch) error {
	vecs, err := evalAll(s.partition, env, b)
	if err != nil {
		return err
	}
	ids, _ := s.groups.assign(vecs, b.N)
	for _, id := range ids {
		s.parts.ints = append(s.parts.ints, int64(id))
	}
	for i, o := range s.order {
		v, err := expr.Eval(o.X, env, b)
		if err != nil {
			return err
		}
		s.keys[i].append(&v, b.N)
	}
	for _, c := range s.calls {
		if err := c.append(env, b); err != nil {
			return err
		}
	}
	return nil
}

func evalAll(list []expr.Expr, env *expr.Env, b *value.Batch) ([]value.Vec, error) {
	out := make([]value.Vec, len(list))
	for i, e := range list {
		v, err := expr.Eval(e, env, b)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// compute sorts the rows and computes the calls partition by partition.
func (s *windowSpec) compute(ctx context.Context, env *expr.Env, n int) error {
	rows := ordered(append([]*column{&s.parts}, s.keys...), n)
	for _, c := range s.calls {
		c.out = make([]value.Value, n)
		if err := c.bounds(env); err != nil {
			return err
		}
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && s.parts.ints[rows[to]] == s.parts.ints[rows[from]] {
			to++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p := partition{rows: rows[from:to]}
		p.peers(s.keys)
		for _, c := range s.calls {
			if err := c.compute(ctx, &p); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// partition is the rows of one partition in order.
type partition struct {
	rows  []int32
	first []int32 // of each row, the first of its peers
	last  []int32 // and the one behind the last
	group []int32 // and the number of peer groups before
}

func (p *partition) peers(keys []*column) {
	n := len(p.rows)
	p.first, p.last, p.group = make([]int32, n), make([]int32, n), make([]int32, n)
	groups := int32(0)
	for from := 0; from < n; {
		to := from + 1
		for to < n && equalKeys(keys, p.rows[from], p.rows[to]) {
			to++
		}
		for i := from; i < to; i++ {
			p.first[i], p.last[i], p.group[i] = int32(from), int32(to), groups
		}
		from = to
		groups++
	}
}

func equalKeys(keys []*column, i, j int32) bool {
	for _, k := range keys {
		if k.compare(i, j) != 0 {
			return false
		}
	}
	return true
}

// windowCall is one call with its arguments over all rows.
type windowCall struct {
	call     *plan.WindowCall
	args     []column
	mask     []bool // rows that FILTER keeps; nil without
	from, to int    // rows of the frame's ends, counted from the present one
	out      []value.Value
}

func (c *windowCall) append(env *expr.Env, b *value.Batch) error {
	for i, e := range c.call.Args {
		v, err := expr.Eval(e, env, b)
		if err != nil {
			return err
		}
		c.args[i].append(&v, b.N)
	}
	if c.call.Filter != nil {
		mask, err := maskOf(c.call.Filter, env, b)
		if err != nil {
			return err
		}
		c.mask = append(c.mask, mask...)
	}
	return nil
}

// maskOf tells for which rows a condition is true.
func maskOf(cond expr.Expr, env *expr.Env, b *value.Batch) ([]bool, error) {
	keep, err := expr.Filter(cond, env, b)
	if err != nil {
		return nil, err
	}
	mask := make([]bool, b.N)
	for _, i := range keep {
		mask[i] = true
	}
	return mask, nil
}

// bounds evaluates the ends of the frame.
func (c *windowCall) bounds(env *expr.Env) error {
	for _, p := range []struct {
		b   *plan.WindowBound
		dst *int
	}{{&c.call.Frame.From, &c.from}, {&c.call.Frame.To, &c.to}} {
		if p.b.N == nil {
			continue
		}
		v, err := p.b.N.At(env, &value.Batch{N: 1}, 0)
		if err != nil {
			return err
		}
		if v.T != value.Integer || v.Int() < 0 {
			return invalid("a frame is bounded by a whole number of rows from 0")
		}
		*p.dst = p.b.Sign * int(min(v.Int(), 1<<40))
	}
	return nil
}

// frame returns the rows [from, to) of the frame of row i.
func (c *windowCall) frame(p *partition, i int) (from, to int) {
	f, n := &c.call.Frame, len(p.rows)
	from, to = i+c.from, i+c.to+1
	if f.Peers {
		from, to = int(p.first[i]), int(p.last[i])
	}
	if f.From.Open {
		from = 0
	}
	if f.To.Open {
		to = n
	}
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	return from, max(from, to)
}

func (c *windowCall) compute(ctx context.Context, p *partition) error {
	if c.call.Agg != nil {
		return c.aggregate(ctx, p)
	}
	f := &fn.Frame{N: len(p.rows), Arg: func(row, k int) (value.Value, bool) {
		if k >= len(c.args) {
			return value.Value{}, false
		}
		return c.typed(k, int(p.rows[row])), true
	}}
	for i, row := range p.rows {
		f.Row, f.First, f.Last, f.Groups = i, int(p.first[i]), int(p.last[i]), int(p.group[i])
		f.From, f.To = c.frame(p, i)
		v, err := c.call.F.Value(f)
		if err != nil {
			return err
		}
		c.out[row] = v
	}
	return nil
}

// typed returns argument k of a row with its declared type.
func (c *windowCall) typed(k, row int) value.Value {
	v := c.args[k].at(row)
	if t := c.call.Args[k].Type(); !v.IsNull() && c.args[k].any == nil && t != value.Null {
		v.T = t
	}
	return v
}

// aggregate computes an aggregate over the frames. Rows are added one by one while a frame
// grows at its end only; a frame that loses rows is added up anew.
func (c *windowCall) aggregate(ctx context.Context, p *partition) error {
	var acc fn.Accumulator
	from, to := -1, -1
	var v value.Value
	args := make([]value.Value, len(c.args))
	for i, row := range p.rows {
		if i&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, z := c.frame(p, i)
		if a == from && z == to {
			c.out[row] = v
			continue
		}
		if acc == nil || a != from || z < to {
			acc, from, to = c.call.Agg.New(), a, a
		}
		for ; to < z; to++ {
			r := int(p.rows[to])
			if c.mask != nil && !c.mask[r] {
				continue
			}
			for k := range args {
				args[k] = c.typed(k, r)
			}
			if len(args) > 0 && args[0].IsNull() {
				continue
			}
			if err := acc.Add(args); err != nil {
				return err
			}
		}
		v = acc.Value()
		c.out[row] = v
	}
	return nil
}
