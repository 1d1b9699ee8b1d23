package plan

import "parlance/query/expr"

// ReadMarker returns MarkRead for one node.
func ReadMarker(n Node) func(int) {
	return func(i int) { MarkRead(n, i) }
}

// MarkRead notes that column i of n is read in the layers and tables that it comes from.
func MarkRead(n Node, i int) {
	switch n := n.(type) {
	case *Layer:
		n.Need[i] = true
	case *Table:
		n.Need[i] = true
	case *File:
		n.Need[i] = true
	case *Relation:
		if n.Need != nil {
			n.Need[i] = true
		}
	case *Join:
		if k := len(n.Left.Columns()); i < k {
			MarkRead(n.Left, i)
		} else {
			MarkRead(n.Right, i-k)
		}
	case *Apply:
		if k := len(n.Left.Columns()); i < k {
			MarkRead(n.Left, i)
		} else {
			MarkRead(n.Right, i-k)
		}
	case *UpdateSource:
		if i < len(n.Target.Columns()) {
			MarkRead(n.Target, i)
		}
		MarkRead(n.Pairs, i)
	case *Proposed:
		if k := len(n.Target.Columns()); i < k {
			MarkRead(n.Target, i)
		} else {
			MarkRead(n.Row, i-k)
		}
	case *Filter:
		MarkRead(n.Input, i)
	case *Rename:
		MarkRead(n.Input, i)
	case *Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			MarkRead(n.Input, c.Index)
		}
	}
}
