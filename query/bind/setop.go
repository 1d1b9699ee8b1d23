package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// setOperations plans UNION, INTERSECT and EXCEPT, of which INTERSECT binds most.
func (b *Binder) setOperations(sel *ast.Select) (plan.Node, error) {
	first := *sel
	first.OrderBy, first.Limit, first.Offset, first.Per, first.Ties = nil, nil, nil, nil, false
	n, err := b.core(&first, &first)
	if err != nil {
		return nil, err
	}
	branches := []plan.Node{n}
	for _, u := range sel.Unions {
		if n, err = b.core(u.Select, u.Select); err != nil {
			return nil, err
		}
		branches = append(branches, n)
	}
	cols, err := b.unite(branches, sel.Unions)
	if err != nil {
		return nil, err
	}
	left := branches[0]
	for i := 0; i < len(sel.Unions); {
		u := sel.Unions[i]
		right, next, err := b.intersections(sel.Unions, branches[1:], i, left, cols)
		if err != nil {
			return nil, err
		}
		if i = next; u.Op == "INTERSECT" {
			left = right
			continue
		}
		if left, err = b.combine(u, left, right, cols); err != nil {
			return nil, err
		}
	}
	return b.orderedSet(left, sel)
}

// intersections plans entry i with the INTERSECTs that follow it, which bind more tightly than UNION and EXCEPT, and
// returns the entry after them. If entry i is itself an INTERSECT, left is its left side.
func (b *Binder) intersections(list []ast.Union, sides []plan.Node, i int, left plan.Node,
	cols []plan.Column) (n plan.Node, next int, err error) {
	n = sides[i]
	if list[i].Op == "INTERSECT" {
		if n, err = b.combine(list[i], left, n, cols); err != nil {
			return nil, 0, err
		}
	}
	for i++; i < len(list) && list[i].Op == "INTERSECT"; i++ {
		if n, err = b.combine(list[i], n, sides[i], cols); err != nil {
			return nil, 0, err
		}
	}
	return n, i, nil
}

// unite gives the columns of all branches of set operations, or of all rows of VALUES, their common types, and returns
// the columns. Branch i+1 stands in unions[i].
func (b *Binder) unite(branches []plan.Node, unions []ast.Union) ([]plan.Column, error) {
	first := branches[0].Columns()
	cols := make([]plan.Column, len(first))
	for k, n := range branches[1:] {
		if c := n.Columns(); len(c) != len(first) {
			return nil, plan.Errorf(unions[k].Pos, ast.CodeSyntax, "", "%s joins %d {column|columns} with %d", unions[k].Op,
				len(first), len(c))
		}
	}
	casts := make([][]expr.Expr, len(branches))
	for i := range cols {
		of := make([]expr.Expr, len(branches))
		for k, n := range branches {
			of[k] = columnSource(n, i)
		}
		at := func(k int) ast.Pos {
			if k == 0 {
				return unions[0].Pos
			}
			return itemPos(unions[k-1], i)
		}
		t, err := b.unify(unions[0].Op, of, at)
		if err != nil {
			return nil, err
		}
		for k := range branches {
			casts[k] = append(casts[k], of[k])
		}
		cols[i] = plan.Column{Name: first[i].Name, Type: t, Catalog: first[i].Catalog, Members: first[i].Members}
	}
	for k, n := range branches {
		branches[k] = withColumns(n, casts[k], cols)
	}
	return cols, nil
}

// columnSource is what column i of n is: the constant or parameter that gives it, or the column itself.
func columnSource(n plan.Node, i int) expr.Expr {
	if x := untypedColumn(n, i); x != nil {
		return x
	}
	return plan.Col(n.Columns(), i)
}

// untypedColumn is the literal or parameter that a select has as its column i; nil for another column.
func untypedColumn(n plan.Node, i int) expr.Expr {
	switch n := n.(type) {
	case *plan.Project:
		if untyped(n.Exprs[i]) {
			return n.Exprs[i]
		}
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return untypedColumn(n.Input, c.Index)
		}
	case *plan.Sort:
		return untypedColumn(n.Input, i)
	case *plan.Limit:
		return untypedColumn(n.Input, i)
	case *plan.Distinct:
		return untypedColumn(n.Input, i)
	case *plan.Filter:
		return untypedColumn(n.Input, i)
	case *plan.Rename:
		if _, shared := n.Input.(*plan.CTE); !shared {
			return untypedColumn(n.Input, i)
		}
	}
	return nil
}

