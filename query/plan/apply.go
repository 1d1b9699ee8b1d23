package plan

import (
	"strings"

	"parlance/query/expr"
)

// Apply runs Right for each row of Left, whose values Args it reads.
type Apply struct {
	Kind        string // INNER, LEFT, CROSS
	Left, Right Node
	Args        []expr.Expr // over Left
	On          expr.Expr   // over both; nil if nothing
	Cols        []Column
}

// Columns are those of both sides.
func (n *Apply) Columns() []Column { return n.Cols }

// Inputs returns both sides.
func (n *Apply) Inputs() []Node { return []Node{n.Left, n.Right} }

// Line prints what the right side reads.
func (n *Apply) Line() string {
	s := strings.ToLower(n.Kind) + " join for each row"
	if len(n.Args) > 0 {
		s = strings.ToLower(n.Kind) + " join for each " + list(n.Args)
	}
	if n.On != nil {
		s += " where " + n.On.String()
	}
	return s
}

// Shared is a select of a WITH clause. Where several tables read it, its rows are computed
// once, unless they depend on the row of an outer query.
type Shared struct {
	Name  string
	Input Node
	Uses  int
	Cols  []Column
	Size  int // itself and the selects of WITH clauses below, counted once for each way to them
}

// Columns are the input's, under the names that the WITH clause gives.
func (n *Shared) Columns() []Column { return n.Cols }

// Inputs returns the input.
func (n *Shared) Inputs() []Node { return []Node{n.Input} }

// Line names the select.
func (n *Shared) Line() string {
	if n.Uses > 1 {
		return "with " + n.Name + ", computed once"
	}
	return "with " + n.Name
}

// Once reports whether the rows are computed once for several readers: what depends on a row of an
// outer query or on the last step of a recursive select is not.
func (n *Shared) Once() bool {
	return n.Uses > 1 && !ReadsOuter(n.Input) && ReadsWorking(n.Input) == nil
}
