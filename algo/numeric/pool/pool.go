// Package pool shares short tasks among workers that stay: where a batch takes microseconds, starting
// goroutines for it takes longer than the work.
package pool

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"parlance/storage/guard"
)

// Pool is the goroutine that calls Each and helpers, which look out for work for a while, then sleep.
// It is for one caller at a time.
type Pool struct {
	now     atomic.Pointer[batch]
	helpers []*helper
	ended   sync.WaitGroup
}

type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // holds one
}

// batch is n tasks; the last one of a pool has no work.
type batch struct {
	work       func(worker, task int)
	n          int64
	next, done atomic.Int64
	panicked   atomic.Pointer[guard.Panic] // the first one of a helper
}

// watch is how often a helper looks for a batch before it sleeps, some 15 µs.
const watch = 20_000

// New returns a pool of workers, the caller of Each among them. It ends by Close.
func New(workers int) *Pool {
	p := &Pool{}
	p.now.Store(&batch{work: func(int, int) {}})
	for i := 1; i < workers; i++ {
		h := &helper{wake: make(chan struct{}, 1)}
		p.helpers = append(p.helpers, h)
		p.ended.Go(func() { p.help(h, i) })
	}
	return p
}

// Close ends the helpers.
func (p *Pool) Close() {
	p.call(&batch{})
	p.ended.Wait()
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return 1 + len(p.helpers) }

// Each calls work for the tasks 0 to n−1, each once, and returns when all are done. Workers are numbered
// from 0; one does one task at a time.
func (p *Pool) Each(n int, work func(worker, task int)) {
	if len(p.helpers) == 0 || n <= 1 {
		for i := range n {
			work(0, i)
		}
		return
	}
	b := &batch{work: work, n: int64(n)}
	p.call(b)
	b.run(0)
	for look := 1; b.done.Load() < b.n; look++ {
		if look%watch == 0 {
			runtime.Gosched()
		}
	}
	if x := b.panicked.Load(); x != nil {
		panic(x)
	}
}

// call makes a batch known and wakes who sleeps.
func (p *Pool) call(b *batch) {
	p.now.Store(b)
	for _, h := range p.helpers {
		if h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

func (b *batch) run(worker int) {
	for i := b.next.Add(1); i <= b.n; i = b.next.Add(1) {
		b.task(worker, int(i-1))
	}
}

// task does one task. A panic is passed on to the caller of Each, who may recover from it.
func (b *batch) task(worker, i int) {
	var err error
	defer b.done.Add(1)
	defer func() {
		if p := (*guard.Panic)(nil); errors.As(err, &p) {
			b.panicked.CompareAndSwap(nil, p)
		}
	}()
	defer guard.Recover(&err, "a task of the pool")
	b.work(worker, i)
}

// help runs batch after batch.
func (p *Pool) help(h *helper, worker int) {
	var last *batch
	for {
		b := p.now.Load()
		for look := 0; b == last && look < watch; look++ {
			b = p.now.Load()
		}
		switch {
		case b == last:
			h.sleep(p, last)
		case b.work == nil:
			return
		default:
			b.run(worker)
			last = b
		}
	}
}

// sleep waits until a batch after last is made known: either is seen here, or who makes it known sees asleep.
func (h *helper) sleep(p *Pool, last *batch) {
	h.asleep.Store(true)
	if p.now.Load() != last && h.asleep.CompareAndSwap(true, false) {
		return
	}
	<-h.wake
}
