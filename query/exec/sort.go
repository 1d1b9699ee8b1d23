package exec

import (
	"context"
	"slices"

	"parlance/query/plan"
	"parlance/storage/value"
)

// sorter reads all rows and yields them in order; with Top it keeps only the best.
type sorter struct {
	in   Operator
	n    *plan.Sort
	rows [][]value.Value
	done bool
	// bound is the last of the best rows so far, once there are Top of them.
	bound []value.Value
	at    int
}

// compare orders two rows by the keys.
func (s *sorter) compare(a, b []value.Value) int {
	for _, k := range s.n.Keys {
		x, y := a[k.Col], b[k.Col]
		if x.IsNull() || y.IsNull() {
			if x.IsNull() == y.IsNull() {
				continue
			}
			if x.IsNull() == k.NullsFirst {
				return -1
			}
			return 1
		}
		if c := value.Compare(x, y); c != 0 {
			if k.Desc {
				return -c
			}
			return c
		}
	}
	return 0
}

func (s *sorter) Next(ctx context.Context) (*value.Batch, error) {
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
	cols := s.n.Columns()
	types := make([]value.Type, len(cols))
	for i, c := range cols {
		types[i] = c.Type
	}
	b := value.FromRows(types, s.rows[s.at:to])
	s.at = to
	return b, nil
}

func (s *sorter) fill(ctx context.Context) error {
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
			row := b.Row(make([]value.Value, 0, len(b.Cols)), i)
			if s.bound != nil && s.compare(row, s.bound) >= 0 {
				continue
			}
			s.rows = append(s.rows, row)
			if top > 0 && len(s.rows) >= 3*top+64 {
				s.cut(top)
			}
		}
	}
	if top > 0 {
		s.cut(top)
		return nil
	}
	slices.SortStableFunc(s.rows, s.compare)
	return nil
}

// cut sorts and keeps the best rows; equal rows stay in input order.
func (s *sorter) cut(top int) {
	slices.SortStableFunc(s.rows, s.compare)
	if len(s.rows) > top {
		clear(s.rows[top:])
		s.rows = s.rows[:top]
	}
	if len(s.rows) == top {
		s.bound = s.rows[top-1]
	}
}

func (s *sorter) Close() error { return s.in.Close() }
