package solver

import (
	"context"
	"sync"
	"sync/atomic"
)

// OneVersusRest trains a machine for each class against all others, several at a time. Each
// depends on nothing but samples and settings, so the number of workers changes no result.
// done is called as machines end, one call at a time.
func (o Linear) OneVersusRest(ctx context.Context, x *Rows, class []uint16, classes, workers int, done func(class int, r *Result)) ([]*Result, error) {
	squares := o.Squares(x)
	size := make([]int, classes)
	for _, c := range class {
		size[c]++
	}
	order := byFallingSize(size)
	out := make([]*Result, classes)
	var mu sync.Mutex
	err := parallel(ctx, classes, workers, func(ctx context.Context, k int) error {
		c := order[k]
		y := make([]int8, len(class))
		for i, l := range class {
			y[i] = -1
			if int(l) == c {
				y[i] = 1
			}
		}
		r, err := o.Binary(ctx, x, squares, y)
		if err != nil {
			return err
		}
		out[c] = r
		mu.Lock()
		defer mu.Unlock()
		done(c, r)
		return nil
	})
	return out, err
}

// byFallingSize orders classes, the largest first, equal ones by number.
func byFallingSize(size []int) []int {
	order := make([]int, len(size))
	for i := range order {
		j := i
		for ; j > 0 && size[order[j-1]] < size[i]; j-- {
			order[j] = order[j-1]
		}
		order[j] = i
	}
	return order
}

// parallel runs job 0 to n−1 on so many workers and ends with the first error.
func parallel(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(workers, n)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := job(ctx, i); err != nil {
					cancel(err)
					return
				}
			}
		}()
	}
	wg.Wait()
	return context.Cause(ctx)
}
