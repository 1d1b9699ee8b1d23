package storage

import (
	"context"
	"errors"
	"testing"

	"parlance/storage/guard"
)

// isPanic checks that an error is a panic that was recovered.
func isPanic(t *testing.T, what string, err error) {
	t.Helper()
	if p := new(guard.Panic); !errors.As(err, &p) {
		t.Errorf("%s: %v", what, err)
	}
}

// TestPanicsOfCleaning: removing leftovers is given up, and what runs the store is told.
func TestPanicsOfCleaning(t *testing.T) {
	var told error
	s := &Store{}
	s.cleaner.ctx, s.cleaner.cancel = context.WithCancel(context.Background())
	s.cleaner.report = func(err error) { told = err }
	s.removeOrphansSoon()
	s.cleaner.ended.Wait()
	s.cleaner.stop()
	isPanic(t, "cleaning", told)
}
