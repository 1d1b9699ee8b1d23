package fault

import (
	"errors"
	"io/fs"
	"syscall"

	"parlance/query/ast"
	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/value"
)

// Denied gives an error about a file that may not be opened its code.
func Denied(err error) error {
	var d *files.Denied
	if errors.As(err, &d) {
		return &ast.Error{Code: "42501", Msg: d.Error(), Hint: d.Hint}
	}
	return err
}

// File gives errors of files their SQLSTATE and the position of the statement.
func File(pos ast.Pos, err error) error {
	if err == nil {
		return nil
	}
	err = At(pos, Denied(err))
	var f *codec.Error
	switch {
	case errors.As(err, &f):
		code := "22P04"
		if errors.Is(err, value.ErrNotText) {
			code = ast.CodeNotText
		}
		return &ast.Error{Pos: pos, Code: code, Msg: f.Error(), Hint: f.Hint}
	case IsCancel(err), errors.Is(err, syscall.ENOSPC), errors.Is(err, fs.ErrPermission),
		errors.Is(err, syscall.EROFS):
		return err // these have codes of their own
	}
	var e *ast.Error
	if errors.As(err, &e) {
		return err
	}
	if errors.Is(err, fs.ErrExist) {
		return &ast.Error{Pos: pos, Code: "58P02", Msg: err.Error(), Hint: "choose another path"}
	}
	if p, ok := err.(*fs.PathError); ok { // without the name of the system call
		return &ast.Error{Pos: pos, Code: "58P01", Msg: p.Path + ": " + p.Err.Error()}
	}
	return &ast.Error{Pos: pos, Code: "58P01", Msg: err.Error()}
}
