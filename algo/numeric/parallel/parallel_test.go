package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// TestFor: every number is worked on once before For returns, and a worker has one at a time.
func TestFor(t *testing.T) {
	defer goleak.VerifyNone(t)
	for workers := -1; workers <= 5; workers++ {
		for n := range 40 {
			times, busy := make([]int, n), make([]atomic.Bool, max(1, workers))
			err := For(context.Background(), workers, n, func(w, i int) error {
				if busy[w].Swap(true) {
					t.Error("a worker has two numbers")
				}
				times[i]++
				runtime.Gosched()
				busy[w].Store(false)
				return nil
			})
			if err != nil || n > 0 && (slices.Min(times) != 1 || slices.Max(times) != 1) {
				t.Fatalf("%d workers, %d numbers: %v, %v", workers, n, times, err)
			}
		}
	}
}

// TestTogether: as many numbers as there are workers may wait for each other.
func TestTogether(t *testing.T) {
	var here atomic.Int32
	Each(3, 3, func(int, int) {
		for here.Add(1); here.Load() < 3; {
			runtime.Gosched()
		}
	})
}

// TestFirstError: the error is that of the lowest number that fails, whoever comes first.
func TestFirstError(t *testing.T) {
	defer goleak.VerifyNone(t)
	rapid.Check(t, func(t *rapid.T) {
		n, workers := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "workers")
		bad := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 5).Draw(t, "bad")
		var taken atomic.Int32
		err := For(context.Background(), workers, n, func(_, i int) error {
			taken.Add(1)
			for range (n - i) * 20 { // lower numbers take longer
				runtime.Gosched()
			}
			if slices.Contains(bad, i) {
				return fmt.Errorf("number %d", i)
			}
			return nil
		})
		if want := fmt.Sprintf("number %d", slices.Min(bad)); err == nil || err.Error() != want {
			t.Fatalf("%v, want %s", err, want)
		}
		if workers == 1 && int(taken.Load()) != slices.Min(bad)+1 {
			t.Fatalf("%d numbers were taken after an error at %d", taken.Load(), slices.Min(bad))
		}
	})
}

// TestContext: no more numbers are taken once the context ends, and its error is returned, also at the end.
func TestContext(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for _, last := range []int{10, 999} {
			ctx, cancel := context.WithCancel(context.Background())
			var taken atomic.Int32
			err := For(ctx, workers, 1000, func(_, i int) error {
				taken.Add(1)
				if i == last {
					cancel()
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) || last == 10 && taken.Load() > 900 {
				t.Fatalf("%d workers: %v after %d numbers", workers, err, taken.Load())
			}
			cancel()
		}
	}
}

// TestPanic: a panic of any worker reaches the caller, with the place where it arose, after all have ended.
func TestPanic(t *testing.T) {
	defer goleak.VerifyNone(t)
	for workers := 1; workers <= 3; workers++ {
		func() {
			defer func() {
				x := recover()
				if x == nil || !strings.Contains(fmt.Sprint(x), "number 7") {
					t.Fatalf("%d workers: recovered %v", workers, x)
				}
			}()
			Each(workers, 20, func(_, i int) {
				if i == 7 {
					panic("number 7")
				}
			})
			t.Fatal("no panic")
		}()
	}
}

// TestReduce: sums of floating-point numbers have the same bits with any number of workers.
func TestReduce(t *testing.T) {
	sum := func(workers int) (s float64) {
		part := make([]float64, 13)
		err := Reduce(context.Background(), workers, len(part), func(_, k int) error {
			from, to := Shard(k, 100_000, len(part))
			for i := from; i < to; i++ {
				part[k] += 1 / float64(i+1)
			}
			return nil
		}, func(k int) { s += part[k] })
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for workers := 2; workers <= 6; workers++ {
		if a, b := sum(1), sum(workers); a != b {
			t.Fatalf("%v with one worker, %v with %d", a, b, workers)
		}
	}
	added := 0
	err := Reduce(context.Background(), 2, 5, func(_, k int) error { return errors.ErrUnsupported }, func(int) { added++ })
	if err == nil || added > 0 {
		t.Fatalf("%v, and %d shards are added", err, added)
	}
}

// TestShards: shards and blocks hold every item once, in order.
func TestShards(t *testing.T) {
	for n := range 50 {
		for parts := 1; parts < 9; parts++ {
			at := 0
			for i := range parts {
				from, to := Shard(i, n, parts)
				if from != at || to < from || to-from > n/parts+1 {
					t.Fatal(n, parts, i, from, to)
				}
				at = to
			}
			if at != n {
				t.Fatal(n, parts, at)
			}
			at = 0
			for i := range Blocks(n, parts) {
				from, to := Block(i, n, parts)
				if from != at || to <= from || to-from > parts {
					t.Fatal(n, parts, i, from, to)
				}
				at = to
			}
			if at != n {
				t.Fatal(n, parts, at)
			}
		}
	}
}

func BenchmarkEach(b *testing.B) {
	for b.Loop() {
		Each(2, 64, func(int, int) {})
	}
}
