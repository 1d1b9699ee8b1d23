package plan

import (
	"parlance/query/ast"
)

// Recursive yields the rows of Base, then those of Step over the rows that came last, again
// and again until there are none.
type Recursive struct {
	Pos        ast.Pos
	Name       string
	Base, Step Node
	Last       *Working // what Step reads
	All        bool     // UNION ALL: rows may come again
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

// Working yields the rows that the last step of a Recursive gave.
type Working struct {
	Name string
	Cols []Column
}

// Columns are those of the Recursive.
func (n *Working) Columns() []Column { return n.Cols }

// Inputs returns nothing.
func (n *Working) Inputs() []Node { return nil }

// Line names the select.
func (n *Working) Line() string { return "last rows of " + n.Name }

// ReadsWorking returns what a plan reads of a select around it that is being bound; nil if nothing.
func ReadsWorking(n Node) *Working {
	var found []*Working
	own := map[*Working]bool{}
	Walk(n, func(n Node) {
		switch n := n.(type) {
		case *Working:
			found = append(found, n)
		case *Recursive:
			own[n.Last] = true
		}
	})
	for _, w := range found {
		if !own[w] {
			return w
		}
	}
	return nil
}

// Constant reports whether every step of a recursive select around a node gets the same rows of it.
func Constant(n Node) bool { return ReadsWorking(n) == nil && !ReadsOuter(n) }
