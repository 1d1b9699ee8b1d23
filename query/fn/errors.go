package fn

import "errors"

// ErrDivision is returned for a division by zero.
var ErrDivision = errors.New("division by zero")

// ArgumentError makes an error match ErrArgument; nil stays nil.
func ArgumentError(err error) error {
	if err == nil {
		return nil
	}
	return &argumentError{err}
}

// ErrArgument matches, by errors.Is, every error of a function about its arguments.
var ErrArgument = errors.New("arguments do not fit")

// Fault is an error of a function with an SQLSTATE of its own.
type Fault struct{ Code, Msg, Hint string }

func (f *Fault) Error() string { return f.Msg }

// argumentError is an error that matches ErrArgument.
type argumentError struct{ error }

func (e *argumentError) Unwrap() error { return e.error }

func (e *argumentError) Is(target error) bool { return target == ErrArgument }

var ErrInterval = &Fault{Code: "22008", Msg: "the interval is out of range"}
