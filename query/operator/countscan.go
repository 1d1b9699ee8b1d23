package operator

import (
	"context"

	"parlance/query/plan"
	"parlance/storage/value"
)

// CountScan scans a table of which no column is read, as in count(*). It yields rows without values, whose number the
// table knows, and reads nothing.
type CountScan struct {
	cols []value.Vec
	left int
}

// NewCountScan returns a scan of n rows.
func NewCountScan(n *plan.Table, rows int) *CountScan {
	b := &CountScan{left: rows, cols: make([]value.Vec, len(n.Columns()))}
	for i, c := range n.Columns() {
		b.cols[i].Type = c.Type
	}
	return b
}

func (b *CountScan) Next(ctx context.Context) (*value.Batch, error) {
	if err := ctx.Err(); err != nil || b.left == 0 {
		return nil, err
	}
	n := min(b.left, value.BatchSize)
	b.left -= n
	return &value.Batch{N: n, Cols: b.cols}, nil
}

func (b *CountScan) Close() error { return nil }
