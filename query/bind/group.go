package bind

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// aggregates reports whether an aggregate call stands in the items or in the order.
func (b *Binder) aggregates(items []ast.Item, order []ast.Order) bool {
	found := false
	look := func(e ast.Expr) {
		walk(e, func(x ast.Expr) {
			if c, ok := x.(*ast.Call); ok && plainSchema(c.Schema) && c.Over == nil &&
				b.Catalog.Declared.Functions.Aggregate(c.Name) != nil {
				found = true
			}
		})
	}
	for _, it := range items {
		look(it.Expr)
	}
	for _, o := range order {
		look(o.Expr)
	}
	return found
}

// plainSchema reports whether a schema is that of built-in functions.
func plainSchema(name string) bool { return name == "" || name == "pg_catalog" }

// walk visits e and its operands, but no subselects.
func walk(e ast.Expr, f func(ast.Expr)) {
	if e == nil {
		return
	}
	f(e)
	switch e := e.(type) {
	case *ast.Unary:
		walk(e.X, f)
	case *ast.Binary:
		walk(e.X, f)
		walk(e.Y, f)
	case *ast.Between:
		walk(e.X, f)
		walk(e.Low, f)
		walk(e.High, f)
	case *ast.In:
		walk(e.X, f)
		walkAll(e.List, f)
	case *ast.IsNull:
		walk(e.X, f)
	case *ast.IsBool:
		walk(e.X, f)
	case *ast.Cast:
		walk(e.X, f)
	case *ast.Case:
		walk(e.Operand, f)
		for _, w := range e.Whens {
			walk(w.When, f)
			walk(w.Then, f)
		}
		walk(e.Else, f)
	case *ast.Quantified:
		walk(e.X, f)
		walk(e.Array, f)
	case *ast.Array:
		walkAll(e.Items, f)
	case *ast.Tuple:
		walkAll(e.Items, f)
	case *ast.Subscript:
		walk(e.X, f)
		walk(e.Index, f)
		walk(e.To, f)
	case *ast.Field:
		walk(e.X, f)
	case *ast.Collate:
		walk(e.X, f)
	case *ast.Call:
		walkCall(e, f)
	}
}

// walkAll walks each of es.
func walkAll(es []ast.Expr, f func(ast.Expr)) {
	for _, e := range es {
		walk(e, f)
	}
}

// walkCall walks the arguments, the filter and the window of a call.
func walkCall(e *ast.Call, f func(ast.Expr)) {
	for _, a := range e.Args {
		walk(a.Value, f)
	}
	walk(e.Filter, f)
	if e.Over != nil {
		walkAll(e.Over.PartitionBy, f)
		for _, o := range e.Over.OrderBy {
			walk(o.Expr, f)
		}
	}
}

