package plan

import (
	"fmt"
	"slices"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/storage/value"
)

// Window computes window functions; its output is the input's columns, then one a call. The
// order of the rows stays.
type Window struct {
	Input Node
	Calls []WindowCall
	cols  []Column
}

// Columns returns the input's columns, then one a call.
func (n *Window) Columns() []Column { return n.cols }

// Inputs returns the input.
func (n *Window) Inputs() []Node { return []Node{n.Input} }

// Line prints the calls.
func (n *Window) Line() string {
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		parts[i] = c.String()
	}
	return "window " + strings.Join(parts, ", ")
}

// WindowCall is a window function or an aggregate over a window.
type WindowCall struct {
	F         *fn.Window
	Agg       *fn.Aggregate // in place of F
	Args      []expr.Expr   // none for count(*)
	Filter    expr.Expr     // of an aggregate; nil for none
	Partition []expr.Expr
	Order     []WindowOrder
	Frame     WindowFrame
	T         value.Type
	Pos       ast.Pos // of its errors
}

// WindowOrder is one key of the order of a window.
type WindowOrder struct {
	X                expr.Expr
	Desc, NullsFirst bool
}

// WindowFrame is the rows that an aggregate and first_value see. Bounds count rows or groups of peers from the
// present one, or are distances of the key; in RANGE and GROUPS the present row stands for all its peers.
type WindowFrame struct {
	Unit     FrameUnit
	From, To WindowBound
	Exclude  string // "CURRENT ROW", "GROUP" or "TIES", empty for no row
}

// FrameUnit says what the bounds of a frame count.
type FrameUnit uint8

// The units of frames.
const (
	RowsFrame FrameUnit = iota
	RangeFrame
	GroupsFrame
)

func (u FrameUnit) String() string { return [...]string{"rows", "range", "groups"}[u] }

// WindowBound is an end of a frame, both ends belonging to it.
type WindowBound struct {
	Open bool      // to the end of the partition
	N    expr.Expr // rows, groups, or a distance; nil for 0
	Sign int       // -1 before, 1 behind
	At   ast.Pos   // of N
}

func (c WindowCall) exprs() []expr.Expr {
	out := append(append([]expr.Expr{}, c.Args...), c.Partition...)
	for _, o := range c.Order {
		out = append(out, o.X)
	}
	for _, e := range []expr.Expr{c.Filter, c.Frame.From.N, c.Frame.To.N} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// Shares reports whether two calls have the same partition and order, so that one sort
// serves both.
func (c WindowCall) Shares(o WindowCall) bool {
	if c.spec() != o.spec() || len(c.Partition) != len(o.Partition) || len(c.Order) != len(o.Order) {
		return false
	}
	for i, x := range c.Partition {
		if !equal(x, o.Partition[i]) {
			return false
		}
	}
	for i, k := range c.Order {
		if !equal(k.X, o.Order[i].X) {
			return false
		}
	}
	return true
}

// spec prints partition and order.
func (c WindowCall) spec() string {
	var parts []string
	if len(c.Partition) > 0 {
		parts = append(parts, "partition by "+list(c.Partition))
	}
	for i, o := range c.Order {
		s := ", "
		if i == 0 {
			s = "order by "
		}
		s += o.X.String()
		if o.Desc {
			s += " desc"
		}
		if o.NullsFirst != o.Desc {
			s += " nulls " + map[bool]string{true: "first", false: "last"}[o.NullsFirst]
		}
		if i == 0 {
			parts = append(parts, s)
		} else {
			parts[len(parts)-1] += s
		}
	}
	return strings.Join(parts, " ")
}

func (c WindowCall) String() string {
	name := ""
	if c.F != nil {
		name = c.F.Name
	} else {
		name = c.Agg.Name
	}
	args := list(c.Args)
	if c.Agg != nil && len(c.Args) == 0 {
		args = "*"
	}
	s := name + "(" + args + ")"
	if c.Filter != nil {
		s += " filter (where " + c.Filter.String() + ")"
	}
	s += " over (" + c.spec()
	if f := c.Frame.String(); f != "" {
		s += " " + f
	}
	return s + ")"
}

func (f WindowFrame) String() string {
	if f == defaultFrame {
		return ""
	}
	s := fmt.Sprintf("%s between %s and %s", f.Unit, f.From, f.To)
	if f.Exclude != "" {
		s += " exclude " + strings.ToLower(f.Exclude)
	}
	return s
}

func (b WindowBound) String() string {
	side := map[int]string{-1: " preceding", 1: " following"}[b.Sign]
	switch {
	case b.Open:
		return "unbounded" + side
	case b.N == nil:
		return "current row"
	}
	return b.N.String() + side
}

// defaultFrame is all rows up to the present one and its peers.
var defaultFrame = WindowFrame{Unit: RangeFrame, From: WindowBound{Open: true, Sign: -1}}

// windows collects the window functions of one select.
type windows struct {
	base  int // columns below
	calls []WindowCall
}

// over plans the calls above n: one node for those that share partition and order, and a
// projection that brings their columns into the order of the calls.
func (w *windows) over(n Node) Node {
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
		node := &Window{Input: n, cols: append([]Column{}, n.Columns()...)}
		for _, i := range g {
			place[i] = len(node.cols)
			node.Calls = append(node.Calls, w.calls[i])
			node.cols = append(node.cols, Column{Name: w.calls[i].String(), Type: w.calls[i].T})
		}
		n = node
	}
	if len(groups) == 1 {
		return n
	}
	p := &Project{Input: n}
	add := func(i int) {
		p.Exprs = append(p.Exprs, col(n.Columns(), i))
		p.cols = append(p.cols, n.Columns()[i])
	}
	for i := range below {
		add(i)
	}
	for _, i := range place {
		add(i)
	}
	return p
}

