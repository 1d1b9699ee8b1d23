package plan

import (
	"fmt"
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
	Cols  []Column
}

// Columns returns the input's columns, then one a call.
func (n *Window) Columns() []Column { return n.Cols }

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

// WindowFrame is the rows that an aggregate and first_value see. Bounds count rows from the present one, or are
// distances of the key; in RANGE the present row stands for all its peers.
type WindowFrame struct {
	Unit     FrameUnit
	From, To WindowBound
}

// FrameUnit says what the bounds of a frame count.
type FrameUnit uint8

// The units of frames.
const (
	RowsFrame FrameUnit = iota
	RangeFrame
)

func (u FrameUnit) String() string { return [...]string{"rows", "range"}[u] }

// WindowBound is an end of a frame, both ends belonging to it.
type WindowBound struct {
	Open bool      // to the end of the partition
	N    expr.Expr // rows, groups, or a distance; nil for 0
	Sign int       // -1 before, 1 behind
	At   ast.Pos   // of N
}

// Exprs returns what the call computes of a row: arguments, partition, order, filter and bounds.
func (c WindowCall) Exprs() []expr.Expr {
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
		if !expr.Equal(x, o.Partition[i]) {
			return false
		}
	}
	for i, k := range c.Order {
		if !expr.Equal(k.X, o.Order[i].X) {
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
	if f == DefaultFrame {
		return ""
	}
	return fmt.Sprintf("%s between %s and %s", f.Unit, f.From, f.To)
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

// DefaultFrame is all rows up to the present one and its peers.
var DefaultFrame = WindowFrame{Unit: RangeFrame, From: WindowBound{Open: true, Sign: -1}}
