package operator

import (
	"container/heap"
	"context"
	"errors"
	"slices"

	"parlance/query/plan"
	"parlance/storage/value"
)

// sorter yields all rows in order. Rows that do not fit into memory are sorted in runs, which are written to temporary
// files and merged (external merge sort).
type sorter struct {
	in     Operator
	n      *plan.Sort
	memory *Budget
	cols   []column // of the input, in memory
	rows   int
	idx    []int32
	runs   []*spillFile
	merge  *merger
	done   bool
	at     int
}

// maxTop is the largest limit for which topN is faster than sorting all rows.
const maxTop = 10_000

func NewSorter(in Operator, n *plan.Sort, memory *Budget) Operator {
	if n.Top > 0 && n.Top <= maxTop {
		return &topN{in: in, n: n, memory: memory}
	}
	return &sorter{in: in, n: n, memory: memory}
}

func (s *sorter) Next(ctx context.Context) (*value.Batch, error) {
	if !s.done {
		if err := s.fill(ctx); err != nil {
			return nil, err
		}
		s.done = true
	}
	if s.merge != nil {
		return s.merge.next(ctx, TypesOf(s.n.Columns()))
	}
	if s.at >= len(s.idx) {
		return nil, ctx.Err()
	}
	to := min(s.at+value.BatchSize, len(s.idx))
	b := s.batch(s.at, to, len(s.n.Columns()))
	s.at = to
	return b, nil
}

// batch returns the rows [from, to) of the order, with the first width columns.
func (s *sorter) batch(from, to, width int) *value.Batch {
	rows := make([]int, to-from)
	for i := range rows {
		rows[i] = int(s.idx[from+i])
	}
	b := &value.Batch{N: len(rows)}
	for i, c := range s.n.Input.Columns()[:width] {
		v := s.cols[i].vec(c.Type, 0, s.cols[i].n)
		b.Cols = append(b.Cols, v.Select(rows))
	}
	return b
}

func (s *sorter) fill(ctx context.Context) error {
	s.cols = make([]column, len(s.n.Input.Columns()))
	for {
		b, err := s.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		bytes := 0
		for i := range b.Cols {
			s.cols[i].append(&b.Cols[i], b.N)
			bytes += s.cols[i].bytes()
		}
		s.rows += b.N
		if s.memory.Exceeded(bytes) {
			if err := s.spillRun(ctx); err != nil {
				return err
			}
		}
	}
	if s.runs == nil {
		return s.order(ctx)
	}
	if err := s.spillRun(ctx); err != nil {
		return err
	}
	s.merge = &merger{keys: s.n.Keys, left: s.n.Top, most: s.memory.limit}
	return s.merge.open(s.runs)
}

// order sorts the rows in memory.
func (s *sorter) order(ctx context.Context) (err error) {
	var keys []*column
	for _, k := range s.n.Keys {
		c := s.cols[k.Col]
		c.desc, c.nullsFirst = k.Desc, k.NullsFirst
		keys = append(keys, &c)
	}
	if s.idx, err = sortedOrder(ctx, keys, s.rows); err != nil {
		return err
	}
	if s.n.Top > 0 && s.n.Top < s.rows {
		s.idx = s.idx[:s.n.Top]
	}
	return nil
}

// spillRun writes the rows in memory to a file as a sorted run.
func (s *sorter) spillRun(ctx context.Context) error {
	if s.rows == 0 {
		return nil
	}
	if err := s.order(ctx); err != nil {
		return err
	}
	f, err := newSpill()
	if err != nil {
		return err
	}
	s.runs = append(s.runs, f)
	for at := 0; at < len(s.idx); at += value.BatchSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.add(s.batch(at, min(at+value.BatchSize, len(s.idx)), len(s.cols))); err != nil {
			return err
		}
	}
	s.cols, s.rows, s.idx = make([]column, len(s.cols)), 0, nil
	s.memory.Release()
	return nil
}

func (s *sorter) Close() error {
	s.memory.Release()
	err := s.in.Close()
	for _, f := range s.runs {
		err = errors.Join(err, f.close())
	}
	s.runs = nil
	return err
}

// merger merges sorted runs. Of equal rows those of the earlier run come first.
type merger struct {
	keys  []plan.SortKey
	heads []mergeHead // a heap
	left  int         // rows wanted; 0 for all
	given int
	most  int // bytes that the texts of a batch may take
}

type mergeHead struct {
	run int
	row []value.Value
	in  *spillReader
}

func (m *merger) open(runs []*spillFile) error {
	for i, f := range runs {
		in, err := f.reader()
		if err != nil {
			return err
		}
		row, err := in.row()
		if err != nil {
			return err
		}
		if row != nil {
			m.heads = append(m.heads, mergeHead{i, row, in})
		}
	}
	heap.Init(m)
	return nil
}

