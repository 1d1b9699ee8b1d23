package expr

import (
	"errors"

	"parlance/query/ast"
	"parlance/query/fn"
	"parlance/query/fn/textfn"
	"parlance/storage/value"
)

// codes are the codes of what functions and casts find wrong, the first that matches counts.
var codes = []struct {
	err  error
	code string
}{
	{fn.ErrDivision, "22012"}, {value.ErrRange, ast.CodeRange}, {value.ErrMalformed, "22P02"}, {value.ErrNoCast, "42846"}, {value.ErrNoTime, "22007"},
	{textfn.ErrEscape, "22025"}, {fn.ErrTooLong, ast.CodeTooLong}, {fn.ErrItems, ast.CodeTooLong}, {fn.ErrArgument, "22023"},
}

// Evaluated gives what an expression finds wrong with values a place and its code. Other errors, such
// as cancellations and those that have a place already, stay what they are; nil stays nil.
func Evaluated(pos ast.Pos, err error) error {
	if err == nil {
		return nil
	}
	if known, ok := err.(*ast.Error); ok && known.Pos == (ast.Pos{}) {
		placed := *known
		placed.Pos = pos
		return &placed
	}
	var known *ast.Error
	if errors.As(err, &known) {
		return err
	}
	var fault *fn.Fault
	if errors.As(err, &fault) {
		return &ast.Error{Pos: pos, Code: fault.Code, Hint: fault.Hint, Msg: err.Error()}
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return &ast.Error{Pos: pos, Code: c.code, Msg: err.Error()}
		}
	}
	return err
}
