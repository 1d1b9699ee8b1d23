package bind

import (
	"strconv"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Functions that give rows may stand in the select list and in ORDER BY: the row is repeated for each of theirs. Those
// among the keys of GROUP BY are computed before the rows are grouped, others after that, so they may take aggregates.

// rowsTable is the alias of what functions of a select list give, argsTable that of their arguments over groups.
const (
	rowsTable = "#rows"
	argsTable = "#args"
)

// rowCalls appends the calls in e of functions that give rows; one that is written twice counts once.
func (b *Binder) rowCalls(calls []*ast.Call, e ast.Expr) ([]*ast.Call, error) {
	var err error
	walk(e, func(x ast.Expr) {
		c, ok := x.(*ast.Call)
		switch {
		case !ok || err != nil:
		case givesRows(c):
			for _, known := range calls {
				if known.String() == c.String() {
					return
				}
			}
			calls = append(calls, c)
		}
		if inside := b.valueOnly(x); inside != "" && err == nil {
			err = b.refuseRows(x, inside)
		}
	})
	return calls, err
}

// givesRows reports whether a call outside of FROM is one of a function that gives rows.
func givesRows(c *ast.Call) bool {
	return rowFunction(c.Schema, c.Name).rows(c) && c.Over == nil && !c.Star
}

// valueOnly is what e is if no function that gives rows can stand in it: its operands may not be computed, or are
// computed before rows are made. It is empty for other expressions.
func (b *Binder) valueOnly(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Case:
		return "CASE"
	case *ast.Call:
		switch f := b.Catalog.Declared.Functions; {
		case e.Over != nil:
			return "a window function"
		case plainSchema(e.Schema) && f.Aggregate(e.Name) != nil:
			return "an aggregate"
		case givesRows(e):
			return "another function that gives rows"
		case f.Scalar(e.Name) != nil && f.Scalar(e.Name).First:
			return e.Name
		}
	}
	return ""
}

// refuseRows refuses functions that give rows among the operands of e.
func (b *Binder) refuseRows(e ast.Expr, inside string) error {
	var err error
	walk(e, func(x ast.Expr) {
		if c, ok := x.(*ast.Call); ok && x != e && err == nil && givesRows(c) {
			err = plan.Errorf(c.Pos, plan.CodeFeature, "put it into FROM: FROM …, LATERAL "+c.Name+"(…)",
				"%s gives rows and cannot stand in %s", c.Name, inside)
		}
	})
	return err
}

// misplacedRows is the error of a function that gives rows where only values can stand; nil for another function.
func misplacedRows(c *ast.Call) error {
	if !givesRows(c) {
		return nil
	}
	return plan.Errorf(c.Pos, plan.CodeFeature, "functions that give rows stand in FROM, in a select list or in ORDER BY",
		"%s gives rows and cannot stand here", c.Name)
}

