package jsonfn

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parlance/query/fn"
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
