package fn

import "errors"

// ErrDivision is returned for a division by zero.
var ErrDivision = errors.New("division by zero")

// Refused marks an error about values as ErrArgument; nil stays nil.
func Refused(err error) error {
	if err == nil {
		return nil
	}
	return &argumentError{err}
}

// ErrArgument is what every error of a function is: its arguments do not fit.
var ErrArgument = errors.New("arguments do not fit")

// Fault is an error of a function for which SQL has a code of its own.
type Fault struct{ Code, Msg, Hint string }

func (f *Fault) Error() string { return f.Msg }

// argumentError marks the error of a function without changing its text.
type argumentError struct{ error }

func (e *argumentError) Unwrap() error { return e.error }

func (e *argumentError) Is(target error) bool { return target == ErrArgument }

var ErrInterval = &Fault{Code: "22008", Msg: "the interval is out of range"}
