package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/fulltext"
	"parlance/storage/guard"
)

// WhereToWrite is the hint of what a database that is open read-only refuses.
const WhereToWrite = "send it to the server that has the database open to write, or open this one without read-only"

// TemporaryTaken is the hint where a temporary object of another session has a name. No more is told of it.
const TemporaryTaken = "choose another name: a temporary object of a session has this one until that session ends"

// New makes an error with a code and no position.
func New(code, format string, args ...any) error {
	return &ast.Error{Code: code, Msg: text.Countf(format, args...)}
}

// Invalid makes an error about a value, with the code of invalid arguments.
func Invalid(format string, args ...any) error { return New(plan.CodeInvalid, format, args...) }

// At gives an error a position, if it has none.
func At(pos ast.Pos, err error) error {
	var e *ast.Error
	if errors.As(err, &e) && e.Pos == (ast.Pos{}) {
		c := *e
		c.Pos = pos
		return &c
	}
	return err
}

// FromKind turns the error of a kind that refuses its options or input into an error of the statement. Cancellations,
// damaged data, panics and errors of files are returned as they are.
func FromKind(pos ast.Pos, err error) error {
	var e *ast.Error
	var path *fs.PathError
	var fault *guard.Panic
	switch {
	case err == nil, IsCancel(err), errors.Is(err, kind.ErrCorrupt), kind.IsEncoding(err),
		errors.Is(err, storage.ErrCorrupt), errors.As(err, &path), errors.As(err, &fault):
		return err
	case errors.As(err, &e):
		return At(pos, err)
	}
	if u := (*kind.Unreadable)(nil); errors.As(err, &u) {
		return &ast.Error{Code: plan.CodeInvalid, Msg: err.Error(), Hint: u.Hint, Pos: pos}
	}
	msg, hint, _ := strings.Cut(err.Error(), "; did you mean ")
	if hint != "" {
		hint = "did you mean " + hint
	}
	return &ast.Error{Code: plan.CodeInvalid, Msg: msg, Hint: hint, Pos: pos}
}

// Annotating is the error of annotating with a model: what a kind refuses, documents or resources that do not fit it,
// is a fault of the statement.
func Annotating(model string, err error) error {
	return FromKind(ast.Pos{}, fmt.Errorf("annotate with %s: %w", model, err))
}

// FromSearch is the error of a statement for one of parsing a full-text search.
func FromSearch(pos ast.Pos, err error) error {
	var f *fulltext.SyntaxError
	if errors.As(err, &f) {
		return plan.Errorf(pos, plan.CodeInvalid, f.Hint, "%v", f)
	}
	return err
}

func IsCancel(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
