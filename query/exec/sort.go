package exec

import (
	"context"
	"slices"

	"parlance/query/plan"
	"parlance/storage/value"
)

// sorter reads all rows and yields them in order.
type sorter struct {
	in   Operator
	n    *plan.Sort
	cols []column // of the output, then those that are only sorted by
	keys []*column
	idx  []int32
	done bool
	at   int
}

// maxTop is the most rows for which it pays to keep the best only.
const maxTop = 10_000

func newSorter(in Operator, n *plan.Sort) Operator {
	if n.Top > 0 && n.Top <= maxTop {
		return &topRows{in: in, n: n}
	}
	return &sorter{in: in, n: n}
}

func (s *sorter) Next(ctx context.Context) (*value.Batch, error) {
	if !s.done {
		if err := s.fill(ctx); err != nil {
			return nil, err
		}
		s.done = true
	}
	if s.at >= len(s.idx) {
		return nil, nil
	}
	to := min(s.at+value.BatchSize, len(s.idx))
	rows := make([]int, to-s.at)
	for i := range rows {
		rows[i] = int(s.idx[s.at+i])
	}
	b := &value.Batch{N: len(rows)}
	for i, c := range s.n.Columns() {
		v := s.cols[i].vec(c.Type, 0, s.cols[i].n)
		b.Cols = append(b.Cols, v.Select(rows))
	}
	s.at = to
	return b, nil
}

func (s *sorter) fill(ctx context.Context) error {
	s.cols = make([]column, len(s.n.Input.Columns()))
	n := 0
	for {
		b, err := s.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		n += b.N
		for i := range b.Cols {
			s.cols[i].append(&b.Cols[i], b.N)
		}
	}
	for _, k := range s.n.Keys {
		c := s.cols[k.Col]
		c.desc, c.nullsFirst = k.Desc, k.NullsFirst
		s.keys = append(s.keys, &c)
	}
	s.idx = ordered(s.keys, n)
	if s.n.Top > 0 && s.n.Top < n {
		s.idx = s.idx[:s.n.Top]
	}
	return nil
}

func (s *sorter) Close() error { return s.in.Close() }

// topRows keeps the first rows of the order only.
type topRows struct {
	in   Operator
	n    *plan.Sort
	rows [][]value.Value
	done bool
	// bound is the last of the best rows so far, once there are Top of them.
	bound []value.Value
	at    int
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

func (s *topRows) compare(a, b []value.Value) int {
	for i := range s.n.Keys {
		k := &s.n.Keys[i]
		if c := compareValues(k, a[k.Col], b[k.Col]); c != 0 {
			return c
		}
	}
	return 0
}

// beats reports whether row i comes before the bound.
func (s *topRows) beats(b *value.Batch, i int) bool {
	for j := range s.n.Keys {
		k := &s.n.Keys[j]
		if c := compareValues(k, b.Cols[k.Col].At(i), s.bound[k.Col]); c != 0 {
			return c < 0
		}
	}
	return false
}

func (s *topRows) Next(ctx context.Context) (*value.Batch, error) {
	if !s.done {
		if err := s.fill(ctx); err != nil {
			return nil, err
		}
		s.done = true
	}
	if s.at >= len(s.rows) {
		return nil, nil
	}
	to := min(s.at+value.BatchSize, len(s.rows))
	b := value.FromRows(typesOf(s.n.Columns()), s.rows[s.at:to])
	s.at = to
	return b, nil
}

func (s *topRows) fill(ctx context.Context) error {
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
			s.rows = append(s.rows, b.Row(make([]value.Value, 0, len(b.Cols)), i))
			if len(s.rows) >= 3*top+64 {
				s.cut(top)
			}
		}
	}
	s.cut(top)
	return nil
}

// cut sorts and keeps the best rows; equal rows stay in input order.
func (s *topRows) cut(top int) {
	slices.SortStableFunc(s.rows, s.compare)
	if len(s.rows) > top {
		clear(s.rows[top:])
		s.rows = s.rows[:top]
	}
	if len(s.rows) == top {
		s.bound = s.rows[top-1]
	}
}

func (s *topRows) Close() error { return s.in.Close() }
