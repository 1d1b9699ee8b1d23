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

// Column is a column of a node's output.
type Column struct {
	Table    string // alias
	Name     string
	Type     value.Type
	Hidden   bool   // not part of *
	Merged   bool   // by JOIN … USING with the column of this name before it
	Document bool   // of the document that a layer row belongs to
	Param    int    // the parameter that the column repeats, 0 for none
	Origin   *Layer // in which the column is stored; nil if it is computed
	Number   bool   // of the document or the row
	Catalog  bool   // of a table of the catalog of PostgreSQL
	Members  string // the type of the members of an array of the catalog: text, name or integer; else empty
}

// Node is a step of a plan.
type Node interface {
	Columns() []Column
	Inputs() []Node
	// Line is the node's line in EXPLAIN.
	Line() string
}

// OneRow yields a single row without columns.
type OneRow struct{}

// Columns returns nothing.
func (OneRow) Columns() []Column { return nil }

// Inputs returns nothing.
func (OneRow) Inputs() []Node { return nil }

// Line prints "one row".
func (OneRow) Line() string { return "one row" }

// Rename gives the columns of a subselect another table name.
type Rename struct {
	Input Node
	Cols  []Column
}

// Columns returns the renamed columns.
func (n *Rename) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *Rename) Inputs() []Node { return []Node{n.Input} }

// Line names the alias.
func (n *Rename) Line() string {
	if len(n.Cols) == 0 {
		return "subselect"
	}
	return "subselect " + n.Cols[0].Table
}

// Filter keeps the rows for which Cond is true.
type Filter struct {
	Input Node
	Cond  expr.Expr
}

// Columns are the input's.
func (n *Filter) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Filter) Inputs() []Node { return []Node{n.Input} }

// Line prints the condition.
func (n *Filter) Line() string { return "filter " + n.Cond.String() }

// Project computes expressions.
type Project struct {
	Input Node
	Exprs []expr.Expr
	Cols  []Column
}

// Columns returns one column an expression.
func (n *Project) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *Project) Inputs() []Node { return []Node{n.Input} }

// Line prints the expressions.
func (n *Project) Line() string { return "project " + list(n.Exprs) }

func list(es []expr.Expr) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// AggregateCall is one aggregate of an Aggregate node.
type AggregateCall struct {
	F        *fn.Aggregate
	Args     []expr.Expr // none for count(*)
	Distinct bool
	Filter   expr.Expr // rows for which it is not true are left out; nil for none
	OrderBy  []SortExpr
	T        value.Type
	Pos      ast.Pos // of its errors
}

func (c AggregateCall) exprs() []expr.Expr {
	out := append([]expr.Expr{}, c.Args...)
	if c.Filter != nil {
		out = append(out, c.Filter)
	}
	for _, o := range c.OrderBy {
		out = append(out, o.X)
	}
	return out
}

// SortExpr orders the rows that an aggregate takes.
type SortExpr struct {
	X                expr.Expr
	Desc, NullsFirst bool
}

func (c AggregateCall) String() string {
	args := list(c.Args)
	if len(c.Args) == 0 {
		args = "*"
	}
	if c.F.Ordered {
		return c.ordered()
	}
	if c.Distinct {
		args = "DISTINCT " + args
	}
	s := c.F.Name + "(" + args + ")"
	if c.Filter != nil {
		s += " filter (where " + c.Filter.String() + ")"
	}
	return s
}

// ordered prints an aggregate over ordered values.
func (c AggregateCall) ordered() string {
	s := c.F.Name + "(" + list(c.Args[1:]) + ") within group (order by " + c.Args[0].String()
	if c.OrderBy[0].Desc {
		s += " desc"
	}
	s += ")"
	if c.Filter != nil {
		s += " filter (where " + c.Filter.String() + ")"
	}
	return s
}

// Aggregate groups by Keys; its output is the keys, then the calls. Without keys there is
// one group, even of no rows.
type Aggregate struct {
	Input Node
	Keys  []expr.Expr
	Calls []AggregateCall
	Cols  []Column
}

