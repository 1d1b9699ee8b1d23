package bind

import (
	"strings"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// arguments binds the arguments of a relation by place and by name; those left out are NULL.
func (b *Binder) arguments(ref ast.Ref, decl []kind.Arg) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(decl))
	for i, a := range ref.Args {
		k := i
		if a.Name != "" {
			if k = argIndex(decl, a.Name); k < 0 {
				return nil, plan.Errorf(a.Pos, plan.CodeUndefinedFunction, argHint(a.Name, decl),
					"%s has no argument %s", ref.Path, a.Name)
			}
		}
		if k >= len(decl) {
			return nil, plan.Errorf(a.Pos, plan.CodeUndefinedFunction, argHint("", decl),
				"%s takes %d {argument|arguments}, not %d", ref.Path, len(decl), len(ref.Args))
		}
		if out[k] != nil {
			return nil, plan.Errorf(a.Pos, plan.CodeUndefinedFunction, "", "argument %s is given twice", decl[k].Name)
		}
		x, err := b.bind(a.Value, &scope{})
		if err != nil {
			return nil, err
		}
		x = b.declared(x, decl[k].Type)
		if x.Type() == value.Integer && decl[k].Type == value.Float {
			x = &expr.Cast{X: x, T: value.Float}
		}
		if x.Type() == value.Text && decl[k].Type == value.Interval {
			x = &expr.Cast{X: x, T: value.Interval, Pos: a.Pos}
		}
		if t := x.Type(); t != decl[k].Type && t != value.Null && decl[k].Type != value.Null {
			v, ok := expr.ConstantValue(x)
			if !ok {
				return nil, plan.Errorf(a.Pos, plan.CodeType, "", "argument %s is %s, %s is wanted", decl[k].Name, t,
					decl[k].Type)
			}
			if v, err = value.Cast(v, decl[k].Type); err != nil {
				return nil, plan.Errorf(a.Pos, plan.CodeType, "", "argument %s: %v", decl[k].Name, err)
			}
			x = &expr.Const{V: v}
		}
		out[k] = x
	}
	for i := range out {
		if out[i] == nil {
			if !decl[i].Optional {
				return nil, plan.Errorf(ref.Pos, plan.CodeUndefinedFunction, argHint("", decl), "%s needs argument %s",
					ref.Path, decl[i].Name)
			}
			out[i] = &expr.Const{}
		}
	}
	return out, nil
}

func argIndex(decl []kind.Arg, name string) int {
	for i := range decl {
		if decl[i].Name == name {
			return i
		}
	}
	return -1
}

func argHint(name string, decl []kind.Arg) string {
	if len(decl) == 0 {
		return "it takes no arguments"
	}
	names := make([]string, len(decl))
	for i, d := range decl {
		names[i] = d.Name
	}
	if s := option.Closest(name, names); s != "" {
		return "did you mean " + s + "?"
	}
	return "arguments: " + strings.Join(names, ", ")
}
