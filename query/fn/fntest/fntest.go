// Package fntest helps tests of functions: calls by name, and contexts that end while a function runs.
package fntest

import (
	"cmp"
	"context"
	"testing"

	"parlance/query/fn"
	"parlance/storage/value"
)

// Call evaluates a scalar function of a set.
func Call(t testing.TB, set fn.Set, name string, args ...value.Value) (value.Value, error) {
	t.Helper()
	return Scalar(t, set, name).Call(context.Background(), args)
}

// Scalar returns a scalar function of a set.
func Scalar(t testing.TB, set fn.Set, name string) *fn.Func {
	t.Helper()
	for i := range set.Scalars {
		if f := &set.Scalars[i]; f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no function %s", name)
	return nil
}

// Ending is a context that has ended when it is asked for the time At, the second if At is 0.
type Ending struct {
	context.Context
	At    int
	asked int
}

// Err returns nil before the time At, then context.Canceled.
func (c *Ending) Err() error {
	if c.asked++; c.asked >= cmp.Or(c.At, 2) {
		return context.Canceled
	}
	return nil
}