// AreKeys reports whether columns, of which there are some, are keys.
func (n *Aggregate) AreKeys(cols []int) bool {
	return len(cols) > 0 && !slices.ContainsFunc(cols, func(i int) bool { return i >= len(n.Keys) })
}

// Columns returns keys, then calls.
func (n *Aggregate) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *Aggregate) Inputs() []Node { return []Node{n.Input} }

// Line prints calls and keys.
func (n *Aggregate) Line() string {
	parts := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		parts[i] = c.String()
	}
	s := "aggregate " + strings.Join(parts, ", ")
	if len(n.Keys) > 0 {
		s += " by " + list(n.Keys)
	}
	return s
}

// Distinct drops rows that were seen before.
type Distinct struct{ Input Node }

// Columns are the input's.
func (n *Distinct) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Distinct) Inputs() []Node { return []Node{n.Input} }

// Line prints "distinct".
func (n *Distinct) Line() string { return "distinct" }

// SortKey is a column to sort by.
type SortKey struct {
	Col        int
	Desc       bool
	NullsFirst bool
}

// Sort orders the rows, equal ones staying in input order. With Keep, columns after the
// first Keep are dropped afterwards. With Top only the first Top rows are kept.
type Sort struct {
	Input Node
	Keys  []SortKey
	Keep  int
	Top   int // 0 for all
}

// Columns returns the columns that are kept.
func (n *Sort) Columns() []Column { return n.Input.Columns()[:n.Keep] }

// Inputs returns the input.
func (n *Sort) Inputs() []Node { return []Node{n.Input} }

// Line prints the keys.
func (n *Sort) Line() string {
	parts := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		parts[i] = n.Input.Columns()[k.Col].Name
		if k.Desc {
			parts[i] += " desc"
		}
	}
	s := "sort by " + strings.Join(parts, ", ")
	if n.Top > 0 {
		s += fmt.Sprintf(" top %d", n.Top)
	}
	return s
}

// Limit skips and cuts; nil means no bound. With Per the limit counts the rows of each
// combination of these columns.
type Limit struct {
	Input             Node
	Limit, Offset     expr.Expr
	LimitAt, OffsetAt ast.Pos
	Per               []int
	Ties              []SortKey // rows that equal the last one in these keys are passed too; nil without WITH TIES
}

// Columns are the input's.
func (n *Limit) Columns() []Column { return n.Input.Columns() }

// Inputs returns the input.
func (n *Limit) Inputs() []Node { return []Node{n.Input} }

// Line prints the bounds.
func (n *Limit) Line() string {
	var parts []string
	if n.Limit != nil {
		parts = append(parts, "limit "+n.Limit.String())
	}
	for i, c := range n.Per {
		sep := "per "
		if i > 0 {
			sep = "and "
		}
		parts = append(parts, sep+n.Input.Columns()[c].Name)
	}
	if n.Offset != nil {
		parts = append(parts, "offset "+n.Offset.String())
	}
	if n.Ties != nil {
		parts = append(parts, "with ties")
	}
	return strings.Join(parts, " ")
}

// Union appends the rows of its parts.
type Union struct {
	Parts []Node
	Cols  []Column
}

// Columns are the first part's, with common types.
func (n *Union) Columns() []Column { return n.Cols }

// Inputs returns the parts.
func (n *Union) Inputs() []Node { return n.Parts }

// Line prints "union all".
func (n *Union) Line() string { return "union all" }

// Bound returns the rows that a limit lets through, or 0 if that is not known.
func (n *Limit) Bound() int {
	l, ok := n.Limit.(*expr.Const)
	if !ok || l.V.IsNull() || len(n.Per) > 0 || n.Ties != nil {
		return 0
	}
	total := l.V.Int()
	if n.Offset != nil {
		o, ok := n.Offset.(*expr.Const)
		if !ok {
			return 0
		}
		total += o.V.Int()
	}
	if total > 1<<30 {
		return 0
	}
	return int(total)
}
