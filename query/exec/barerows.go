package exec

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// bareRows yields the rows of a typed table of which nothing is read, as in count(*): their number is known.
type bareRows struct {
	cols []value.Vec
	left int
}

func newBareRows(n *plan.Table, rows int) *bareRows {
	b := &bareRows{left: rows, cols: make([]value.Vec, len(n.Columns()))}
	for i, c := range n.Columns() {
		b.cols[i].Type = c.Type
	}
	return b
}

func (b *bareRows) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || b.left == 0 {
		return nil, err
	}
	n := min(b.left, value.BatchSize)
	b.left -= n
	return &value.Batch{N: n, Cols: b.cols}, nil
}

func (b *bareRows) Close() error { return nil }