func (b *Binder) windowed(sel *ast.Select) bool {
	found := false
	for _, it := range sel.Items {
		walk(it.Expr, func(x ast.Expr) {
			if c, ok := x.(*ast.Call); ok && c.Over != nil {
				found = true
			}
		})
	}
	return found
}

// bindWindow binds a call with OVER to the column that a Window node will give.
func (b *Binder) bindWindow(c *ast.Call, s *scope) (expr.Expr, error) {
	w := s.windows
	if w == nil {
		return nil, Errorf(c.Pos, CodeWindow, "compute it in a subselect and name its column", "window functions stand in the select list and in ORDER BY only")
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
		call.Order = append(call.Order, WindowOrder{X: x, Desc: k.Desc, NullsFirst: k.NullsFirst})
	}
	if call.Frame, err = b.windowFrame(c.Over.Frame, call.Order); err != nil {
		return nil, err
	}
	i := w.find(call)
	return &expr.Col{Index: w.base + i, Name: call.String(), T: call.T}, nil
}

// find returns the number of an equal call, adding it if there is none.
func (w *windows) find(call WindowCall) int {
	for i, o := range w.calls {
		x, y := o.exprs(), call.exprs()
		same := len(x) == len(y) && o.String() == call.String()
		for k := 0; same && k < len(x); k++ {
			same = equal(x[k], y[k])
		}
		if same {
			return i
		}
	}
	w.calls = append(w.calls, call)
	return len(w.calls) - 1
}

// windowCall binds the function and its arguments.
func (b *Binder) windowCall(c *ast.Call, s *scope) (call WindowCall, err error) {
	call.Agg, call.F = b.Catalog.Functions().Aggregate(c.Name), b.Catalog.Functions().Window(c.Name)
	if !plainSchema(c.Schema) || call.Agg == nil && call.F == nil {
		if absent := ast.Absent(c.Name, c.Pos); absent != nil {
			return call, absent
		}
		return call, Errorf(c.Pos, CodeUndefinedFunction, "aggregates and row_number, rank, lag, … take OVER", "%s is no window function", c.Name)
	}
	if err := within(c, call.Agg); err != nil {
		return call, err
	}
	if c.Distinct || len(c.OrderBy) > 0 {
		return call, Errorf(c.Pos, CodeFeature, "", "a window function takes neither DISTINCT nor ORDER BY among its arguments")
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
	call.Pos = c.Pos
	if c.Filter != nil {
		if call.Agg == nil {
			return call, Errorf(c.Filter.Position(), CodeWrongKind, "", "FILTER follows an aggregate")
		}
		if call.Filter, err = b.bind(c.Filter, s); err != nil {
			return call, err
		}
		if err := condition(c.Filter, call.Filter); err != nil {
			return call, err
		}
	}
	call.T, err = call.result(c)
	return call, err
}

// result checks the arguments and returns the type of the value.
func (w WindowCall) result(c *ast.Call) (value.Type, error) {
	types := make([]value.Type, len(w.Args))
	for i, x := range w.Args {
		types[i] = x.Type()
	}
	if w.F != nil {
		f := fn.Func{Name: w.F.Name, Args: w.F.Args, Optional: w.F.Optional, Result: w.F.Result}
		t, err := f.Check(types)
		if err != nil || c.Star {
			return 0, Errorf(c.Pos, CodeUndefinedFunction, "", "%s takes %s", f.Name, f.Signature())
		}
		return t, nil
	}
	switch {
	case c.Star && w.Agg.Name == "count":
		return value.Integer, nil
	case c.Star:
		return 0, Errorf(c.Pos, ast.CodeSyntax, "", "only count takes *")
	case len(types) != w.Agg.Args:
		return 0, Errorf(c.Pos, CodeUndefinedFunction, "", "%s takes %d arguments, not %d", w.Agg.Name, w.Agg.Args, len(types))
	}
	t, err := w.Agg.Result(types[0])
	if err != nil {
		return 0, Errorf(c.Pos, CodeType, "", "%v", err)
	}
	return t, nil
}
