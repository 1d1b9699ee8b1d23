package plan

import (
	"parlance/query/ast"
)

// Recursive runs a select of WITH RECURSIVE. It yields the rows of Base and puts them into the work table; then it runs
// Step, which reads the work table, yields its rows and puts them into the work table in turn, until Step yields none.
type Recursive struct {
	Pos        ast.Pos
	Name       string
	Base, Step Node
	WorkTable  *WorkTable // read by Step
	All        bool       // UNION ALL: rows may come again
	Cols       []Column
}

// Columns are those of Base, under the names that the WITH clause gives.
func (n *Recursive) Columns() []Column { return n.Cols }

// Inputs returns base and step.
func (n *Recursive) Inputs() []Node { return []Node{n.Base, n.Step} }

// Line tells whether rows may come again.
func (n *Recursive) Line() string {
	if n.All {
		return "recursive union all"
	}
	return "recursive union"
}

// WorkTable yields rows that the executor has put there: in a recursive select the rows of the step before, in an
// UpdateSource a batch of the target.
type WorkTable struct {
	Name string
	Cols []Column
}

// Columns are those of the select or the target.
func (n *WorkTable) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *WorkTable) Inputs() []Node { return nil }

// Line names the select.
func (n *WorkTable) Line() string { return "work table of " + n.Name }

// OpenWorkTable returns a work table that a plan reads and that belongs to a node around the plan; nil if there is
// none.
func OpenWorkTable(n Node) *WorkTable {
	var found []*WorkTable
	own := map[*WorkTable]bool{}
	Walk(n, func(n Node) {
		switch n := n.(type) {
		case *WorkTable:
			found = append(found, n)
		case *Recursive:
			own[n.WorkTable] = true
		}
	})
	for _, w := range found {
		if !own[w] {
			return w
		}
	}
	return nil
}

// LoopInvariant reports whether a node yields the same rows in every step of a recursive select around it.
func LoopInvariant(n Node) bool { return OpenWorkTable(n) == nil && !ReadsOuter(n) }