// selectRows lists the functions that give rows of a select: those of the keys of GROUP BY, and the others of the
// select list and of ORDER BY.
func (b *Binder) selectRows(s *scope, sel *ast.Select, items []ast.Item, order []ast.Order) (keys, others []*ast.Call,
	err error) {
	if sel.Having != nil {
		calls, err := b.rowCalls(nil, sel.Having)
		if err == nil && len(calls) > 0 {
			err = misplacedRows(calls[0])
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, e := range sel.GroupBy {
		if keys, err = b.keyRows(keys, e, s, items); err != nil {
			return nil, nil, err
		}
	}
	all := keys
	for _, it := range items {
		if all, err = b.rowCalls(all, it.Expr); err != nil {
			return nil, nil, err
		}
	}
	for _, o := range order {
		if all, err = b.rowCalls(all, o.Expr); err != nil {
			return nil, nil, err
		}
	}
	return keys, all[len(keys):], nil
}

// keyRows appends the calls of one entry of GROUP BY.
func (b *Binder) keyRows(calls []*ast.Call, e ast.Expr, s *scope, items []ast.Item) ([]*ast.Call, error) {
	if t, ok := e.(*ast.Tuple); ok {
		for _, x := range t.Items {
			var err error
			if calls, err = b.keyRows(calls, x, s, items); err != nil {
				return nil, err
			}
		}
		return calls, nil
	}
	e, err := groupKey(e, s, items)
	if err != nil {
		return nil, err
	}
	return b.rowCalls(calls, e)
}

// expandRows joins each row of n to those of the calls, which go side by side, NULL where one ends before another. The
// scope that it returns knows the calls as columns.
func (b *Binder) expandRows(n plan.Node, s *scope, calls []*ast.Call) (plan.Node, *scope, error) {
	if len(calls) == 0 {
		return n, s, nil
	}
	joined, err := b.joinRows(n, calls)
	if err != nil {
		return nil, nil, err
	}
	out := &scope{cols: joined.Columns(), mark: plan.ReadMarker(joined)}
	out.nameRows(calls)
	return joined, out, nil
}

// expandGroups is expandRows over groups. The arguments are computed first, as columns behind those of the groups.
func (b *Binder) expandGroups(n plan.Node, s *scope, calls []*ast.Call) (plan.Node, error) {
	if len(calls) == 0 {
		return n, nil
	}
	p := &plan.Project{Input: n}
	for i, c := range s.cols {
		p.Exprs, p.Cols = append(p.Exprs, plan.Col(s.cols, i)), append(p.Cols, c)
	}
	over := make([]*ast.Call, len(calls))
	for i, c := range calls {
		own := *c
		own.Args = nil
		for _, a := range c.Args {
			x, err := b.bind(a.Value, s)
			if err != nil {
				return nil, err
			}
			name := "a" + strconv.Itoa(len(p.Cols))
			p.Exprs = append(p.Exprs, x)
			p.Cols = append(p.Cols, plan.Column{Table: argsTable, Name: name, Type: x.Type(), Hidden: true})
			a.Value = &ast.Column{Pos: a.Pos, Parts: []string{argsTable, name}}
			own.Args = append(own.Args, a)
		}
		over[i] = &own
	}
	joined, err := b.joinRows(p, over)
	if err != nil {
		return nil, err
	}
	s.cols = joined.Columns()
	s.nameRows(calls)
	return joined, nil
}

// expandWindows is expandGroups over the rows of windows: window functions see each row once.
func (b *Binder) expandWindows(n plan.Node, s *scope, items []ast.Item, order []ast.Order,
	calls []*ast.Call) (plan.Node, error) {
	if err := b.collectAggregates(s, calls); err != nil {
		return nil, err
	}
	for _, it := range items {
		if _, err := b.bind(it.Expr, s); err != nil {
			return nil, err
		}
	}
	for _, o := range order {
		if c, ok := o.Expr.(*ast.Column); ok && len(c.Parts) == 1 && aliased(items, c.Parts[0]) {
			continue
		}
		if _, err := b.bind(o.Expr, s); err != nil {
			return nil, err
		}
	}
	n = s.windows.nodesOver(n)
	if mark, own := s.mark, len(s.cols); mark != nil {
		s.mark = func(i int) {
			if i < own {
				mark(i)
			}
		}
	}
	s.cols = n.Columns()
	return b.expandGroups(n, s, calls)
}

// joinRows joins the rows of n to those of the calls, whose arguments may read its columns.
func (b *Binder) joinRows(n plan.Node, calls []*ast.Call) (plan.Node, error) {
	f := &outerQuery{parent: b.outer, scope: &scope{cols: n.Columns(), mark: plan.ReadMarker(n)}}
	b.outer = f
	right, err := b.sideBySide(calls)
	b.outer = f.parent
	if err != nil {
		return nil, err
	}
	return b.join(&ast.Join{Pos: calls[0].Pos, Kind: "CROSS"}, n, right, f.args)
}

// nameRows makes the last columns of a scope what calls give.
func (s *scope) nameRows(calls []*ast.Call) {
	s.rows = map[string]int{}
	for i, c := range calls {
		s.rows[c.String()] = len(s.cols) - len(calls) + i
	}
}

// rowsColumn is the column that a call gives; nil for an expression that is none of them.
func (s *scope) rowsColumn(e ast.Expr) expr.Expr {
	c, ok := e.(*ast.Call)
	if !ok || s.rows == nil {
		return nil
	}
	i, ok := s.rows[c.String()]
	if !ok {
		return nil
	}
	if i < 0 { // while aggregates are collected
		return &expr.Const{}
	}
	if s.mark != nil {
		s.mark(i)
	}
	return plan.Col(s.cols, i)
}

// collectAggregates binds the arguments of calls, so that their aggregates are computed with the groups.
func (b *Binder) collectAggregates(s *scope, calls []*ast.Call) error {
	s.rows = map[string]int{}
	for _, c := range calls {
		for _, a := range c.Args {
			if _, err := b.bind(a.Value, s); err != nil {
				return err
			}
		}
	}
	for _, c := range calls {
		s.rows[c.String()] = -1
	}
	return nil
}

// sideBySide is one relation of the rows of all calls. A function of several columns gives one:
// an object.
func (b *Binder) sideBySide(calls []*ast.Call) (*plan.Relation, error) {
	out := &plan.Relation{Name: "rows from", Function: true, Rows: true}
	for i, c := range calls {
		f, err := b.overload(rowFunction(c.Schema, c.Name), c.Args)
		if err != nil {
			return nil, err
		}
		part, err := b.rowCall(f, c.Pos, c.Args)
		if err != nil {
			return nil, err
		}
		part.Cols = f.Columns
		col := plan.Column{Table: rowsTable, Name: "f" + strconv.Itoa(i), Type: value.JSON, Hidden: true}
		if len(f.Columns) == 1 {
			col.Type = f.Columns[0].Type
		}
		out.Parts, out.Cols = append(out.Parts, part), append(out.Cols, col)
		out.Args = append(out.Args, part.Args...)
	}
	return out, nil
}
