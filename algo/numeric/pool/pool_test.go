package pool

import (
	"runtime"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"parlance/storage/guard"
)

// TestEach: every task is done once before Each returns, by one worker at a time each, also by helpers that
// have slept.
func TestEach(t *testing.T) {
	defer goleak.VerifyNone(t)
	for workers := 1; workers <= 4; workers++ {
		p := New(workers)
		if p.Workers() != workers {
			t.Fatal(p.Workers())
		}
		for turn := range 300 {
			n := turn % 7
			times := make([]int, n)
			busy := make([]atomic.Bool, workers)
			p.Each(n, func(worker, i int) {
				if busy[worker].Swap(true) {
					t.Error("a worker has two tasks")
				}
				times[i]++
				if turn%100 == 99 && i == 0 {
					p.resting(busy)
				}
				busy[worker].Store(false)
			})
			for i, k := range times {
				if k != 1 {
					t.Fatalf("%d workers, turn %d: task %d was done %d times", workers, turn, i, k)
				}
			}
			if turn%50 == 0 {
				p.resting(make([]atomic.Bool, workers))
			}
		}
		p.Close()
	}
}

// resting waits until all helpers sleep that are not busy.
func (p *Pool) resting(busy []atomic.Bool) {
	for i, h := range p.helpers {
		for !h.asleep.Load() && !busy[i+1].Load() {
			runtime.Gosched()
		}
	}
}

// TestTogether: tasks that wait for each other end, for all workers take part.
func TestTogether(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := New(3)
	defer p.Close()
	for range 50 {
		var here atomic.Int32
		p.Each(3, func(int, int) {
			here.Add(1)
			for here.Load() < 3 {
				runtime.Gosched()
			}
		})
	}
}

func BenchmarkEach(b *testing.B) {
	p := New(2)
	defer p.Close()
	for b.Loop() {
		p.Each(2, func(int, int) {})
	}
}

// TestPanic: a task that panics, with any worker, panics where Each was called, and the pool goes on.
func TestPanic(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := New(3)
	defer p.Close()
	for bad := range 6 {
		var done atomic.Int64
		err := guard.Call("a batch", func() error {
			p.Each(6, func(_, i int) {
				if i == bad {
					panic("boom")
				}
				done.Add(1)
			})
			return nil
		})
		if err == nil || done.Load() != 5 {
			t.Fatalf("task %d: %v, %d others done", bad, err, done.Load())
		}
	}
}
