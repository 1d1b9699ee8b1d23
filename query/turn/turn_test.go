package turn

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestFewComputeAtOnce has many statements compute for a while each: no more than some at once, and all get turns.
func TestFewComputeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		var all sync.WaitGroup
		var now, peak atomic.Int32
		for range 20 * most() {
			all.Go(func() {
				s := q.NewSlot()
				defer s.Close()
				ctx := With(t.Context(), s)
				for range 10 { // a computation of 100 ms, which asks every 10 ms
					if err := Err(ctx); err != nil {
						t.Error(err)
					}
					peak.Store(max(peak.Load(), now.Add(1)))
					time.Sleep(10 * time.Millisecond)
					now.Add(-1)
				}
			})
		}
		start := time.Now()
		all.Wait()
		if n := int(peak.Load()); n != most() {
			t.Errorf("%d at once, want %d", n, most())
		}
		if took := time.Since(start); took > 4*time.Second { // 20 rounds of 100 ms
			t.Errorf("all together took %s", took)
		}
		if q.holders.Len()+q.waiting[0].Len()+q.waiting[1].Len() != 0 || q.tight.Load() {
			t.Error("somebody is left in the queue")
		}
	})
}

// TestNewStatementsGoFirst has a short statement come to many long ones: it waits for no round of them.
func TestNewStatementsGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 20 * most() {
			all.Go(func() {
				s := q.NewSlot()
				defer s.Close()
				for ctx := With(ctx, s); Err(ctx) == nil; {
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
		time.Sleep(5 * time.Second) // all have had a turn
		start := time.Now()
		s := q.NewSlot()
		if err := Err(With(t.Context(), s)); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 3*slice {
			t.Errorf("a new statement waits %s", took)
		}
		s.Close()
		cancel()
		all.Wait()
	})
}

// TestLostTurns has statements keep their turns and ask no more, as those do that wait for their client.
func TestLostTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		for range most() {
			if err := Err(With(t.Context(), q.NewSlot())); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		s := q.NewSlot()
		if err := Err(With(t.Context(), s)); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 2*lease {
			t.Errorf("waited %s for turns that nobody uses", took)
		}
		s.Close()
	})
}

// TestWaitingEnds cancels a statement that waits, and closes one.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q Queue
		for range most() {
			s := q.NewSlot()
			if err := Err(With(t.Context(), s)); err != nil {
				t.Fatal(err)
			}
			s.end.Store(now() + int64(time.Hour))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := q.NewSlot()
		if err := Err(With(ctx, s)); err != context.DeadlineExceeded {
			t.Errorf("a cancelled statement gets %v", err)
		}
		s.Close()
		s = q.NewSlot()
		time.AfterFunc(time.Second, s.Close)
		if err := Err(With(t.Context(), s)); err != nil {
			t.Error(err)
		}
		if err := Err(t.Context()); err != nil {
			t.Errorf("without turns: %v", err)
		}
	})
}

func BenchmarkErr(b *testing.B) {
	var q Queue
	s := q.NewSlot()
	defer s.Close()
	ctx := With(b.Context(), s)
	for b.Loop() {
		_ = Err(ctx)
	}
}
