package bind

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// setOperations plans UNION, INTERSECT and EXCEPT, of which INTERSECT binds most.
func (b *Binder) setOperations(sel *ast.Select) (plan.Node, error) {
	first := *sel
	first.OrderBy, first.Limit, first.Offset, first.Per, first.Ties = nil, nil, nil, nil, false
	left, err := b.core(&first, &first)
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(sel.Unions); {
		u := sel.Unions[i]
		right, next, err := b.intersections(sel.Unions, i, left)
		if err != nil {
			return nil, err
		}
		if i = next; u.Op == "INTERSECT" {
			left = right
			continue
		}
		if left, err = b.combine(u, left, right); err != nil {
			return nil, err
		}
	}
	return b.orderedSet(left, sel)
}

// intersections plans entry i and the INTERSECTs that follow it, and returns what comes next.
// If the entry is itself an INTERSECT, it goes with left.
func (b *Binder) intersections(list []ast.Union, i int, left plan.Node) (plan.Node, int, error) {
	n, err := b.core(list[i].Select, list[i].Select)
	if err != nil {
		return nil, 0, err
	}
	if list[i].Op == "INTERSECT" {
		if n, err = b.combine(list[i], left, n); err != nil {
			return nil, 0, err
		}
	}
	for i++; i < len(list) && list[i].Op == "INTERSECT"; i++ {
		right, err := b.core(list[i].Select, list[i].Select)
		if err != nil {
			return nil, 0, err
		}
		if n, err = b.combine(list[i], n, right); err != nil {
			return nil, 0, err
		}
	}
	return n, i, nil
}

// combine plans one set operation.
func (b *Binder) combine(u ast.Union, left, right plan.Node) (plan.Node, error) {
	l, r := left.Columns(), right.Columns()
	if len(l) != len(r) {
		return nil, plan.Errorf(u.Pos, ast.CodeSyntax, "", "%s joins %d columns with %d", u.Op, len(l), len(r))
	}
	cols := make([]plan.Column, len(l))
	for i := range cols {
		t := common(l[i].Type, r[i].Type)
		switch {
		case literals(right, i, l[i].Type):
			t = l[i].Type
		case literals(left, i, r[i].Type):
			t = r[i].Type
		}
		cols[i] = plan.Column{Name: l[i].Name, Type: t}
	}
	left, right = cast(left, cols), cast(right, cols)
	if w := plan.OpenWorkTable(right); w != nil && u.Op == "EXCEPT" {
		return nil, plan.Errorf(u.Pos, plan.CodeRecursion, "put it on the left side",
			"%s cannot stand on the right side of EXCEPT", w.Name)
	}
	switch {
	case u.Op == "UNION":
	case u.All:
		numbered := append(append([]plan.Column{}, cols...), plan.Column{Name: "row_number", Type: value.Integer})
		return leading(b.compareSides(u.Op, b.eachNumbered(left, numbered), b.eachNumbered(right, numbered), numbered),
			len(cols)), nil
	default:
		return b.compareSides(u.Op, left, right, cols), nil
	}
	var n plan.Node = &plan.Union{Parts: []plan.Node{left, right}, Cols: cols}
	if !u.All {
		n = &plan.Distinct{Input: n}
	}
	return n, nil
}

// literals reports whether column i of a select, or of each of several, is a constant text that reads as a value of
// a type other than a number, whose column it then joins.
func literals(n plan.Node, i int, t value.Type) bool {
	switch n := n.(type) {
	case *plan.Project:
		return literal(n.Exprs[i], t) != nil
	case *plan.Union:
		return !slices.ContainsFunc(n.Parts, func(part plan.Node) bool { return !literals(part, i, t) })
	}
	return false
}

// eachNumbered numbers equal rows, so that INTERSECT ALL and EXCEPT ALL tell them apart.
func (b *Binder) eachNumbered(n plan.Node, cols []plan.Column) plan.Node {
	call := plan.WindowCall{F: b.Catalog.Functions().Window("row_number"), Frame: plan.DefaultFrame, T: value.Integer}
	for i := range n.Columns() {
		call.Partition = append(call.Partition, plan.Col(n.Columns(), i))
	}
	return &plan.Window{Input: n, Calls: []plan.WindowCall{call}, Cols: cols}
}

// compareSides plans INTERSECT and EXCEPT: rows of both sides are grouped, and the groups
// tell on which sides their row stands.
func (b *Binder) compareSides(op string, left, right plan.Node, cols []plan.Column) plan.Node {
	k := len(cols)
	sided := append(append([]plan.Column{}, cols...), plan.Column{Name: "side", Type: value.Integer})
	agg := &plan.Aggregate{Input: &plan.Union{Parts: []plan.Node{marked(left, sided, 1), marked(right, sided, 2)},
		Cols: sided}}
	agg.Cols = append(agg.Cols, cols...)
	for i := range cols {
		agg.Keys = append(agg.Keys, plan.Col(sided, i))
	}
	for _, name := range []string{"min", "max"} {
		agg.Calls = append(agg.Calls, plan.AggregateCall{F: b.Catalog.Functions().Aggregate(name),
			Args: []expr.Expr{plan.Col(sided, k)}, T: value.Integer})
		agg.Cols = append(agg.Cols, plan.Column{Name: name + "(side)", Type: value.Integer})
	}
	is := func(i int, n int64) expr.Expr {
		return &expr.Compare{Op: "=", X: plan.Col(agg.Cols, i), Y: &expr.Const{V: value.Int(n)}}
	}
	cond := is(k+1, 1) // EXCEPT: on the left only
	if op == "INTERSECT" {
		cond = expr.And([]expr.Expr{is(k, 1), is(k+1, 2)})
	}
	return leading(&plan.Filter{Input: agg, Cond: cond}, k)
}

// marked adds a column with the number of a side.
func marked(n plan.Node, cols []plan.Column, side int64) plan.Node {
	p := &plan.Project{Input: n, Cols: cols}
	for i := range cols[:len(cols)-1] {
		p.Exprs = append(p.Exprs, plan.Col(n.Columns(), i))
	}
	p.Exprs = append(p.Exprs, &expr.Const{V: value.Int(side)})
	return p
}

// orderedSet plans what stands behind set operations: columns are named or numbered.
func (b *Binder) orderedSet(n plan.Node, sel *ast.Select) (plan.Node, error) {
	cols := n.Columns()
	column := func(e ast.Expr) (int, error) {
		i, err := ordinal(e, cols)
		if err != nil || i >= 0 {
			return i, err
		}
		c, ok := e.(*ast.Column)
		if !ok {
			return -1, plan.Errorf(e.Position(), plan.CodeFeature, "SELECT … FROM (SELECT … UNION …) s ORDER BY …",
				"what UNION gives is ordered by a column's name or number")
		}
		return (&scope{cols: cols}).find(c)
	}
	var keys []plan.SortKey
	for _, o := range sel.OrderBy {
		i, err := column(o.Expr)
		if err != nil {
			return nil, err
		}
		keys = append(keys, sortKey(i, o))
	}
	if len(keys) > 0 {
		n = &plan.Sort{Input: n, Keys: keys, Keep: len(cols)}
	}
	var per []int
	for _, e := range sel.Per {
		i, err := column(e)
		if err != nil {
			return nil, err
		}
		per = append(per, i)
	}
	ties, err := tied(sel, keys)
	if err != nil {
		return nil, err
	}
	return b.limit(n, sel, per, ties)
}
