package operator

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// BareRows yields the rows of a typed table of which nothing is read, as in count(*): their number is known.
type BareRows struct {
	cols []value.Vec
	left int
}

func NewBareRows(n *plan.Table, rows int) *BareRows {
	b := &BareRows{left: rows, cols: make([]value.Vec, len(n.Columns()))}
	for i, c := range n.Columns() {
		b.cols[i].Type = c.Type
	}
	return b
}

func (b *BareRows) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || b.left == 0 {
		return nil, err
	}
	n := min(b.left, value.BatchSize)
	b.left -= n
	return &value.Batch{N: n, Cols: b.cols}, nil
}

func (b *BareRows) Close() error { return nil }
