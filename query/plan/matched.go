package plan

import (
	"parlance/query/expr"
)

// Matched finds the rows of a target that a condition ties to rows of other tables. Its columns are those of
// the target, the number of the row among those that Row yields, then those of the tables.
type Matched struct {
	Target Node
	Row    *Working    // some rows of the target and their numbers, which the executor fills in
	Rows   Node        // pairs of Row and the tables for which the condition holds
	Own    []expr.Expr // parts of the condition that read the target alone
}

// Columns are those of the pairs.
func (n *Matched) Columns() []Column { return n.Rows.Columns() }

// Inputs returns the pairs.
func (n *Matched) Inputs() []Node { return []Node{n.Rows} }

// Line prints "match".
func (n *Matched) Line() string { return "match " + n.Row.Name }
