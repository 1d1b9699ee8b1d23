package plan

import (
	"parlance/query/expr"
)

// UpdateSource is the source of UPDATE … FROM and DELETE … USING: it joins the rows of the target with those of the
// other tables. The target is read batch by batch; the executor puts each batch into TargetRows and runs Pairs. The
// columns are those of the target, the number of the row within its batch, then those of the other tables.
type UpdateSource struct {
	Target      Node
	TargetRows  *WorkTable  // a batch of rows of the target with their numbers
	Pairs       Node        // the join of TargetRows with the tables, under the condition
	TargetConds []expr.Expr // parts of the condition that read the target alone
}

// Columns are those of the pairs.
func (n *UpdateSource) Columns() []Column { return n.Pairs.Columns() }

// Inputs returns the pairs.
func (n *UpdateSource) Inputs() []Node { return []Node{n.Pairs} }

// Line names the target.
func (n *UpdateSource) Line() string { return "update source of " + n.TargetRows.Name }
