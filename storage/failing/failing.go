// Package failing lets a test end reads and writes in errors: those of the file of a database and of temporary files.
// In a program nothing fails here, and a step costs a look at a pointer.
package failing

import (
	"context"
	"sync/atomic"
)

// Step is what may fail.
type Step int

// Steps.
const (
	Read      Step = iota // a read transaction, before it
	Write                 // a write transaction, before it
	Commit                // a write transaction, of which nothing is written then
	TempOpen              // a temporary file is made
	TempRead              // a read of one
	TempWrite             // a write to one
	Look                  // a look at a context, which has ended then
)

func (s Step) String() string {
	return [...]string{"read", "write", "commit", "temporary file", "temporary read", "temporary write", "look"}[s]
}

var hook atomic.Pointer[func(Step) error]

// At is the error with which a step is to end, nil for none.
func At(s Step) error {
	if f := hook.Load(); f != nil {
		return (*f)(s)
	}
	return nil
}

// Context makes looks at the context of a statement steps.
func Context(ctx context.Context) context.Context {
	if hook.Load() == nil {
		return ctx
	}
	return watched{ctx}
}

type watched struct{ context.Context }

func (w watched) Err() error {
	if err := At(Look); err != nil {
		return err
	}
	return w.Context.Err()
}

// By has a function of a test choose what fails, in the whole process, until the returned one is called. It is called
// by several goroutines at once, on the stack of the step.
func By(choose func(Step) error) (end func()) {
	hook.Store(&choose)
	return func() { hook.Store(nil) }
}
