package exec

import (
	"errors"

	"parlance/query/ast"
	"parlance/storage/files"
)

// Files opens files for statements of the session, never that of the database itself.
func (r *Execution) Files() files.Files {
	f := r.Session.Files
	if f == nil {
		f = files.Anywhere
	}
	return files.Except(f, r.Store.Path())
}

// Backups opens the file of a backup, never the database itself: where Files leads, unless the session says otherwise.
func (r *Execution) Backups() files.Files {
	if f := r.Session.Backups; f != nil {
		return files.Except(f, r.Store.Path())
	}
	return r.Files()
}

// Denied gives an error about a file that may not be opened its code.
func Denied(err error) error {
	var d *files.Denied
	if errors.As(err, &d) {
		return &ast.Error{Code: "42501", Msg: d.Error(), Hint: d.Hint}
	}
	return err
}
