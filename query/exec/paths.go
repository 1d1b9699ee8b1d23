package exec

import (
	"errors"

	"parlance/query/ast"
	"parlance/storage/files"
)

// Files is where the paths of the session's statements lead: never to the database itself.
func (r *Execution) Files() files.Files {
	f := r.Session.Files
	if f == nil {
		f = files.Anywhere
	}
	return files.Except(f, r.Store.Path())
}

// Denied makes an error for the user of one about files that may not be touched.
func Denied(err error) error {
	var d *files.Denied
	if errors.As(err, &d) {
		return &ast.Error{Code: "42501", Msg: d.Error(), Hint: d.Hint}
	}
	return err
}
