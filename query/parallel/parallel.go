// Package parallel runs independent tasks of a statement on several workers.
package parallel

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"parlance/storage/guard"
)

// Each calls f for 0 to n-1 on so many workers, until one call fails: then the context of the others is cancelled, and
// the error is returned when all have ended. A panic becomes an error that names the work.
func Each(ctx context.Context, workers, n int, work string, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers = max(1, min(workers, n))
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make([]error, workers)
	task := func(i int) (err error) {
		defer guard.Recover(&err, work)
		if err := ctx.Err(); err != nil {
			return err
		}
		return f(ctx, i)
	}
	for w := range workers {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[w] = task(i); errs[w] != nil {
					cancel()
					return
				}
			}
		})
	}
	wait.Wait()
	return Cause(errs)
}

// Cause prefers an error to those of work that was cancelled because of it.
func Cause(errs []error) error {
	var out error
	for _, err := range errs {
		if err != nil && (out == nil || errors.Is(out, context.Canceled) && !errors.Is(err, context.Canceled)) {
			out = err
		}
	}
	return out
}
