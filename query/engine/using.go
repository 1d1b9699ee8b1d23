package engine

import (
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
)

// checkUsing refuses a value of the setting using that names no model. places are the positions of the names, or one
// position for all. It ignores other settings.
func (r *execution) checkUsing(setting string, a option.Arg, places ...ast.Pos) error {
	if setting != bind.UsingSetting {
		return nil
	}
	list := a.List
	if list == nil && a.Text() != "" {
		list = []option.Arg{a}
	}
	for i, x := range list {
		if _, err := r.Model(bind.NamedModel(places[min(i, len(places)-1)], x.Text())); err != nil {
			return err
		}
	}
	return nil
}

// placesOf are the places of the items of a list, or that of a single value.
func placesOf(v ast.OptionValue) []ast.Pos {
	list, ok := v.(*ast.TupleValue)
	if !ok || len(list.Items) == 0 {
		return []ast.Pos{v.Position()}
	}
	out := make([]ast.Pos, len(list.Items))
	for i, x := range list.Items {
		out[i] = x.Position()
	}
	return out
}
