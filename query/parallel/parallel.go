// Package parallel runs independent tasks of a statement on several workers.
package parallel

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"parlance/storage/guard"
)

// Each calls f for 0 to n-1 on n workers, until one call fails. Then calls for greater numbers are cancelled or
// not begun, those for lesser ones go on, and the error of the least number is returned: which one it is does not
// depend on the workers. A panic becomes an error that names the work.
func Each(ctx context.Context, workers, n int, work string, f func(ctx context.Context, i int) error) error {
	all := make([]worker, max(1, min(workers, n)))
	for w := range all {
		all[w].ctx, all[w].cancel = context.WithCancel(ctx)
		defer all[w].cancel()
	}
	var next, least atomic.Int64 // the number to begin next, the least that failed
	least.Store(int64(n))
	var wait sync.WaitGroup
	errs := make([]error, n)
	for w := range all {
		wait.Go(func() {
			for {
				i := next.Add(1) - 1
				all[w].at.Store(i)
				if i >= least.Load() {
					return
				}
				if errs[i] = all[w].call(int(i), work, f); errs[i] != nil {
					fail(all, &least, i)
					return
				}
			}
		})
	}
	wait.Wait()
	return Cause(errs)
}

// worker makes calls one after the other.
type worker struct {
	ctx    context.Context
	cancel context.CancelFunc
	at     atomic.Int64 // the number of its call
}

func (w *worker) call(i int, work string, f func(ctx context.Context, i int) error) (err error) {
	defer guard.Recover(&err, work)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return f(w.ctx, i)
}

// fail notes that the call for i failed, and cancels those for greater numbers. A worker stores its number before it
// reads the least one, so it is cancelled here or stops there.
func fail(all []worker, least *atomic.Int64, i int64) {
	for l := least.Load(); i < l && !least.CompareAndSwap(l, i); l = least.Load() {
	}
	for w := range all {
		if all[w].at.Load() > i {
			all[w].cancel()
		}
	}
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
