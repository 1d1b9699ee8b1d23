package codec

import (
	"errors"
	"fmt"

	"parlance/algo/text"
)

// Error is a fault in a file.
type Error struct {
	File      string
	Line, Col int // 1-based; Col in bytes, 0 if unknown
	Msg       string
	Hint      string
	Cause     error // that the message names, or nil
}

// Unwrap returns the cause, such as value.ErrNotText.
func (e *Error) Unwrap() error { return e.Cause }

// faultf is an error of a file; an error among the arguments is its cause.
func faultf(file string, line, col int, format string, args ...any) error {
	e := &Error{File: file, Line: line, Col: col, Msg: text.Countf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.Cause = err
		}
	}
	var over *loadEnded
	if errors.As(e.Cause, &over) {
		return over.error // not the file is at fault
	}
	return e
}

// Error returns the place and the message.
func (e *Error) Error() string {
	if e.Col > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}
