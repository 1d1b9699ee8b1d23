package exec

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// setOp yields the distinct rows of the left side that the right side has, or lacks.
type setOp struct {
	n           *plan.SetOp
	left, right Operator
	rows        map[string]struct{} // of the right side
	seen        map[string]struct{}
	key         []byte
}

func (r *run) setOp(n *plan.SetOp) (Operator, error) {
	left, err := r.build(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := r.build(n.Right)
	if err != nil {
		left.Close()
		return nil, err
	}
	return &setOp{n: n, left: left, right: right}, nil
}

func (s *setOp) rowKey(b *value.Batch, i int) []byte {
	s.key = s.key[:0]
	for c := range b.Cols {
		s.key = value.AppendKey(s.key, b.Cols[c].At(i))
	}
	return s.key
}

func (s *setOp) prepare(ctx context.Context) error {
	s.rows, s.seen = map[string]struct{}{}, map[string]struct{}{}
	for {
		b, err := s.right.Next(ctx)
		if err != nil || b == nil {
			return err
		}
		for i := range b.N {
			s.rows[string(s.rowKey(b, i))] = struct{}{}
		}
	}
}

func (s *setOp) Next(ctx context.Context) (*value.Batch, error) {
	if s.rows == nil {
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
	}
	for {
		b, err := s.left.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		var rows []int
		for i := range b.N {
			key := s.rowKey(b, i)
			if _, has := s.rows[string(key)]; has != (s.n.Op == "INTERSECT") {
				continue
			}
			if _, ok := s.seen[string(key)]; !ok {
				s.seen[string(key)] = struct{}{}
				rows = append(rows, i)
			}
		}
		if len(rows) > 0 {
			return b.Select(rows), nil
		}
	}
}

func (s *setOp) Close() error {
	err := s.left.Close()
	if e := s.right.Close(); err == nil {
		err = e
	}
	return err
}
