package textindex

import (
	"errors"
	"testing"

	"parlance/storage/guard"
)

// TestPanicsOfSearches: a run that cannot be searched is an error, in whichever goroutine it is found.
func TestPanicsOfSearches(t *testing.T) {
	y := &searching{runs: make([]*searchedRun, 64)}
	if p, err := new(guard.Panic), y.evaluateAll(t.Context(), true); !errors.As(err, &p) {
		t.Error(err)
	}
}
