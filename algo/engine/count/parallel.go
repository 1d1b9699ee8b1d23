package count

import (
	"context"
	"sync"
	"sync/atomic"

	"parlance/storage/guard"
)

// parallel does n tasks and returns when all have ended; the first error cancels the others.
func parallel(ctx context.Context, workers, n int, do func(ctx context.Context, task int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var ended sync.WaitGroup
	for range min(workers, n) {
		ended.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := guard.Call("counting", func() error { return do(ctx, i) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	ended.Wait()
	return context.Cause(ctx)
}
