package exec

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestFirstErrorIsTheCause: what went wrong stands before what was cancelled because of it, wrapped as it may be.
func TestFirstErrorIsTheCause(t *testing.T) {
	wrong := errors.New("wrong")
	cancelled := fmt.Errorf("annotate with m: %w", context.Canceled)
	for _, errs := range [][]error{{cancelled, nil, wrong}, {wrong, cancelled}, {nil, context.Canceled, wrong,
		errors.New("later")}} {
		if got := firstError(errs); got != wrong {
			t.Errorf("of %v it is %v", errs, got)
		}
	}
	if got := firstError([]error{nil, cancelled, context.Canceled}); got != cancelled {
		t.Errorf("of what was cancelled it is %v", got)
	}
}
