package exec

import (
	"context"

	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// file makes the operator that reads a file. A goroutine reads one batch ahead.
func (r *Execution) file(n *plan.File) operator.Operator {
	t := &tableScan{batches: make(chan *value.Batch), errs: make(chan error, 1)}
	keep := n.Groups(r.Env)
	t.start = func(ctx context.Context) {
		ctx, t.cancel = context.WithCancel(ctx)
		go func() {
			err := guard.Call("reading "+n.Table.Path, func() error {
				return n.Table.Scan(ctx, n.Need, func(g int) bool { return keep[g] }, r.Session.Notice, func(b *value.Batch) error {
					select {
					case t.batches <- b:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				})
			})
			t.errs <- fault.File(n.Pos, err)
			close(t.batches)
		}()
	}
	return t
}
