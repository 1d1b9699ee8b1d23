package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn/jsonfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// The types of what is compared and of what stands in one column follow one rule, that of PostgreSQL (documentation,
// "Type Conversion", sections on operators and on UNION, CASE and related constructs). A text literal, NULL and a
// parameter have no type of their own and take that of what they meet, text if they meet nothing. An integer and a
// float make floats where they share a column, and are compared as they are. Other types do not meet: an error.

// untyped reports whether x has no type of its own.
func untyped(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Const:
		return x.T == value.Null && (x.V.IsNull() || x.V.T == value.Text)
	case *expr.Param:
		return x.T == value.Null
	}
	return false
}

// typeOf is the type of x, Null where it has none of its own.
func typeOf(x expr.Expr) value.Type {
	if untyped(x) {
		return value.Null
	}
	return x.Type()
}

// meet is the type of a column that holds values of both types; ok is false if none does.
func meet(a, b value.Type) (t value.Type, ok bool) {
	switch {
	case a == value.Null || a == b:
		return b, true
	case b == value.Null:
		return a, true
	case isNumber(a) && isNumber(b):
		return value.Float, true
	}
	return 0, false
}

func isNumber(t value.Type) bool { return t == value.Integer || t == value.Float }

// unify gives expressions that share a column their common type, and returns it: Null if none of them has one before
// the statement runs. at is the place of an expression, for errors; what is the construct that they stand in.
func (b *Binder) unify(what string, list []expr.Expr, at func(i int) ast.Pos) (value.Type, error) {
	t := value.Null
	for i, x := range list {
		both, ok := meet(t, typeOf(x))
		if !ok {
			return 0, cannotMatch(at(i), what, t, x.Type())
		}
		t = both
	}
	if t == value.Null && hasText(list) {
		t = value.Text
	}
	if t == value.Null {
		agree(list)
		return t, nil
	}
	for i, x := range list {
		var err error
		if list[i], err = b.become(x, t, at(i)); err != nil {
			return 0, err
		}
	}
	return t, nil
}

// cannotMatch is the error of a column of two types.
func cannotMatch(pos ast.Pos, what string, t, u value.Type) error {
	return plan.Errorf(pos, plan.CodeType, "cast one: CAST(x AS type)", "%s types %s and %s cannot be matched", what, t, u)
}

// hasText reports whether a constant text is among expressions.
func hasText(list []expr.Expr) bool {
	for _, x := range list {
		if v, ok := expr.ConstantValue(x); ok && v.T == value.Text {
			return true
		}
	}
	return false
}

// become is x as a value of a type that it meets.
func (b *Binder) become(x expr.Expr, t value.Type, pos ast.Pos) (expr.Expr, error) {
	if v, ok := expr.ConstantValue(x); ok {
		k, err := constantAs(v, t)
		if err != nil {
			return nil, plan.Errorf(pos, plan.CodeType, "", "%v", err)
		}
		return k, nil
	}
	b.Types.expect(x, t)
	switch {
	case x.Type() == t:
		return x, nil
	case x.Type() == value.Null && !untyped(x):
		return &expr.Aligned{X: x, T: t, Pos: pos}, nil
	}
	return &expr.Cast{X: x, T: t, Pos: pos}, nil
}

// constantAs is a constant as a value of a type. A text may be an array as PostgreSQL writes one.
func constantAs(v value.Value, t value.Type) (*expr.Const, error) {
	k, err := value.Cast(v, t)
	if items, braced := jsonfn.Items(v); err != nil && t == value.JSON && braced == nil {
		k, err = jsonfn.Array(items)
	}
	return &expr.Const{V: k, T: t}, err
}

// agree makes expressions whose types show when the statement runs give values of one type.
func agree(list []expr.Expr) {
	var params []expr.Expr
	for _, x := range list {
		if _, ok := x.(*expr.Param); ok {
			params = append(params, x)
		}
	}
	for i, x := range list {
		if _, ok := expr.ConstantValue(x); !ok && len(list) > 1 {
			list[i] = &expr.Agreed{X: x, With: params}
		}
	}
}

// comparable prepares the operands of a comparison. ex and ey are what the statement writes, for errors.
func (b *Binder) comparable(pos ast.Pos, ex, ey ast.Expr, x, y expr.Expr) (expr.Expr, expr.Expr, error) {
	if x.Type() != y.Type() {
		x, y = objectNumber(x), objectNumber(y)
	}
	tx, ty := x.Type(), y.Type()
	switch {
	case tx == ty || isNumber(tx) && isNumber(ty) || varies(x) || varies(y):
		return x, y, nil
	case tx == value.Null:
		return &expr.Aligned{X: x, T: ty, Pos: pos}, y, nil
	case ty == value.Null:
		return x, &expr.Aligned{X: y, T: tx, Pos: pos}, nil
	}
	kx, constX := x.(*expr.Const)
	ky, constY := y.(*expr.Const)
	var err error
	switch {
	case constY && (untyped(y) || ty != value.Text && tx != value.Text):
		y, err = constantAs(ky.V, tx)
	case constX && (untyped(x) || tx != value.Text && ty != value.Text):
		x, err = constantAs(kx.V, ty)
	default:
		return nil, nil, plan.Errorf(pos, plan.CodeType, "cast one side: CAST(x AS type)",
			"cannot compare %s (%s) with %s (%s)", ex, tx, ey, ty)
	}
	if err != nil {
		at := ey
		if !constY {
			at = ex
		}
		return nil, nil, plan.Errorf(at.Position(), plan.CodeType, "", "cannot compare %s (%s) with %s: %v", ex, tx, ey,
			err)
	}
	return x, y, nil
}

// varies reports whether x is NULL or a parameter, whose value is read as the type of the other side when the statement
// runs.
func varies(x expr.Expr) bool {
	v, constant := expr.ConstantValue(x)
	return constant && v.IsNull() && x.Type() == value.Null || !constant && untyped(x)
}

// comparableList prepares the members of IN (…) for comparisons with x, which it returns. Literals are read as the type
// that x and the typed members have together.
func (b *Binder) comparableList(e *ast.In, x expr.Expr, list []expr.Expr) (expr.Expr, error) {
	wanted := typeOf(x)
	for _, y := range list {
		if t, ok := meet(wanted, typeOf(y)); ok {
			wanted = t
		}
	}
	read := func(x expr.Expr) expr.Expr {
		if v, ok := expr.ConstantValue(x); ok && untyped(x) && !v.IsNull() && wanted != value.Null {
			if k, err := constantAs(v, wanted); err == nil {
				return k
			}
		}
		return x
	}
	x = read(x)
	for i, y := range list {
		u, v, err := b.comparable(e.Pos, e.X, e.List[i], x, read(y))
		if err != nil {
			return nil, err
		}
		if list[i] = v; u != x {
			x = u
		}
	}
	return x, nil
}
