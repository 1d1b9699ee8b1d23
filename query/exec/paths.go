package exec

import (
	"errors"

	"parlance/query/ast"
	"parlance/storage/files"
)

// files is where the paths of the session's statements lead: never to the database itself.
func (r *run) files() files.Files {
	f := r.ses.Files
	if f == nil {
		f = files.Anywhere
	}
	return files.Except(f, r.Store.Path())
}

// denied makes an error for the user of one about files that may not be touched.
func denied(err error) error {
	var d *files.Denied
	if errors.As(err, &d) {
		return &ast.Error{Code: "42501", Msg: d.Error(), Hint: d.Hint}
	}
	return err
}
