package engine

import (
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
)

// checkUsing refuses a value of the setting using that names no model. It ignores other settings.
func (r *execution) checkUsing(pos ast.Pos, setting string, a option.Arg) error {
	if setting != bind.UsingSetting {
		return nil
	}
	list := a.List
	if list == nil && a.Text() != "" {
		list = []option.Arg{a}
	}
	for _, x := range list {
		if _, err := r.Model(bind.NamedModel(pos, x.Text())); err != nil {
			return err
		}
	}
	return nil
}
