package bind

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/numfn"
	"parlance/query/fn/textfn"
	"parlance/query/fn/timefn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// bindCall binds the call of a scalar function.
func (b *Binder) bindCall(e *ast.Call, s *scope) (expr.Expr, error) {
	if err := b.notScalar(e); err != nil {
		return nil, err
	}
	f := b.Catalog.Declared.Functions.Scalar(e.Name)
	if f != nil && (f.Name == fn.Match || f.Name == fn.Score) {
		return b.bindSearch(e, s)
	}
	if f == nil && len(e.Args) == 1 && e.Args[0].Name == "" && plainSchema(e.Schema) {
		t := ast.Type{Pos: e.Pos, Name: strings.ToLower(e.Name)}
		if _, err := CastType(t); err == nil || objectTypes[t.Name] {
			return b.bindCast(&ast.Cast{Pos: e.Pos, X: e.Args[0].Value, Type: t}, s)
		}
	}
	if f == nil {
		if err := misplacedRows(e); err != nil {
			return nil, err
		}
		hint := b.misplacedHint(e.Name, "SELECT … FROM %[2]s(TEXT '…')",
			strings.TrimPrefix(b.Catalog.Declared.Functions.Suggest(e.Name), "; "))
		return nil, plan.Errorf(e.Pos, plan.CodeUndefinedFunction, hint, "unknown function %s", e.Name)
	}
	bound, types, err := b.callArguments(e, f, s)
	if err != nil {
		return nil, err
	}
	if f.Name == timefn.Age && len(types) == 1 && types[0] != value.Integer {
		today, err := b.bind(&ast.Call{Pos: e.Pos, Name: "current_date"}, &scope{})
		if err != nil {
			return nil, err
		}
		bound, types = append([]expr.Expr{today}, bound...), append([]value.Type{today.Type()}, types...)
	}
	if f.Name == textfn.SubstringMatch.Name && len(types) == 2 && types[1] == value.Text {
		f = textfn.SubstringMatch
	}
	t, err := f.Check(types)
	if err != nil && f.Other != nil {
		if other, fault := f.Other.Check(types); fault == nil {
			f, t, err = f.Other, other, nil
		}
	}
	if err != nil {
		if absent := ast.Absent(e.Name, e.Pos); absent != nil {
			return nil, absent
		}
		return nil, plan.Errorf(e.Pos, plan.CodeUndefinedFunction, "", "%v", err)
	}
	if f.Name == numfn.SameSentence {
		return expr.And([]expr.Expr{&expr.Compare{Op: "=", X: bound[0], Y: bound[2]},
			&expr.Compare{Op: "=", X: bound[1], Y: bound[3]}}), nil
	}
	if f.Result == fn.Any {
		if t, err = b.commonArguments(e, f, bound); err != nil {
			return nil, err
		}
	}
	return &expr.Call{F: f, Args: bound, T: t, Pos: e.Pos}, nil
}

// commonArguments gives arguments of a function that its value is one of their common type. Two numbers that are
// compared stay as they are.
func (b *Binder) commonArguments(e *ast.Call, f *fn.Func, args []expr.Expr) (value.Type, error) {
	if f.Name == numfn.NullIf && isNumber(args[0].Type()) && isNumber(args[1].Type()) {
		t, _ := meet(args[0].Type(), args[1].Type())
		return t, nil
	}
	return b.unify(strings.ToUpper(f.Name), args, func(i int) ast.Pos { return e.Args[i].Pos })
}

// notScalar refuses what has the form of a call and is none of a scalar function.
func (b *Binder) notScalar(e *ast.Call) error {
	if e.Schema != "" && e.Schema != "pg_catalog" {
		return plan.Errorf(e.Pos, plan.CodeUndefinedFunction, "relations stand in FROM: SELECT … FROM "+e.Schema+"."+
			e.Name+"(…)", "unknown function %s.%s", e.Schema, e.Name)
	}
	if absent := ast.Absent(e.Name, e.Pos); absent != nil && b.Catalog.Declared.Functions.Scalar(e.Name) == nil {
		return absent
	}
	if b.Catalog.Declared.Functions.Window(e.Name) != nil {
		return plan.Errorf(e.Pos, plan.CodeWindow, "write "+e.Name+"(…) OVER (PARTITION BY … ORDER BY …)",
			"%s is a window function and needs OVER", e.Name)
	}
	if e.Within {
		return within(e, nil)
	}
	if e.Filter != nil {
		return plan.Errorf(e.Filter.Position(), plan.CodeWrongKind, "", "FILTER follows an aggregate")
	}
	if b.Catalog.Declared.Functions.Aggregate(e.Name) != nil {
		return plan.Errorf(e.Pos, plan.CodeGrouping, "aggregates stand in the select list, HAVING and ORDER BY",
			"%s is an aggregate and cannot stand here", e.Name)
	}
	if e.Distinct {
		return plan.Errorf(e.Pos, plan.CodeWrongKind, "", "DISTINCT stands in aggregates, and %s is none", e.Name)
	}
	if len(e.OrderBy) > 0 {
		return plan.Errorf(e.OrderBy[0].Expr.Position(), plan.CodeWrongKind, "",
			"ORDER BY stands in aggregates, and %s is none", e.Name)
	}
	return nil
}

// callArguments binds the arguments of a function, constants in the types that it declares.
func (b *Binder) callArguments(e *ast.Call, f *fn.Func, s *scope) (bound []expr.Expr, types []value.Type, err error) {
	args, err := placed(e, f)
	if err != nil {
		return nil, nil, err
	}
	if bound, err = b.bindAll(args, s); err != nil {
		return nil, nil, err
	}
	types = make([]value.Type, len(bound))
	for i, x := range bound {
		if len(f.Args) > 0 {
			bound[i] = adapted(x, f.Args[min(i, len(f.Args)-1)])
		}
		types[i] = bound[i].Type()
	}
	return bound, types, nil
}

// placed are the arguments of a function in their places.
func placed(e *ast.Call, f *fn.Func) ([]ast.Expr, error) {
	args := make([]ast.Expr, 0, len(e.Args))
	for i, a := range e.Args {
		at := i
		if a.Name != "" {
			if f.Names == nil {
				return nil, plan.Errorf(a.Pos, ast.CodeSyntax, "",
					"function %s takes its arguments by place, not by name", f.Name)
			}
			if at = slices.IndexFunc(f.Names,
				func(name string) bool { return strings.EqualFold(name, a.Name) }); at < 0 {
				return nil, plan.Errorf(a.Pos, plan.CodeUndefinedFunction, "arguments: "+strings.Join(f.Names, ", "),
					"%s has no argument %s", f.Name, a.Name)
			}
		} else if i > 0 && e.Args[i-1].Name != "" {
			return nil, plan.Errorf(a.Pos, ast.CodeSyntax, "", "arguments by place stand before those by name")
		}
		for len(args) <= at {
			args = append(args, nil)
		}
		if args[at] != nil {
			return nil, plan.Errorf(a.Pos, plan.CodeUndefinedFunction, "", "argument %s is given twice", a.Name)
		}
		args[at] = a.Value
	}
	for i, x := range args {
		if x == nil {
			args[i] = &ast.Literal{Pos: e.Pos, Value: int64(0)}
		}
	}
	return args, nil
}
