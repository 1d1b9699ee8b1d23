package optarg

import (
	"errors"
	"fmt"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Args converts options of the syntax tree; parameters are filled in.
func Args(list []ast.Option, env *expr.Env) ([]option.Arg, error) {
	out := make([]option.Arg, 0, len(list))
	for _, o := range list {
		a, err := Arg(o.Value, env)
		if err != nil {
			return nil, err
		}
		a.Name, a.Pos = o.Name, o.Pos.Offset
		out = append(out, a)
	}
	return out, nil
}

func Arg(v ast.OptionValue, env *expr.Env) (option.Arg, error) {
	switch v := v.(type) {
	case *ast.Literal:
		return option.Arg{Value: expr.Literal(v.Value)}, nil
	case *ast.Param:
		x, err := (&expr.Param{Index: v.Index}).At(env, nil, 0)
		if err != nil {
			return option.Arg{}, plan.Errorf(v.Pos, "08P01", "", "%v", err)
		}
		return option.Arg{Value: x}, nil
	case *ast.NameValue:
		return option.Arg{Ref: &option.Ref{Name: v.Name, Version: v.Version, Relation: v.Relation}}, nil
	case *ast.RangeValue:
		return option.Arg{}, plan.Errorf(v.Pos, plan.CodeInvalid, "OVER of TUNE draws from intervals", "%s is no value", v)
	case *ast.TupleValue:
		a := option.Arg{List: []option.Arg{}}
		for _, it := range v.Items {
			x, err := Arg(it, env)
			if err != nil {
				return a, err
			}
			a.List = append(a.List, x)
		}
		return a, nil
	}
	return option.Arg{}, plan.Errorf(v.Position(), ast.CodeSyntax, "", "this is no value of an option")
}

// AtOption gives an error of options the position of the option that comes first in it.
func AtOption(err error, list []ast.Option) error {
	var f option.Faults
	if !errors.As(err, &f) {
		return err
	}
	e := &ast.Error{Code: plan.CodeInvalid, Msg: f.Error(), Hint: f[0].Hint}
	for i, o := range list {
		if i == 0 || o.Name == f[0].Name { // a rule between options may name one that was not given
			e.Pos = o.Pos
		}
	}
	return e
}

func IntArg(a option.Arg, lo, hi int) (int, error) {
	v, err := value.Cast(a.Value, value.Integer)
	if err != nil || a.Ref != nil || a.List != nil || v.IsNull() || v.Int() < int64(lo) || v.Int() > int64(hi) {
		return 0, option.Faults{{Name: a.Name, Pos: a.Pos,
			Msg: fmt.Sprintf("option %s takes a whole number from %d to %d", a.Name, lo, hi)}}
	}
	return int(v.Int()), nil
}

// Position is the position of an option of a list, or other if it is not in the list.
func Position(list []ast.Option, name string, other ast.Pos) ast.Pos {
	for _, o := range list {
		if o.Name == name {
			return o.Pos
		}
	}
	return other
}
