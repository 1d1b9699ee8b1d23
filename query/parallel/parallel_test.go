package parallel

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"parlance/storage/guard"
)

// TestCause: what went wrong stands before what was cancelled because of it, wrapped as it may be.
func TestCause(t *testing.T) {
	wrong := errors.New("wrong")
	cancelled := fmt.Errorf("annotate with m: %w", context.Canceled)
	for _, errs := range [][]error{{cancelled, nil, wrong}, {wrong, cancelled}, {nil, context.Canceled, wrong,
		errors.New("later")}} {
		if got := Cause(errs); got != wrong {
			t.Errorf("of %v it is %v", errs, got)
		}
	}
	if got := Cause([]error{nil, cancelled, context.Canceled}); got != cancelled {
		t.Errorf("of what was cancelled it is %v", got)
	}
}

// TestEach: each task runs once, whatever the number of workers.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		counts := make([]atomic.Int64, 50)
		err := Each(t.Context(), workers, len(counts), "test", func(_ context.Context, i int) error {
			counts[i].Add(1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for i := range counts {
			if n := counts[i].Load(); n != 1 {
				t.Errorf("%d workers: task %d runs %d times", workers, i, n)
			}
		}
	}
	if err := Each(t.Context(), 4, 0, "test", nil); err != nil {
		t.Errorf("no tasks: %v", err)
	}
}

// TestEachLeast: of several failures that of the least number is returned, though a greater one failed before it; what
// has a lesser number goes on.
func TestEachLeast(t *testing.T) {
	failed := make(chan bool)
	var below atomic.Int64
	err := Each(t.Context(), 4, 100, "test", func(ctx context.Context, i int) error {
		switch {
		case i == 3:
			close(failed)
			return errors.New("of 3")
		case i == 1 || i == 0:
			<-failed
			if below.Add(1); i == 1 {
				return errors.New("of 1")
			}
		}
		return ctx.Err()
	})
	if err == nil || err.Error() != "of 1" || below.Load() != 2 {
		t.Errorf("the error is %v, %d calls below it", err, below.Load())
	}
}

// TestEachFails: a failure ends the calls for greater numbers, a panic is a failure, and so is the end of the context.
func TestEachFails(t *testing.T) {
	wrong := errors.New("wrong")
	err := Each(t.Context(), 4, 1000, "test", func(ctx context.Context, i int) error {
		switch {
		case i < 3:
			return nil
		case i == 3:
			return wrong
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if err != wrong {
		t.Errorf("the error is %v", err)
	}
	var p *guard.Panic
	if err := Each(t.Context(), 2, 9, "test", func(context.Context, int) error { panic("boom") }); !errors.As(err, &p) {
		t.Errorf("a panic gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	nothing := func(context.Context, int) error { return nil }
	if err := Each(ctx, 2, 9, "test", nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}
