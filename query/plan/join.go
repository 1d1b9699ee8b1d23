package plan

import (
	"strings"

	"parlance/query/expr"
)

// Join joins Left and Right. With keys it is a hash join, the right side being hashed.
type Join struct {
	Kind                string // INNER, LEFT, CROSS
	Left, Right         Node
	LeftKeys, RightKeys []expr.Expr    // RightKeys over Right's columns
	On                  expr.Expr      // what remains, over both; nil if nothing
	Filter              *DynamicFilter // restricts a layer of one side by the rows of the other; nil for none
	Lookup              *IndexLookup   // replaces the scan of a table by lookups in an index; nil for none
	Cols                []Column
}

// Columns are those of both sides.
func (n *Join) Columns() []Column { return n.Cols }

// Inputs returns both sides.
func (n *Join) Inputs() []Node { return []Node{n.Left, n.Right} }

// Line prints kind, keys and condition.
func (n *Join) Line() string {
	s := strings.ToLower(n.Kind) + " join"
	if len(n.LeftKeys) > 0 {
		s = strings.ToLower(n.Kind) + " hash join"
		for i := range n.LeftKeys {
			sep := " on "
			if i > 0 {
				sep = ", "
			}
			s += sep + n.LeftKeys[i].String() + " = " + n.RightKeys[i].String()
		}
	}
	if n.On != nil {
		s += " where " + n.On.String()
	}
	return s
}

// Col returns an expression that reads column i.
func Col(cols []Column, i int) *expr.Col {
	return &expr.Col{Index: i, Name: cols[i].Name, T: cols[i].Type}
}

// AddConditions adds conditions that both sides must meet: equalities between the sides become keys, others part of On.
func (n *Join) AddConditions(conds []expr.Expr) {
	k := len(n.Left.Columns())
	for _, c := range conds {
		if cmp, ok := c.(*expr.Compare); ok && cmp.Op == "=" {
			x, y := SideOf(cmp.X, k), SideOf(cmp.Y, k)
			if x == 2 && y == 1 {
				cmp = &expr.Compare{Op: "=", X: cmp.Y, Y: cmp.X}
				x, y = 1, 2
			}
			if x == 1 && y == 2 {
				n.LeftKeys = append(n.LeftKeys, cmp.X)
				n.RightKeys = append(n.RightKeys, expr.Shift(cmp.Y, -k))
				if n.Kind == "CROSS" {
					n.Kind = "INNER"
				}
				continue
			}
		}
		if n.Kind == "CROSS" {
			n.Kind = "INNER"
		}
		n.On = expr.And(append(expr.Conjuncts(n.On), c))
	}
}

// SideOf tells which side of a join an expression reads, k being the number of columns of the left side: 0 none, 1
// left, 2 right, 3 both.
func SideOf(e expr.Expr, k int) int {
	out := 0
	for _, i := range expr.Columns(e) {
		if i < k {
			out |= 1
		} else {
			out |= 2
		}
	}
	return out
}

// Condition is the whole condition of a join as one expression: equal keys, and On.
func (n *Join) Condition() expr.Expr {
	k := len(n.Left.Columns())
	var conds []expr.Expr
	for i := range n.LeftKeys {
		conds = append(conds, &expr.Compare{Op: "=", X: n.LeftKeys[i], Y: expr.Shift(n.RightKeys[i], k)})
	}
	return expr.And(append(conds, expr.Conjuncts(n.On)...))
}

// DynamicFilter makes a join run one side first. The other side then annotates only documents that can find a partner:
// those whose column has a value that the join key has in the rows of the first side.
type DynamicFilter struct {
	RightFirst bool // the right side runs first
	Key        int  // place of the key among those of the join
	Layer      *Layer
	Column     int // of Layer, a column of the document, compared with the key
}

// IndexLookup makes a join run one side first. Where that yields few rows, their keys are looked up in an index of a
// table of the other side, which is then not scanned (an index lookup join).
type IndexLookup struct {
	RightFirst bool // the right side runs first
	Table      *Table
	Keys       []int // keys of the join, one for each of Table.LookupColumns
}
