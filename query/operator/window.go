package operator

import (
	"context"
	"errors"
	"fmt"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/query/turn"
	"parlance/storage/value"
)

// window computes window functions that share PARTITION BY and ORDER BY. It reads all rows, and yields them in input
// order with a further column for each call. Rows that do not fit into memory are written to files by partition; one
// partition must fit.
type window struct {
	in      Operator
	n       *plan.Window
	env     *expr.Env
	memory  *Budget
	level   int
	spec    *windowSpec
	batches []*value.Batch
	results []value.Vec // by call, over all rows
	done    bool
	at      int
	row     int
	spilled *spillPartitions
	sorted  Operator // yields the rows of the files in input order
}

// NewWindow returns the operator of a node.
func NewWindow(in Operator, n *plan.Window, env *expr.Env, memory *Budget) *window {
	w := &window{in: in, n: n, env: env, memory: memory, spec: newWindowSpec(&n.Calls[0])}
	for i := range n.Calls {
		c := &n.Calls[i]
		call := &windowCall{call: c, args: make([]column, len(c.Args)), held: expr.Reservation{Of: env.Memory},
			frames: expr.Reservation{Of: env.Memory}}
		if len(w.spec.keys) > 0 {
			call.key = w.spec.keys[0]
		}
		w.spec.calls = append(w.spec.calls, call)
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
	for _, c := range w.spec.calls {
		c.held.Release()
		c.frames.Release()
	}
	w.memory.Release()
	err := errors.Join(w.in.Close(), w.spilled.close())
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
		bytes += b.Bytes()
		if err := w.spec.append(w.env, b); err != nil {
			return err
		}
		if w.memory.Exceeded(bytes + w.spec.bytes()) {
			return w.spill(ctx)
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

// spill writes the rows with their numbers to files by partition. Each file is then computed by itself, and the rows
// are sorted by their numbers.
func (w *window) spill(ctx context.Context) error {
	if len(w.spec.partition) == 0 || w.level == maxSpillLevel {
		return fmt.Errorf("a partition of a window function: %w", w.memory.Err())
	}
	w.spilled = &spillPartitions{level: w.level}
	row := int64(0)
	add := func(b *value.Batch) error {
		keys, err := EvalAll(w.spec.partition, w.env, b)
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
		return w.spilled.add(&numbered, keys, nil)
	}
	for _, b := range w.batches {
		if err := add(b); err != nil {
			return err
		}
	}
	w.batches, w.spec = nil, newWindowSpec(&w.n.Calls[0])
	w.memory.Release()
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
	files := &spilledWindow{w: w}
	if w.level > 0 {
		w.sorted = files
		return nil
	}
	width := len(w.n.Columns())
	by := len(w.n.Input.Columns()) // the numbers stand between input and results
	w.sorted = &dropColumn{at: by, in: NewSorter(files, &plan.Sort{Input: bareColumns(files.columns()),
		Keys: []plan.SortKey{{Col: by}}, Keep: width + 1}, w.memory.fresh())}
	return nil
}

// spilledWindow yields the rows of the files with their numbers and results.
type spilledWindow struct {
	w     *window
	file  *spillFile
	inner *window
}

// columns are those of the input, the number of the row, and the results.
func (f *spilledWindow) columns() []plan.Column {
	cols, n := f.w.n.Columns(), len(f.w.n.Input.Columns())
	out := append(append([]plan.Column{}, cols[:n]...), plan.Column{Name: "row", Type: value.Integer})
	return append(out, cols[n:]...)
}

func (f *spilledWindow) Next(ctx context.Context) (*value.Batch, error) {
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
		if f.file = f.w.spilled.next(); f.file == nil {
			return nil, nil
		}
		in, err := f.file.reader()
		if err != nil {
			return nil, err
		}
		f.inner = NewWindow(in, f.w.n, f.w.env, f.w.memory.fresh())
		f.inner.level = f.w.level + 1
	}
}

func (f *spilledWindow) Close() error {
	var err error
	if f.inner != nil {
		err = f.inner.Close()
	}
	err = errors.Join(err, f.file.close())
	f.inner, f.file = nil, nil
	return err
}

// bareColumns is a node of a plan that has columns and nothing else.
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

// windowSpec is PARTITION BY and ORDER BY over all rows, with the calls that share them.
type windowSpec struct {
	partition    []expr.Expr
	order        []plan.WindowOrder
	groups       *GroupTable
	partitionIDs column // number of the partition of each row
	keys         []*column
	calls        []*windowCall
}

func newWindowSpec(c *plan.WindowCall) *windowSpec {
	s := &windowSpec{partition: c.Partition, order: c.Order, groups: NewGroupTable(len(c.Partition))}
	for _, o := range c.Order {
		s.keys = append(s.keys, &column{desc: o.Desc, nullsFirst: o.NullsFirst})
	}
	return s
}

// bytes is about what keys, arguments and results take: of a row, 64 bytes for each call, and 32 for the order of rows
// and their peers.
func (s *windowSpec) bytes() int {
	n := s.groups.Bytes() + s.partitionIDs.bytes() + (64*len(s.calls)+32)*len(s.partitionIDs.ints)
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

// append adds partition, sort keys and arguments of a batch.
func (s *windowSpec) append(env *expr.Env, b *value.Batch) error {
	vecs, err := EvalAll(s.partition, env, b)
	if err != nil {
		return err
	}
	ids, _ := s.groups.Assign(vecs, b.N)
	for _, id := range ids {
		s.partitionIDs.ints = append(s.partitionIDs.ints, int64(id))
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

// EvalAll evaluates several expressions over the batch.
func EvalAll(list []expr.Expr, env *expr.Env, b *value.Batch) ([]value.Vec, error) {
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
	rows, err := sortedOrder(ctx, append([]*column{&s.partitionIDs}, s.keys...), n)
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
		for to < n && s.partitionIDs.ints[rows[to]] == s.partitionIDs.ints[rows[from]] {
			to++
		}
		if err := turn.Err(ctx); err != nil {
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

// partition is the rows of one partition in order. Peers are rows with equal sort keys.
type partition struct {
	rows  []int32
	first []int32 // of each row, the first of its peers
	last  []int32 // of each row, the row behind the last of its peers
	group []int32 // of each row, the number of groups of peers before it
}

// peers finds the groups of peers.

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
