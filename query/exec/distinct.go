package exec

import (
	"context"

	"parlance/storage/value"
)

// distinct passes each row at its first occurrence.
type distinct struct {
	in   Operator
	rows *grouper
}

func (d *distinct) Next(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := d.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		_, first := d.rows.assign(b.Cols, b.N)
		switch len(first) {
		case 0:
			continue
		case b.N:
			return b, nil
		}
		return b.Select(first), nil
	}
}

func (d *distinct) Close() error { return d.in.Close() }