// group plans GROUP BY and HAVING and returns the scope of what stands above them. Keys come
// before those of GROUP BY. rows are calls of functions that give rows over the groups.
func (b *Binder) group(n plan.Node, s *scope, sel *ast.Select, items []ast.Item, order []ast.Order,
	keys []expr.Expr, rows []*ast.Call) (plan.Node, *scope, error) {
	by := &groupKeys{b: b, s: s, items: items, keys: append([]expr.Expr{}, keys...), texts: make([]string, len(keys))}
	for _, e := range sel.GroupBy {
		if err := by.add(e); err != nil {
			return nil, nil, err
		}
	}
	agg := &plan.Aggregate{Input: n, Keys: by.keys}
	top := &scope{grouped: true, groups: agg.Keys, texts: by.texts, calls: &agg.Calls, inner: s, windows: &windows{}}
	// Binding items, HAVING and ORDER BY collects the aggregate calls.
	if err := b.collectAggregates(top, rows); err != nil {
		return nil, nil, err
	}
	for _, it := range items {
		if _, err := b.bind(it.Expr, top); err != nil {
			return nil, nil, err
		}
	}
	var having expr.Expr
	if sel.Having != nil {
		windows := top.windows
		top.windows = nil // they come after HAVING
		x, err := b.bind(sel.Having, top)
		top.windows = windows
		if err != nil {
			return nil, nil, err
		}
		if err := checkCondition(sel.Having, x); err != nil {
			return nil, nil, err
		}
		having = x
	}
	for _, o := range order {
		if c, ok := o.Expr.(*ast.Column); ok && len(c.Parts) == 1 && aliased(items, c.Parts[0]) {
			continue
		}
		if _, err := b.bind(o.Expr, top); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range agg.Keys {
		agg.Cols = append(agg.Cols, plan.Column{Name: k.String(), Type: k.Type(), Catalog: s.ofCatalog(k),
			Members: s.members(k)})
	}
	for _, c := range agg.Calls {
		agg.Cols = append(agg.Cols, plan.Column{Name: c.String(), Type: c.T, Members: s.collected(c)})
	}
	top.cols, top.windows = agg.Cols, nil
	if having != nil {
		return &plan.Filter{Input: agg, Cond: having}, top, nil
	}
	return agg, top, nil
}

// groupKeys collects the keys of GROUP BY.
type groupKeys struct {
	b     *Binder
	s     *scope
	items []ast.Item
	keys  []expr.Expr
	texts []string // keys as the statement writes them
}

// add adds the keys of one entry, a key or several in parentheses; one that is there already counts once.
func (g *groupKeys) add(e ast.Expr) error {
	if t, ok := e.(*ast.Tuple); ok {
		for _, x := range t.Items {
			if err := g.add(x); err != nil {
				return err
			}
		}
		return nil
	}
	e, err := groupKey(e, g.s, g.items)
	if err != nil {
		return err
	}
	x, err := g.b.bind(e, g.s)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(g.keys, func(k expr.Expr) bool { return expr.Equal(k, x) }); i < 0 || expr.Volatile(x) ||
		g.texts[i] == "" {
		g.keys, g.texts = append(g.keys, x), append(g.texts, e.String())
	}
	return nil
}

func aliased(items []ast.Item, name string) bool {
	for _, it := range items {
		if it.Alias == name {
			return true
		}
	}
	return false
}

// groupKey returns the expression of an entry of GROUP BY: the item that it names by number or alias, or the entry
// itself.
func groupKey(g ast.Expr, s *scope, items []ast.Item) (ast.Expr, error) {
	cols := make([]plan.Column, len(items))
	i, err := ordinal(g, cols)
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return items[i].Expr, nil
	}
	if c, ok := g.(*ast.Column); ok && len(c.Parts) == 1 {
		if k, _ := s.lookUp(c, "", c.Parts[0], false); k < 0 {
			for _, it := range items {
				if it.Alias == c.Parts[0] {
					return it.Expr, nil
				}
			}
		}
	}
	return g, nil
}

// bindGrouped binds e above a grouping: a group key, an aggregate, or nil for neither.
func (b *Binder) bindGrouped(e ast.Expr, s *scope) (expr.Expr, error) {
	if c, ok := e.(*ast.Call); ok && plainSchema(c.Schema) {
		if agg := b.Catalog.Declared.Functions.Aggregate(c.Name); agg != nil {
			return b.bindAggregate(c, s)
		}
	}
	switch e := e.(type) {
	case *ast.Literal, *ast.Param:
		return nil, nil
	case *ast.Exists, *ast.Subselect:
		return s.groupKeyWritten(e), nil
	case *ast.Array:
		if e.Select != nil {
			return s.groupKeyWritten(e), nil
		}
	case *ast.Quantified:
		if e.Select != nil {
			return s.groupKeyWritten(e), nil
		}
	case *ast.In:
		if e.Select != nil {
			return s.groupKeyWritten(e), nil
		}
	}
	if !b.hasAggregate(e) {
		x, err := b.bind(e, s.inner)
		if err == nil {
			if _, ok := x.(*expr.Const); ok { // what has the value of a key need not be that key
				return s.groupKeyWritten(e), nil
			}
			for i, g := range s.groups {
				if expr.Equal(g, x) {
					return &expr.Col{Index: i, Name: g.String(), T: g.Type()}, nil
				}
			}
			if _, ok := x.(*expr.Arg); ok {
				return x, nil
			}
		} else if _, ok := e.(*ast.Column); ok {
			return nil, err
		}
	}
	if c, ok := e.(*ast.Column); ok {
		return nil, plan.Errorf(c.Pos, plan.CodeGrouping, "add it to GROUP BY or put it into an aggregate",
			"column %s is neither grouped nor aggregated", c)
	}
	return nil, nil
}

