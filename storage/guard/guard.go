// Package guard makes a panic of a goroutine the error of those who wait for it. A panic that nobody recovers ends the
// whole program, a server with all its connections; so every goroutine that runs code of a statement, a reader, a
// tokeniser or a kind of model recovers by it.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Panic is a panic as an error.
type Panic struct {
	What  string // was done, such as "annotate with ner@1"
	Value any    // of the panic
	Stack []byte // of the goroutine
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error in %s: %v", p.What, p.Value) }

// Unwrap is the error that was the value of the panic, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Recover makes a panic of the function that defers it the error *err. It is called by defer itself, not within a
// deferred function. A panic that carries one from another goroutine keeps that one's place.
func Recover(err *error, what string) {
	v := recover()
	if v == nil {
		return
	}
	if p, ok := v.(*Panic); ok {
		*err = p
		return
	}
	*err = &Panic{what, v, debug.Stack()}
}

// Call runs f and makes a panic of it an error.
func Call(what string, f func() error) (err error) {
	defer Recover(&err, what)
	return f()
}
