package bind

import (
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// windows collects the window functions of one select.
type windows struct {
	base  int // columns below
	calls []plan.WindowCall
}

// nodesOver puts the calls above n: one node for all calls with the same partition and order, and a projection that
// brings the columns into the order of the calls.
func (w *windows) nodesOver(n plan.Node) plan.Node {
	if len(w.calls) == 0 {
		return n
	}
	below := len(n.Columns())
	place := make([]int, len(w.calls)) // of the column of each call
	var groups [][]int
	for i := range w.calls {
		k := slices.IndexFunc(groups, func(g []int) bool { return w.calls[g[0]].Shares(w.calls[i]) })
		if k < 0 {
			k = len(groups)
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	for _, g := range groups {
		node := &plan.Window{Input: n, Cols: append([]plan.Column{}, n.Columns()...)}
		for _, i := range g {
			place[i] = len(node.Cols)
			node.Calls = append(node.Calls, w.calls[i])
			node.Cols = append(node.Cols, plan.Column{Name: w.calls[i].String(), Type: w.calls[i].T})
		}
		n = node
	}
	if len(groups) == 1 {
		return n
	}
	p := &plan.Project{Input: n}
	add := func(i int) {
		p.Exprs = append(p.Exprs, plan.Col(n.Columns(), i))
		p.Cols = append(p.Cols, n.Columns()[i])
	}
	for i := range below {
		add(i)
	}
	for _, i := range place {
		add(i)
	}
	return p
}

// windowed reports whether a window function stands in a select list or in ORDER BY.
func (b *Binder) windowed(items []ast.Item, order []ast.Order) bool {
	found := false
	look := func(e ast.Expr) {
		walk(e, func(x ast.Expr) {
			if c, ok := x.(*ast.Call); ok && c.Over != nil {
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

// bindWindow binds a call with OVER to the column that a Window node will give.
func (b *Binder) bindWindow(c *ast.Call, s *scope) (expr.Expr, error) {
	w := s.windows
	if w == nil {
		return nil, plan.Errorf(c.Pos, plan.CodeWindow, "compute it in a subselect and name its column",
			"window functions stand in the select list and in ORDER BY only")
	}
	s.windows = nil // one does not stand in another
	defer func() { s.windows = w }()
	call, err := b.windowCall(c, s)
	if err != nil {
		return nil, err
	}
	if call.Partition, err = b.bindAll(c.Over.PartitionBy, s); err != nil {
		return nil, err
	}
	for _, o := range c.Over.OrderBy {
		x, err := b.bind(o.Expr, s)
		if err != nil {
			return nil, err
		}
		k := sortKey(0, o)
		call.Order = append(call.Order, plan.WindowOrder{X: x, Desc: k.Desc, NullsFirst: k.NullsFirst})
	}
	if call.Frame, err = b.windowFrame(c.Over.Frame, call.Order); err != nil {
		return nil, err
	}
	i := w.add(call)
	return &expr.Col{Index: w.base + i, Name: call.String(), T: call.T}, nil
}

// add returns the number of a call, and adds it if there is no equal one.
func (w *windows) add(call plan.WindowCall) int {
	for i, o := range w.calls {
		x, y := o.Exprs(), call.Exprs()
		same := len(x) == len(y) && o.String() == call.String()
		for k := 0; same && k < len(x); k++ {
			same = expr.Equal(x[k], y[k])
		}
		if same {
			return i
		}
	}
	w.calls = append(w.calls, call)
	return len(w.calls) - 1
}

// windowCall binds the function and its arguments.
func (b *Binder) windowCall(c *ast.Call, s *scope) (call plan.WindowCall, err error) {
	call.Agg, call.F = b.Catalog.Declared.Functions.Aggregate(c.Name), b.Catalog.Declared.Functions.Window(c.Name)
	if !plainSchema(c.Schema) || call.Agg == nil && call.F == nil {
		if absent := ast.Absent(c.Name, c.Pos); absent != nil {
			return call, absent
		}
		return call, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "aggregates and row_number, rank, lag, … take OVER",
			"%s is no window function", c.Name)
	}
	if err := within(c, call.Agg); err != nil {
		return call, err
	}
	if c.Distinct || len(c.OrderBy) > 0 {
		return call, plan.Errorf(c.Pos, plan.CodeFeature, "",
			"a window function takes neither DISTINCT nor ORDER BY among its arguments")
	}
	for i, a := range c.Args {
		x, err := b.bind(a.Value, s)
		if err != nil {
			return call, err
		}
		if call.Agg == nil && i < len(call.F.Args) {
			x = b.declared(x, call.F.Args[i])
		}
		call.Args = append(call.Args, x)
	}
	if err := b.unifyWindow(call, c); err != nil {
		return call, err
	}
	call.Pos = c.Pos
	if c.Filter != nil {
		if call.Agg == nil {
			return call, plan.Errorf(c.Filter.Position(), plan.CodeWrongKind, "", "FILTER follows an aggregate")
		}
		if call.Filter, err = b.bind(c.Filter, s); err != nil {
			return call, err
		}
		if err := checkCondition(c.Filter, call.Filter); err != nil {
			return call, err
		}
	}
	call.T, err = result(call, c)
	return call, err
}

// unifyWindow gives the arguments of a window function that its value is one of a common type: what lag looks at, and
// what it gives where there is no such row.
func (b *Binder) unifyWindow(call plan.WindowCall, c *ast.Call) error {
	if call.F == nil || call.F.Result != fn.Any {
		return nil
	}
	var list []expr.Expr
	var places []int
	for i, x := range call.Args {
		if i < len(call.F.Args) && call.F.Args[i] == fn.Any {
			list, places = append(list, x), append(places, i)
		}
	}
	if len(list) < 2 {
		return nil
	}
	_, err := b.unify(strings.ToUpper(c.Name), list, func(i int) ast.Pos { return c.Args[places[i]].Pos })
	for k, i := range places {
		call.Args[i] = list[k]
	}
	return err
}

// looked is the type of the first argument that may be of any type and has one, Null if that is known only when the
// statement runs.
func looked(args, types []value.Type) value.Type {
	for i, t := range types {
		if i < len(args) && args[i] == fn.Any && t != value.Null {
			return t
		}
	}
	return value.Null
}

// result checks the arguments and returns the type of the value.
func result(w plan.WindowCall, c *ast.Call) (value.Type, error) {
	types := make([]value.Type, len(w.Args))
	for i, x := range w.Args {
		types[i] = x.Type()
	}
	if w.F != nil {
		f := fn.Func{Name: w.F.Name, Args: w.F.Args, Optional: w.F.Optional, Result: w.F.Result}
		t, err := f.Check(types)
		if err != nil || c.Star {
			return 0, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "", "%s takes %s", f.Name, f.Signature())
		}
		if f.Result == fn.Any {
			t = looked(f.Args, types)
		}
		return t, nil
	}
	switch {
	case c.Star && w.Agg.Name == "count":
		return value.Integer, nil
	case c.Star:
		return 0, plan.Errorf(c.Pos, ast.CodeSyntax, "", "only count takes *")
	case len(types) != w.Agg.Args:
		return 0, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "", "%s takes %d {argument|arguments}, not %d", w.Agg.Name,
			w.Agg.Args, len(types))
	}
	t, err := w.Agg.Result(types[0])
	if err != nil {
		return 0, plan.Errorf(c.Pos, plan.CodeType, "", "%v", err)
	}
	return t, nil
}
