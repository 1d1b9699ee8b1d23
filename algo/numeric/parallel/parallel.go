// Package parallel calls a function for the numbers 0 … n−1 on several goroutines. What it computes can be the same
// with any number of workers: shards are fixed by the data, each is worked on alone, and their results are reduced in
// order.
//
//	For     contexts and errors
//	Each    short loops, which neither fail nor end early
//	Reduce  a sum of shards, added up in order
//
// No goroutine outlives the call, and the caller is one of the workers. A panic of a worker reaches the caller.
// Package pool serves batches of microseconds.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// For calls work for every i from 0 to n−1, each once, on at most n goroutines, which have numbers from 0; 0 and
// fewer stand for one. Numbers are taken in rising order, by whoever is free. After an error, or once the context has
// ended, no more are taken. It returns the error of the lowest number, which is the same with any number of workers,
// else that of the context.
func For(ctx context.Context, workers, n int, work func(worker, i int) error) error {
	l := loop{n: n, lowest: n}
	l.run(workers, func(worker, i int) bool {
		if ctx.Err() != nil {
			return false
		}
		if err := work(worker, i); err != nil {
			l.fail(i, err)
			return false
		}
		return true
	})
	if l.err != nil {
		return l.err
	}
	return ctx.Err()
}

// Each is For without a context and errors.
func Each(workers, n int, work func(worker, i int)) {
	l := loop{n: n, lowest: n}
	l.run(workers, func(worker, i int) bool {
		work(worker, i)
		return true
	})
}

// Reduce calls shard as For does, then add for every shard in order, on the caller's goroutine. Without an error all
// are added, else none.
func Reduce(ctx context.Context, workers, shards int, shard func(worker, i int) error, add func(i int)) error {
	if err := For(ctx, workers, shards, shard); err != nil {
		return err
	}
	for i := range shards {
		add(i)
	}
	return nil
}

// Shard returns the part of n items, [from, to), that is number i of n parts.
func Shard(i, n, parts int) (from, to int) { return n * i / parts, n * (i + 1) / parts }

// Blocks is how many blocks of a size n items make, the last one perhaps smaller.
func Blocks(n, size int) int { return (n + size - 1) / size }

// Block is the items [from, to) of block i.
func Block(i, n, size int) (from, to int) { return i * size, min(n, (i+1)*size) }

// loop is one call.
type loop struct {
	n       int
	next    atomic.Int64
	stopped atomic.Bool
	mu      sync.Mutex
	lowest  int // number of err
	err     error
	panics  *panicked
}

// panicked is a panic of a worker with the stack that it had.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Unwrap is the error that was the value of the panic.
func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// run calls step until it returns false or all numbers are taken. A number once taken is worked on: so all numbers
// below one that fails are tried.
func (l *loop) run(workers int, step func(worker, i int) bool) {
	workers = max(1, min(workers, l.n))
	if workers == 1 {
		for i := 0; i < l.n && step(0, i); i++ {
		}
		return
	}
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { l.worker(w, step) })
	}
	l.worker(0, step)
	wait.Wait()
	if l.panics != nil {
		panic(l.panics)
	}
}

// worker takes numbers. A panic stops the loop, as Goexit does.
func (l *loop) worker(w int, step func(worker, i int) bool) {
	ended := false
	defer func() {
		if ended {
			return
		}
		l.stopped.Store(true)
		if x := recover(); x != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.panics == nil {
				l.panics = &panicked{x, debug.Stack()}
			}
		}
	}()
	for !l.stopped.Load() {
		i := int(l.next.Add(1)) - 1
		if i >= l.n {
			break
		}
		if !step(w, i) {
			l.stopped.Store(true)
		}
	}
	ended = true
}

func (l *loop) fail(i int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < l.lowest {
		l.lowest, l.err = i, err
	}
}

// Workers is a number of workers, where 0 and fewer stand for one a processor.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