// groupKeyWritten returns the grouping key that is written like e; nil if there is none.
func (s *scope) groupKeyWritten(e ast.Expr) expr.Expr {
	for i, text := range s.texts {
		if text != "" && text == e.String() {
			return &expr.Col{Index: i, Name: s.groups[i].String(), T: s.groups[i].Type()}
		}
	}
	return nil
}

func (b *Binder) hasAggregate(e ast.Expr) bool {
	return b.aggregates([]ast.Item{{Expr: e}}, nil)
}

func (b *Binder) bindAggregate(c *ast.Call, s *scope) (expr.Expr, error) {
	f := b.Catalog.Declared.Functions.Aggregate(c.Name)
	if err := within(c, f); err != nil {
		return nil, err
	}
	call := plan.AggregateCall{F: f, Distinct: c.Distinct, Pos: c.Pos}
	if f.Ordered {
		var err error
		if call, err = b.bindOrdered(c, f, s); err != nil {
			return nil, err
		}
	} else if !c.Star {
		want := f.Args
		if len(c.Args) != want {
			return nil, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "", "%s takes %d {argument|arguments}, not %d", f.Name,
				want, len(c.Args))
		}
		for _, a := range c.Args {
			x, err := b.bind(a.Value, s.inner)
			if err != nil {
				return nil, err
			}
			call.Args = append(call.Args, x)
		}
		t, err := f.Result(call.Args[0].Type())
		if err != nil {
			return nil, plan.Errorf(c.Pos, plan.CodeType, "", "%v", err)
		}
		call.T = t
	} else if f.Name != "count" {
		return nil, plan.Errorf(c.Pos, ast.CodeSyntax, "", "only count takes *")
	} else {
		call.T = value.Integer
	}
	if c.Filter != nil {
		x, err := b.bind(c.Filter, s.inner)
		if err != nil {
			return nil, err
		}
		if err := checkCondition(c.Filter, x); err != nil {
			return nil, err
		}
		call.Filter = x
	}
	for _, o := range c.OrderBy {
		x, err := b.bind(o.Expr, s.inner)
		if err != nil {
			return nil, err
		}
		call.OrderBy = append(call.OrderBy, plan.SortExpr{X: x, Desc: o.Desc, NullsFirst: sortKey(0, o).NullsFirst})
	}
	if readsOnlyOuter(call.Args) && (call.Filter == nil || len(expr.Columns(call.Filter)) == 0) {
		return nil, plan.Errorf(c.Pos, plan.CodeGrouping,
			"let it take a column of the subselect, or move it out of the subselect",
			"%s takes only columns of the outer query, whose rows it would aggregate", f.Name)
	}
	return s.aggregateColumn(call), nil
}

// aggregateColumn returns the column of an aggregate call, and adds the call if there is no equal one.
func (s *scope) aggregateColumn(call plan.AggregateCall) expr.Expr {
	i := findCall(*s.calls, call)
	if i < 0 {
		*s.calls = append(*s.calls, call)
		i = len(*s.calls) - 1
	}
	return &expr.Col{Index: len(s.groups) + i, Name: strings.ToLower(call.String()), T: call.T}
}

// readsOnlyOuter reports whether expressions read columns of outer queries only. In standard SQL an aggregate over such
// expressions belongs to the outer query, which is hardly ever meant.
func readsOnlyOuter(args []expr.Expr) bool {
	outer, own := false, false
	for _, x := range args {
		expr.Walk(x, func(x expr.Expr) {
			switch x.(type) {
			case *expr.Arg:
				outer = true
			case *expr.Col:
				own = true
			}
		})
	}
	return outer && !own
}

func findCall(calls []plan.AggregateCall, c plan.AggregateCall) int {
	for i, o := range calls {
		if o.F != c.F || o.Distinct != c.Distinct || len(o.Args) != len(c.Args) || len(o.OrderBy) != len(c.OrderBy) {
			continue
		}
		same := (o.Filter == nil) == (c.Filter == nil) && (o.Filter == nil || expr.Equal(o.Filter, c.Filter))
		for k := range o.Args {
			same = same && expr.Equal(o.Args[k], c.Args[k])
		}
		for k, by := range o.OrderBy {
			own := c.OrderBy[k]
			same = same && by.Desc == own.Desc && by.NullsFirst == own.NullsFirst && expr.Equal(by.X, own.X)
		}
		if same {
			return i
		}
	}
	return -1
}
