package exec

import (
	"context"

	"parlance/storage/value"
)

// distinct drops rows that were seen before.
type distinct struct {
	in   Operator
	seen map[string]struct{}
	key  []byte
}

func (d *distinct) Next(ctx context.Context) (*value.Batch, error) {
	for {
		b, err := d.in.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		var rows []int
		for i := range b.N {
			d.key = d.key[:0]
			for c := range b.Cols {
				d.key = value.AppendKey(d.key, b.Cols[c].At(i))
			}
			if _, ok := d.seen[string(d.key)]; !ok {
				d.seen[string(d.key)] = struct{}{}
				rows = append(rows, i)
			}
		}
		if len(rows) > 0 {
			return b.Select(rows), nil
		}
	}
}

func (d *distinct) Close() error { return d.in.Close() }
