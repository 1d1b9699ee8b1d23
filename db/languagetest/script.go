package languagetest

import (
	"errors"

	"parlance/db"
	"parlance/query/ast"
	"parlance/query/lex"
)

// Each hands on the statements of a script until the first error, which gets its place in the
// script, for frontends that take one statement at a time.
func Each(script string, run func(statement string) error) error {
	list, err := lex.Script(script)
	for _, st := range list {
		if err := run(st.Text); err != nil {
			return moved(err, st)
		}
	}
	var e *ast.Error
	if errors.As(err, &e) {
		return &db.Error{Code: e.Code, Message: e.Msg, Hint: e.Hint, Line: e.Pos.Line, Column: e.Pos.Col}
	}
	return err
}

// moved gives the error of a statement its place in the script.
func moved(err error, st lex.Statement) error {
	var e *db.Error
	if !errors.As(err, &e) || e.Line == 0 {
		return err
	}
	at := st.Place(ast.Pos{Line: e.Line, Col: e.Column, Offset: e.Offset})
	out := *e
	out.Line, out.Column, out.Offset = at.Line, at.Col, at.Offset
	return &out
}
