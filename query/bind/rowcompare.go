package bind

import (
	"fmt"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
)

// bindRows binds a comparison of rows, from left to right.
func (b *Binder) bindRows(e *ast.Binary, x *ast.Tuple, s *scope) (expr.Expr, error) {
	if sub, ok := e.Y.(*ast.Subselect); ok {
		return b.bindRowOf(e, x, sub.Select, s)
	}
	y, err := fields(e.Y, x)
	if err != nil {
		return nil, err
	}
	out, ok := compareRows(e.Op, x.Items, y.Items)
	if !ok {
		return nil, plan.Errorf(e.Pos, plan.CodeFeature, "rows are compared with = <> < <= > >=",
			"operator %s takes no rows", e.Op)
	}
	return b.bind(out, s)
}

// bindRowOf binds a comparison with the one row of a select: NULL if it has none.
func (b *Binder) bindRowOf(e *ast.Binary, x *ast.Tuple, sel *ast.Select, s *scope) (expr.Expr, error) {
	t, columns := rowTable(sel, x)
	out, ok := compareRows(e.Op, x.Items, columns)
	if !ok {
		return nil, plan.Errorf(e.Pos, plan.CodeFeature, "rows are compared with = <> < <= > >=",
			"operator %s takes no rows", e.Op)
	}
	return b.bind(&ast.Subselect{Pos: e.Pos,
		Select: &ast.Select{Pos: sel.Pos, Items: []ast.Item{{Pos: e.Pos, Expr: out}}, From: []ast.TableRef{t}}}, s)
}

// nullRow asks whether all fields are NULL, or none is.
func nullRow(t *ast.Tuple, not bool) ast.Expr {
	var out ast.Expr
	for _, x := range t.Items {
		one := ast.Expr(&ast.IsNull{Pos: t.Pos, X: x, Not: not})
		if out == nil {
			out = one
		} else {
			out = &ast.Binary{Pos: t.Pos, Op: "AND", X: out, Y: one}
		}
	}
	return out
}

// fields is the row that y must be, with as many fields as x.
func fields(y ast.Expr, x *ast.Tuple) (*ast.Tuple, error) {
	t, ok := y.(*ast.Tuple)
	if !ok {
		return nil, plan.Errorf(y.Position(), plan.CodeType, "write (a, b) = (1, 2)",
			"%s is no row, a row of %d fields is wanted", y, len(x.Items))
	}
	if len(t.Items) != len(x.Items) {
		return nil, plan.Errorf(y.Position(), ast.CodeSyntax, "", "rows of %d and of %d fields cannot be compared",
			len(x.Items), len(t.Items))
	}
	return t, nil
}

// compareRows compares fields one by one; ok is false for other operators.
func compareRows(op string, x, y []ast.Expr) (out ast.Expr, ok bool) {
	binary := func(op string, x, y ast.Expr) ast.Expr {
		return &ast.Binary{Pos: x.Position(), Op: op, X: x, Y: y}
	}
	last := len(x) - 1
	join := map[string]string{"=": "AND", "<>": "OR", "IS NOT DISTINCT FROM": "AND", "IS DISTINCT FROM": "OR"}[op]
	switch {
	case join != "":
		out = binary(op, x[0], y[0])
		for i := 1; i <= last; i++ {
			out = binary(join, out, binary(op, x[i], y[i]))
		}
		return out, true
	case op != "<" && op != "<=" && op != ">" && op != ">=":
		return nil, false
	}
	out = binary(op, x[last], y[last])
	for i := last - 1; i >= 0; i-- {
		out = binary("OR", binary(op[:1], x[i], y[i]), binary("AND", binary("=", x[i], y[i]), out))
	}
	return out, true
}

// bindRowIn binds (a, b) IN a list of rows or a select.
func (b *Binder) bindRowIn(e *ast.In, x *ast.Tuple, s *scope) (expr.Expr, error) {
	var out ast.Expr
	if e.Select != nil {
		out = rowIn(e, x)
	}
	for _, item := range e.List {
		y, err := fields(item, x)
		if err != nil {
			return nil, err
		}
		same, _ := compareRows("=", x.Items, y.Items)
		if out == nil {
			out = same
		} else {
			out = &ast.Binary{Pos: e.Pos, Op: "OR", X: out, Y: same}
		}
	}
	if e.Not {
		out = &ast.Unary{Pos: e.Pos, Op: "NOT", X: out}
	}
	return b.bind(out, s)
}

// rowIn is true where a row of the select equals x, else NULL where one might, for fields that are NULL.
func rowIn(e *ast.In, x *ast.Tuple) ast.Expr {
	found, same := rowExists(e, x)
	might := *found
	sel := *found.Select
	sel.Where, might.Select = &ast.IsNull{Pos: e.Pos, X: same}, &sel
	return &ast.Case{Pos: e.Pos, Whens: []ast.When{
		{Pos: e.Pos, When: found, Then: &ast.Literal{Pos: e.Pos, Value: true}},
		{Pos: e.Pos, When: &might, Then: &ast.Literal{Pos: e.Pos}}},
		Else: &ast.Literal{Pos: e.Pos, Value: false}}
}

// rowExists is EXISTS (SELECT … FROM the select WHERE its row equals x), and that condition.
func rowExists(e *ast.In, x *ast.Tuple) (*ast.Exists, ast.Expr) {
	t, columns := rowTable(e.Select, x)
	same, _ := compareRows("=", columns, x.Items)
	one := ast.Item{Pos: e.Pos, Expr: &ast.Literal{Pos: e.Pos, Value: int64(1)}}
	return &ast.Exists{Pos: e.Pos,
		Select: &ast.Select{Pos: e.Select.Pos, Items: []ast.Item{one}, From: []ast.TableRef{t}, Where: same}}, same
}

// rowTable is a select as a table, and as many of its columns as x has fields.
func rowTable(sel *ast.Select, x *ast.Tuple) (*ast.Table, []ast.Expr) {
	t := &ast.Table{Pos: sel.Pos, Ref: ast.Ref{Pos: sel.Pos, Select: sel}, Alias: "row in", Exact: true}
	columns := make([]ast.Expr, len(x.Items))
	for i := range columns {
		name := fmt.Sprintf("field %d", i+1)
		t.Columns = append(t.Columns, name)
		columns[i] = &ast.Column{Pos: x.Items[i].Position(), Parts: []string{t.Alias, name}}
	}
	return t, columns
}

// rowMembers replaces (a, b) IN (SELECT …) among the conditions of WHERE by EXISTS: there false is
// as good as NULL.
func rowMembers(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Binary:
		if e.Op == "AND" {
			if x, y := rowMembers(e.X), rowMembers(e.Y); x != e.X || y != e.Y {
				return &ast.Binary{Pos: e.Pos, Op: e.Op, X: x, Y: y}
			}
		}
	case *ast.In:
		if x, ok := e.X.(*ast.Tuple); ok && e.Select != nil && !e.Not {
			found, _ := rowExists(e, x)
			return found
		}
	}
	return e
}
