package bind

import (
	"math"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/fn/jsonfn"
	"parlance/query/fn/textfn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// bindOf binds a call of the function that an operator or other syntax stands for.
func (b *Binder) bindOf(f *fn.Func, s *scope, args ...ast.Expr) (expr.Expr, error) {
	bound, err := b.bindAll(args, s)
	if err != nil {
		return nil, err
	}
	types := make([]value.Type, len(bound))
	for i, x := range bound {
		types[i] = x.Type()
	}
	t, err := f.Check(types)
	if err != nil {
		return nil, plan.Errorf(args[0].Position(), plan.CodeType, "", "%v", err)
	}
	if f.Result == fn.Any {
		t = value.Null // what a member is shows in the row
	}
	return &expr.Call{F: f, Args: bound, T: t, Pos: args[0].Position()}, nil
}

func (b *Binder) bindArray(e *ast.Array, s *scope) (expr.Expr, error) {
	if e.Select != nil {
		return b.bindSub(e.Select, expr.ArraySubquery, s)
	}
	if len(e.Items) == 0 {
		v, err := jsonfn.Array(nil)
		return &expr.Const{V: v}, err
	}
	bound, err := b.bindAll(e.Items, s)
	if err != nil {
		return nil, err
	}
	if _, err := b.unify("ARRAY", bound, func(i int) ast.Pos { return e.Items[i].Position() }); err != nil {
		return nil, err
	}
	return &expr.Call{F: jsonfn.ArrayOf, Args: bound, T: value.JSON, Pos: e.Items[0].Position()}, nil
}

// bindSubscript binds a member of an array or a slice of one.
func (b *Binder) bindSubscript(e *ast.Subscript, s *scope) (expr.Expr, error) {
	if !e.Slice {
		return b.bindOf(jsonfn.ArrayItem, s, e.X, e.Index)
	}
	if of, ok := e.X.(*ast.Subscript); ok && of.Slice {
		return nil, plan.Errorf(e.Pos, plan.CodeFeature, "take the members one by one: x[1][2:3]",
			"a slice of a slice would cut the members of the members")
	}
	from, to := e.Index, e.To
	if from == nil {
		from = &ast.Literal{Pos: e.Pos, Value: int64(math.MinInt64)}
	}
	if to == nil {
		to = &ast.Literal{Pos: e.Pos, Value: int64(math.MaxInt64)}
	}
	return b.bindOf(jsonfn.ArraySlice, s, e.X, from, to)
}

// bindQuantified binds x op ANY (…) and x op ALL (…) over an array or a select; = ANY of a list or select is IN.
func (b *Binder) bindQuantified(e *ast.Quantified, s *scope) (expr.Expr, error) {
	list, _ := e.Array.(*ast.Array)
	in := &ast.In{Pos: e.Pos, X: e.X, Not: e.All}
	if e.Op == "=" && !e.All || e.Op == "<>" && e.All {
		switch {
		case e.Select != nil:
			in.Select = e.Select
			return b.bindIn(in, s)
		case list != nil && list.Select != nil:
			in.Select = list.Select
			return b.bindIn(in, s)
		case list != nil && len(list.Items) > 0:
			in.List = list.Items
			return b.bindIn(in, s)
		}
	}
	if strings.HasPrefix(e.Op, "IS ") {
		return nil, plan.Errorf(e.Pos, plan.CodeFeature, "", "operator %s takes no ANY or ALL", e.Op)
	}
	x, err := b.bind(e.X, s)
	if err != nil {
		return nil, err
	}
	sel := e.Select
	if list != nil && list.Select != nil {
		sel = list.Select
	}
	if sel != nil {
		return b.quantifiedSelect(e, x, sel, s)
	}
	y, err := b.bind(e.Array, s)
	if err != nil {
		return nil, err
	}
	if t := y.Type(); t != value.JSON && t != value.Text && t != value.Null {
		return nil, plan.Errorf(e.Array.Position(), plan.CodeType, "write ARRAY[…] or '{a,b}'",
			"%s is %s, an array is wanted", e.Array, t)
	}
	if x, err = b.comparableArray(e, x, y); err != nil {
		return nil, err
	}
	return &expr.Quantified{Op: e.Op, All: e.All, X: x, Array: y}, nil
}

// quantifiedSelect binds x op ANY (SELECT …), of other operators than those of IN.
func (b *Binder) quantifiedSelect(e *ast.Quantified, x expr.Expr, sel *ast.Select, s *scope) (expr.Expr, error) {
	wanted := typeOf(x)
	if !compares(e.Op) {
		wanted = value.Text
	}
	array, err := b.bindSet(sel, expr.ArraySubquery, wanted, false, s)
	if err != nil {
		return nil, err
	}
	if compares(e.Op) {
		if x, err = b.comparableMember(e.Pos, e.X, x, sel, array.Member); err != nil {
			return nil, err
		}
	}
	return &expr.Quantified{Op: e.Op, All: e.All, X: x, Array: array}, nil
}

// compares reports whether an operator compares values, not texts with patterns.
func compares(op string) bool {
	switch op {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

// comparableArray prepares x for comparisons with the members of an array, as far as their types are known.
func (b *Binder) comparableArray(e *ast.Quantified, x, array expr.Expr) (expr.Expr, error) {
	if !compares(e.Op) {
		return x, nil
	}
	call, ok := array.(*expr.Call)
	if list, written := e.Array.(*ast.Array); written && ok && call.F == jsonfn.ArrayOf {
		for i, y := range call.Args {
			u, _, err := b.comparable(e.Pos, e.X, list.Items[i], x, y)
			if err != nil {
				return nil, err
			}
			x = u
		}
		return x, nil
	}
	if cast, written := e.Array.(*ast.Cast); written && cast.Type.Array {
		t, err := CastType(cast.Type)
		if err != nil || objectTypes[cast.Type.Name] {
			return x, nil
		}
		x, _, err = b.comparable(e.Pos, e.X, e.Array, x, &expr.Col{Name: "member", T: t})
		return x, err
	}
	return x, checkMembers(e.Array, x, array)
}

// checkMembers refuses a constant array with texts that x cannot be compared with.
func checkMembers(array ast.Expr, x, y expr.Expr) error {
	c, ok := y.(*expr.Const)
	t := x.Type()
	if !ok || t == value.Null || t == value.JSON {
		return nil
	}
	items, err := jsonfn.Items(c.V)
	for i := 0; i < len(items) && err == nil; i++ {
		if items[i].T == value.Text {
			_, err = value.Cast(items[i], t)
		}
	}
	if err != nil {
		return plan.Errorf(array.Position(), plan.CodeType, "", "cannot compare %s (%s) with the members of %s: %v",
			x, t, y, err)
	}
	return nil
}

// concat binds ||: of arrays, of an array and a number or boolean, of bytes, else of texts.
func (b *Binder) concat(e *ast.Binary, x, y expr.Expr, s *scope) (expr.Expr, error) {
	scalar := func(t value.Type) bool { return t == value.Integer || t == value.Float || t == value.Boolean }
	named := b.Catalog.Declared.Functions.Scalar
	switch tx, ty := x.Type(), y.Type(); {
	case tx == value.JSON && ty == value.JSON, isArray(e.X) && isArrayText(y), isArray(e.Y) && isArrayText(x):
		return b.bindOf(named(jsonfn.ArrayCat), s, e.X, e.Y)
	case tx == value.JSON && scalar(ty):
		return b.bindOf(named(jsonfn.ArrayAppend), s, e.X, e.Y)
	case scalar(tx) && ty == value.JSON:
		return b.bindOf(named(jsonfn.ArrayPrepend), s, e.X, e.Y)
	case ty == value.Text && isArray(e.X):
		return b.bindOf(named(jsonfn.ArrayAppend), s, e.X, e.Y)
	case tx == value.Text && isArray(e.Y):
		return b.bindOf(named(jsonfn.ArrayPrepend), s, e.X, e.Y)
	case tx == value.Bytes && ty == value.Bytes:
		return b.bindOf(textfn.BytesCat, s, e.X, e.Y)
	}
	return &expr.Concat{X: x, Y: y}, nil
}

// isDeletion reports whether - takes a key, a place or an array of keys out of JSON.
func isDeletion(e *ast.Binary, x, y expr.Expr) bool {
	if e.Op != "-" || x.Type() != value.JSON {
		return false
	}
	t := y.Type()
	return t == value.Text || t == value.Integer || t == value.JSON && isArray(e.Y)
}

// isArray reports whether e is written as an array; in other JSON, || joins texts.
func isArray(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Array:
		return true
	case *ast.Cast:
		return e.Type.Array
	case *ast.Binary:
		return e.Op == "||" && (isArray(e.X) || isArray(e.Y))
	}
	return false
}

// isArrayText reports whether x is a constant text that is written as an array.
func isArrayText(x expr.Expr) bool {
	v, ok := expr.ConstantValue(x)
	return ok && v.T == value.Text && strings.HasPrefix(v.S, "{")
}

// bindCollate checks the name: texts compare by code point, which is what each of these means.
func (b *Binder) bindCollate(e *ast.Collate, s *scope) (expr.Expr, error) {
	switch e.Name {
	case "default", "C", "POSIX", "ucs_basic":
		if plainSchema(e.Schema) {
			return b.bind(e.X, s)
		}
	}
	return nil, plan.Errorf(e.Pos, plan.CodeUndefinedObject, `collations: "default", "C", "POSIX", ucs_basic`,
		"there is no collation %s", e.Name)
}

// keywordFunctions are functions that are called without parentheses, such as current_date, unless a column has the
// name.
var keywordFunctions = map[string]string{
	"current_user": "current_user", "session_user": "session_user", "user": "current_user",
	"current_role":    "current_user",
	"current_catalog": "current_database", "current_schema": "current_schema",
	"current_timestamp": "current_timestamp", "localtimestamp": "localtimestamp", "current_date": "current_date",
}

// keywordFunction binds a call of one; ok is false for another name.
func (b *Binder) keywordFunction(c *ast.Column) (expr.Expr, bool) {
	name := keywordFunctions[strings.ToLower(c.Parts[0])]
	if len(c.Parts) != 1 || name == "" {
		return nil, false
	}
	x, err := b.bindCall(&ast.Call{Pos: c.Pos, Name: name}, &scope{})
	return x, err == nil
}
