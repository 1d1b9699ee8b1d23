package jsonfn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"parlance/query/fn"
	"parlance/query/fn/fntest"
	"parlance/storage/value"
)

// TestAggregatesEnd: a row with a long text is not added once the context has ended.
func TestAggregatesEnd(t *testing.T) {
	long := value.Str(strings.Repeat(`"`, 2*fn.ChunkBytes))
	for _, a := range aggregates {
		args := []value.Value{long, long}[:a.Args]
		if err := a.NewWithin(context.Background()).Add(args); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		acc := a.NewWithin(ctx)
		cancel()
		if err := acc.Add(args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end of its context: %v", a.Name, err)
		}
	}
}

// TestObjectsEnd ends the context at each look of ||: what comes out is an error, or both objects.
func TestObjectsEnd(t *testing.T) {
	object := func(key string) value.Value {
		s := `{"` + key + `0": 0`
		for i := range 3 * fn.CheckInterval {
			s += fmt.Sprintf(`, "%s%d": %d`, key, i+1, i)
		}
		return value.Value{T: value.JSON, S: s + "}"}
	}
	x, y := object("x"), object("y")
	want, err := mergeObjects(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for n := 1; ; n++ {
		ctx := &fntest.Ending{Context: t.Context(), At: n}
		got, err := mergeObjects(ctx, x, y)
		switch {
		case errors.Is(err, context.Canceled):
			failed++
		case err != nil || got != want:
			t.Fatalf("ended at look %d: %d bytes, want %d; %v", n, len(got.S), len(want.S), err)
		default:
			if failed < 4 {
				t.Errorf("|| looks %d times at its context", failed)
			}
			return
		}
	}
}