// ExpectColumns notes that the columns of n which are parameters have the types of the columns that they fill.
func (b *Binder) ExpectColumns(n plan.Node, fills []plan.Column) {
	for i := range min(len(fills), len(n.Columns())) {
		if x := untypedColumn(n, i); x != nil {
			b.Types.expect(x, fills[i].Type)
		}
	}
}

// withColumns is n with columns of other types, which exprs compute of its own. A projection of one row takes them in.
func withColumns(n plan.Node, exprs []expr.Expr, cols []plan.Column) plan.Node {
	own := n.Columns()
	if p, ok := n.(*plan.Project); ok {
		if _, one := p.Input.(plan.OneRow); one {
			out := &plan.Project{Input: p.Input, Cols: cols}
			for _, x := range exprs {
				out.Exprs = append(out.Exprs, expr.Rewrite(x, func(x expr.Expr) expr.Expr {
					if c, ok := x.(*expr.Col); ok {
						return p.Exprs[c.Index]
					}
					return nil
				}))
			}
			return out
		}
	}
	p, same := &plan.Project{Input: n, Exprs: exprs, Cols: cols}, len(own) == len(cols)
	for i, x := range exprs {
		c, ok := x.(*expr.Col)
		same = same && ok && c.Index == i
	}
	if same {
		return n
	}
	return p
}

// combine plans one set operation.
func (b *Binder) combine(u ast.Union, left, right plan.Node, cols []plan.Column) (plan.Node, error) {
	if w := plan.OpenWorkTable(right); w != nil && u.Op == "EXCEPT" {
		return nil, plan.Errorf(u.Pos, plan.CodeRecursion, "put it on the left side",
			"%s cannot stand on the right side of EXCEPT", w.Name)
	}
	switch {
	case u.Op == "UNION":
	case u.All:
		numbered := append(append([]plan.Column{}, cols...), plan.Column{Name: "row_number", Type: value.Integer})
		return firstColumns(b.groupSides(u.Op, b.numberDuplicates(left, numbered), b.numberDuplicates(right, numbered),
			numbered),
			len(cols)), nil
	default:
		return b.groupSides(u.Op, left, right, cols), nil
	}
	var n plan.Node = &plan.Union{Parts: []plan.Node{left, right}, Cols: cols}
	if !u.All {
		n = &plan.Distinct{Input: n}
	}
	return n, nil
}

// numberDuplicates adds the number of each row among its equals, so that INTERSECT ALL and EXCEPT ALL can count them.
func (b *Binder) numberDuplicates(n plan.Node, cols []plan.Column) plan.Node {
	call := plan.WindowCall{F: b.Catalog.Declared.Functions.Window("row_number"), Frame: plan.DefaultFrame,
		T: value.Integer}
	for i := range n.Columns() {
		call.Partition = append(call.Partition, plan.Col(n.Columns(), i))
	}
	return &plan.Window{Input: n, Calls: []plan.WindowCall{call}, Cols: cols}
}

// groupSides plans INTERSECT and EXCEPT: the rows of both sides are grouped by all columns, and aggregates tell on
// which sides the row of a group occurs.
func (b *Binder) groupSides(op string, left, right plan.Node, cols []plan.Column) plan.Node {
	k := len(cols)
	sided := append(append([]plan.Column{}, cols...), plan.Column{Name: "side", Type: value.Integer})
	agg := &plan.Aggregate{Input: &plan.Union{Parts: []plan.Node{withSide(left, sided, 1), withSide(right, sided, 2)},
		Cols: sided}}
	agg.Cols = append(agg.Cols, cols...)
	for i := range cols {
		agg.Keys = append(agg.Keys, plan.Col(sided, i))
	}
	for _, name := range []string{"min", "max"} {
		agg.Calls = append(agg.Calls, plan.AggregateCall{F: b.Catalog.Declared.Functions.Aggregate(name),
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
	return firstColumns(&plan.Filter{Input: agg, Cond: cond}, k)
}

// withSide adds a column with the number of the side.
func withSide(n plan.Node, cols []plan.Column, side int64) plan.Node {
	p := &plan.Project{Input: n, Cols: cols}
	for i := range cols[:len(cols)-1] {
		p.Exprs = append(p.Exprs, plan.Col(n.Columns(), i))
	}
	p.Exprs = append(p.Exprs, &expr.Const{V: value.Int(side)})
	return p
}

// orderedSet plans ORDER BY and LIMIT of set operations, which name their columns or number them.
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
	ties, err := tieKeys(sel, keys)
	if err != nil {
		return nil, err
	}
	return b.limit(n, sel, per, ties)
}
