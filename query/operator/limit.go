package operator

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// limit skips the first offset rows and yields at most left rows after them, all if left is negative.
type limit struct {
	in           Operator
	offset, left int64
	per          []int
	groups       *GroupTable
	counts       []int64 // rows of each group so far
	ties         []plan.SortKey
	last         []value.Value // the last row of the limit while rows that tie with it are yielded
}

// NewLimit returns the operator of a node whose numbers of rows are known.
func NewLimit(in Operator, n *plan.Limit, left, offset int64) Operator {
	l := &limit{in: in, left: left, offset: offset, ties: n.Ties}
	if len(n.Per) > 0 {
		l.per, l.groups = n.Per, NewGroupTable(len(n.Per))
	}
	return l
}

// perGroup applies offset and limit to each group by itself.
func (l *limit) perGroup(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := l.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		vecs := make([]value.Vec, len(l.per))
		for i, c := range l.per {
			vecs[i] = b.Cols[c]
		}
		ids, _ := l.groups.Assign(vecs, b.N)
		var rows []int
		for i, id := range ids {
			for int(id) >= len(l.counts) {
				l.counts = append(l.counts, 0)
			}
			n := l.counts[id]
			l.counts[id]++
			if n >= l.offset && (l.left < 0 || n-l.offset < l.left) {
				rows = append(rows, i)
			}
		}
		if len(rows) > 0 {
			return b.Select(rows), nil
		}
	}
}

func (l *limit) Next(ctx context.Context) (*value.Batch, error) {
	if l.groups != nil {
		return l.perGroup(ctx)
	}
	for l.left != 0 {
		b, err := l.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		from := int(min(l.offset, int64(b.N)))
		l.offset -= int64(from)
		to := b.N
		if l.left >= 0 {
			to = from + int(min(int64(to-from), l.left)) // a sum of the two bounds may be too large
			l.left -= int64(to - from)
		}
		if from < to {
			if l.left == 0 && l.ties != nil {
				l.last = b.Row(nil, to-1)
				to += l.tied(b, to)
			}
			return b.Slice(from, to), nil
		}
	}
	return l.more(ctx)
}

// more yields the rows behind the limit that tie with its last row.
func (l *limit) more(ctx context.Context) (*value.Batch, error) {
	if l.last == nil {
		return nil, nil
	}
	b, err := l.in.Next(ctx)
	if err != nil || b == nil {
		l.last = nil
		return nil, err
	}
	n := l.tied(b, 0)
	if n == 0 {
		return nil, nil
	}
	return b.Slice(0, n), nil
}

// tied counts the rows, from one on, that tie with the last row of the limit. The first that does not ends the result.
func (l *limit) tied(b *value.Batch, from int) int {
	for i := from; i < b.N; i++ {
		for k := range l.ties {
			key := &l.ties[k]
			if compareValues(key, b.Cols[key.Col].At(i), l.last[key.Col]) != 0 {
				l.last = nil
				return i - from
			}
		}
	}
	return b.N - from
}

func (l *limit) Close() error { return l.in.Close() }
