package ast

import "fmt"

// SQLSTATE codes of the errors that concern the text of a statement.
const (
	CodeSyntax     = "42601" // syntax_error
	CodeTooComplex = "54001" // statement_too_complex
	CodeTooLong    = "54000" // program_limit_exceeded
	CodeNotText    = "22021" // character_not_in_repertoire: text that is not UTF-8
	CodeUndefined  = "42704" // undefined_object
	CodeFeature    = "0A000" // feature_not_supported
	CodeRange      = "22003" // numeric_value_out_of_range
)

// Error is a fault in a statement: what is wrong, where, and what would be
// right.
type Error struct {
	Pos  Pos    // where the fault starts; the zero Pos if it has no place
	Code string // SQLSTATE
	Msg  string // what is wrong, lower case, without a full stop
	Hint string // what would be right; may be empty
}

// Error returns the message with its place and its hint.
func (e *Error) Error() string {
	msg := e.Msg
	if e.Pos.Line > 0 {
		msg = fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Col, msg)
	}
	if e.Hint != "" {
		msg += " (" + e.Hint + ")"
	}
	return msg
}