func (m *merger) Len() int      { return len(m.heads) }
func (m *merger) Swap(i, j int) { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merger) Push(x any)    { m.heads = append(m.heads, x.(mergeHead)) }

func (m *merger) Pop() any {
	last := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return last
}

func (m *merger) Less(i, j int) bool {
	a, b := &m.heads[i], &m.heads[j]
	for k := range m.keys {
		key := &m.keys[k]
		if c := compareValues(key, a.row[key.Col], b.row[key.Col]); c != 0 {
			return c < 0
		}
	}
	return a.run < b.run
}

// next returns the next rows, cut to the width of types.
func (m *merger) next(ctx context.Context, types []value.Type) (*value.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var rows [][]value.Value
	bytes := 0
	for len(rows) < value.BatchSize && bytes <= m.most && len(m.heads) > 0 && (m.left == 0 || m.given < m.left) {
		h := &m.heads[0]
		rows = append(rows, h.row[:len(types)])
		m.given++
		for k := range h.row {
			bytes += len(h.row[k].S)
		}
		row, err := h.in.row()
		if err != nil {
			return nil, err
		}
		if h.row = row; row == nil {
			heap.Pop(m)
		} else {
			heap.Fix(m, 0)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return value.FromRows(types, rows), nil
}

// topN sorts for a limit: it keeps the first Top rows of the order only.
type topN struct {
	in   Operator
	n    *plan.Sort
	rows [][]value.Value
	done bool
	// bound is the last of the first Top rows so far; nil while there are fewer. Rows behind it are dropped at once.
	bound  []value.Value
	at     int
	memory *Budget
	bytes  int      // that rows take
	sorter Operator // sorts in files what does not fit
}

// compareValues orders two values by a key.
func compareValues(k *plan.SortKey, x, y value.Value) int {
	if x.IsNull() || y.IsNull() {
		switch {
		case x.IsNull() == y.IsNull():
			return 0
		case x.IsNull() == k.NullsFirst:
			return -1
		}
		return 1
	}
	c := value.Compare(x, y)
	if k.Desc {
		return -c
	}
	return c
}

func (s *topN) compare(a, b []value.Value) int {
	for i := range s.n.Keys {
		k := &s.n.Keys[i]
		if c := compareValues(k, a[k.Col], b[k.Col]); c != 0 {
			return c
		}
	}
	return 0
}

// beats reports whether row i of a batch comes before the bound.
func (s *topN) beats(b *value.Batch, i int) bool {
	for j := range s.n.Keys {
		k := &s.n.Keys[j]
		if c := compareValues(k, b.Cols[k.Col].At(i), s.bound[k.Col]); c != 0 {
			return c < 0
		}
	}
	return false
}

func (s *topN) Next(ctx context.Context) (*value.Batch, error) {
	if !s.done {
		if err := s.fill(ctx); err != nil {
			return nil, err
		}
		s.done = true
	}
	if s.sorter != nil {
		return s.sorter.Next(ctx)
	}
	if s.at >= len(s.rows) {
		return nil, nil
	}
	to := min(s.at+value.BatchSize, len(s.rows))
	b := value.FromRows(TypesOf(s.n.Columns()), s.rows[s.at:to])
	s.at = to
	return b, nil
}

func (s *topN) fill(ctx context.Context) error {
	top := s.n.Top
	for {
		b, err := s.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		for i := range b.N {
			if s.bound != nil && !s.beats(b, i) {
				continue
			}
			row := b.Row(make([]value.Value, 0, len(b.Cols)), i)
			s.rows = append(s.rows, row)
			for k := range row {
				s.bytes += len(row[k].S)
			}
			if len(s.rows) >= 3*top+64 || s.bytes > s.memory.limit && len(s.rows) > top {
				s.trim(top)
			}
		}
		if s.memory.Exceeded(s.bytes) {
			s.spill()
			return nil
		}
	}
	s.trim(top)
	return nil
}

// spill passes the rows so far and all others to a sorter, which can write to files.
func (s *topN) spill() {
	s.trim(s.n.Top)
	rows := value.FromRows(TypesOf(s.n.Input.Columns()), s.rows)
	s.rows = nil
	s.sorter = &sorter{in: &Lookahead{batches: []*value.Batch{rows}, in: s.in}, n: s.n, memory: s.memory.fresh()}
	s.memory.Release()
}

// trim sorts the rows and keeps the first ones; equal rows stay in input order.
func (s *topN) trim(top int) {
	slices.SortStableFunc(s.rows, s.compare)
	if len(s.rows) > top {
		clear(s.rows[top:])
		s.rows = s.rows[:top]
	}
	s.bytes = 0
	for _, row := range s.rows {
		for k := range row {
			s.bytes += len(row[k].S)
		}
	}
	if len(s.rows) == top {
		s.bound = s.rows[top-1]
	}
}

func (s *topN) Close() error {
	s.memory.Release()
	if s.sorter != nil {
		return s.sorter.Close()
	}
	return s.in.Close()
}
