package tensor

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls f for every i below n from several workers, and returns when all have ended: the
// first error, or that of the context.
func parallel(ctx context.Context, workers, n int, f func(worker, i int) error) error {
	workers = max(1, min(workers, n))
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, workers)
	work := func(w int) {
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			err := ctx.Err()
			if err == nil {
				err = f(w, i)
			}
			if err != nil {
				errs[w] = err
				failed.Store(true)
				return
			}
		}
	}
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Go(func() { work(w) })
	}
	work(0)
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// blocks is the number of blocks of a size that n rows make, block the rows of one.
func blocks(n, size int) int { return (n + size - 1) / size }

func block(i, n, size int) (from, to int) { return i * size, min(n, (i+1)*size) }
