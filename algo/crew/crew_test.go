package crew

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestEach: every task is done once before Each returns, by one worker at a time each, also by helpers that
// have slept.
func TestEach(t *testing.T) {
	defer goleak.VerifyNone(t)
	for workers := 1; workers <= 4; workers++ {
		c := New(workers)
		if c.Workers() != workers {
			t.Fatal(c.Workers())
		}
		for turn := range 300 {
			n := turn % 7
			times := make([]int, n)
			busy := make([]atomic.Bool, workers)
			c.Each(n, func(worker, i int) {
				if busy[worker].Swap(true) {
					t.Error("a worker has two tasks")
				}
				times[i]++
				if turn%100 == 99 {
					time.Sleep(time.Millisecond)
				}
				busy[worker].Store(false)
			})
			for i, k := range times {
				if k != 1 {
					t.Fatalf("%d workers, turn %d: task %d was done %d times", workers, turn, i, k)
				}
			}
			if turn%50 == 0 {
				time.Sleep(2 * time.Millisecond) // helpers fall asleep
			}
		}
		c.Close()
	}
}

// TestTogether: tasks that wait for each other end, for all workers take part.
func TestTogether(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := New(3)
	defer c.Close()
	for range 50 {
		var here atomic.Int32
		c.Each(3, func(int, int) {
			here.Add(1)
			for here.Load() < 3 {
				runtime.Gosched()
			}
		})
	}
}

func BenchmarkEach(b *testing.B) {
	c := New(2)
	defer c.Close()
	for b.Loop() {
		c.Each(2, func(int, int) {})
	}
}
