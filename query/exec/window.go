package exec

import (
	"context"
	"errors"
	"fmt"

	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// window reads all rows, computes its calls, which share partition and order, and yields the
// rows in their order with one more column a call. Rows that do not fit into memory are divided
// by partition among files; a partition itself must fit.
type window struct {
	in      Operator
	n       *plan.Window
	env     *expr.Env
	memory  int
	level   int
	spec    *windowSpec
	batches []*value.Batch
	results []value.Vec // by call, over all rows
	done    bool
	at      int
	row     int
	rest    *parted
	sorted  Operator // brings the rows of the files back into order
}

func newWindow(in Operator, n *plan.Window, env *expr.Env, memory int) *window {
	w := &window{in: in, n: n, env: env, memory: memory, spec: newWindowSpec(&n.Calls[0])}
	for i := range n.Calls {
		c := &n.Calls[i]
		w.spec.calls = append(w.spec.calls, &windowCall{call: c, args: make([]column, len(c.Args))})
	}
	return w
}

func (w *window) Next(ctx context.Context) (*value.Batch, error) {
	if !w.done {
		if err := w.fill(ctx); err != nil {
			return nil, err
		}
		w.done = true
	}
	if w.sorted != nil {
		return w.sorted.Next(ctx)
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

func (w *window) Close() error {
	err := errors.Join(w.in.Close(), w.rest.close())
	if w.sorted != nil {
		err = errors.Join(err, w.sorted.Close())
	}
	return err
}

// fill reads the input and computes the calls.
func (w *window) fill(ctx context.Context) error {
	n, bytes := 0, 0
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
		for i := range b.Cols {
			bytes += b.Cols[i].Bytes()
		}
		if err := w.spec.append(w.env, b); err != nil {
			return err
		}
		if bytes+w.spec.bytes() > w.memory {
			return w.divide(ctx)
		}
	}
	if err := w.spec.compute(ctx, w.env, n); err != nil {
		return err
	}
	for i, c := range w.spec.calls {
		w.results = append(w.results, value.FromValues(w.n.Calls[i].T, c.out))
	}
	return nil
}

// divide writes the rows with their numbers to files by partition, and computes file by file.
func (w *window) divide(ctx context.Context) error {
	if len(w.spec.partition) == 0 || w.level == maxLevel {
		return fmt.Errorf("a partition of a window function: %w", ErrMemory)
	}
	w.rest = &parted{level: w.level}
	row := int64(0)
	add := func(b *value.Batch) error {
		keys, err := evalAll(w.spec.partition, w.env, b)
		if err != nil {
			return err
		}
		numbered := *b
		if w.level == 0 { // rows of files have their numbers
			numbers := value.Vec{Type: value.Integer, Ints: make([]int64, b.N)}
			for i := range numbers.Ints {
				numbers.Ints[i] = row + int64(i)
			}
			row += int64(b.N)
			numbered.Cols = append(b.Cols[:len(b.Cols):len(b.Cols)], numbers)
		}
		return w.rest.add(&numbered, keys, nil)
	}
	for _, b := range w.batches {
		if err := add(b); err != nil {
			return err
		}
	}
	w.batches, w.spec = nil, newWindowSpec(&w.n.Calls[0])
	for {
		b, err := w.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := add(b); err != nil {
			return err
		}
	}
	files := &windowFiles{w: w}
	if w.level > 0 {
		w.sorted = files
		return nil
	}
	width := len(w.n.Columns())
	by := len(w.n.Input.Columns()) // the numbers stand between input and results
	w.sorted = &dropColumn{at: by, in: newSorter(files, &plan.Sort{Input: bareColumns(files.columns()), Keys: []plan.SortKey{{Col: by}}, Keep: width + 1}, w.memory)}
	return nil
}

// windowFiles yields the rows of the files with their numbers and results.
type windowFiles struct {
	w     *window
	file  *spillFile
	inner *window
}

// columns are those of the input, the number of the row, and the results.
func (f *windowFiles) columns() []plan.Column {
	cols, n := f.w.n.Columns(), len(f.w.n.Input.Columns())
	out := append(append([]plan.Column{}, cols[:n]...), plan.Column{Name: "row", Type: value.Integer})
	return append(out, cols[n:]...)
}

func (f *windowFiles) Next(ctx context.Context) (*value.Batch, error) {
	for {
		if f.inner != nil {
			b, err := f.inner.Next(ctx)
			if b != nil || err != nil {
				return b, err
			}
			if err := f.Close(); err != nil {
				return nil, err
			}
		}
		if f.file = f.w.rest.take(); f.file == nil {
			return nil, nil
		}
		in, err := f.file.reader()
		if err != nil {
			return nil, err
		}
		f.inner = newWindow(in, f.w.n, f.w.env, f.w.memory)
		f.inner.level = f.w.level + 1
	}
}

func (f *windowFiles) Close() error {
	var err error
	if f.inner != nil {
		err = f.inner.Close()
	}
	err = errors.Join(err, f.file.close())
	f.inner, f.file = nil, nil
	return err
}

// bareColumns is a node that only has columns.
type bareColumns []plan.Column

func (c bareColumns) Columns() []plan.Column { return c }
func (bareColumns) Inputs() []plan.Node      { return nil }
func (bareColumns) Line() string             { return "" }

// dropColumn leaves out one column.
type dropColumn struct {
	in Operator
	at int
}

func (d *dropColumn) Next(ctx context.Context) (*value.Batch, error) {
	b, err := d.in.Next(ctx)
	if b == nil || err != nil {
		return nil, err
	}
	out := *b
	out.Cols = append(append([]value.Vec{}, b.Cols[:d.at]...), b.Cols[d.at+1:]...)
	return &out, nil
}

func (d *dropColumn) Close() error { return d.in.Close() }

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

// bytes is about what keys, arguments and results take.
func (s *windowSpec) bytes() int {
	n := s.groups.bytes() + s.parts.bytes() + 64*len(s.calls)*len(s.parts.ints)
	for _, k := range s.keys {
		n += k.bytes()
	}
	for _, c := range s.calls {
		for i := range c.args {
			n += c.args[i].bytes()
		}
	}
	return n
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
	rows, err := ordered(ctx, append([]*column{&s.parts}, s.keys...), n)
	if err != nil {
		return err
	}
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
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
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
	work := 0
	for i, row := range p.rows {
		a, z := c.frame(p, i)
		if a == from && z == to {
			c.out[row] = v
			continue
		}
		if acc == nil || a != from || z < to {
			acc, from, to = c.call.Agg.New(), a, a
		}
		for ; to < z; to++ {
			if work++; work&4095 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
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
