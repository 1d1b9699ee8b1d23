package plan

import "parlance/query/expr"

// marker returns what notes that a column of n is read, in the layers and tables below.
func marker(n Node) func(int) {
	return func(i int) { mark(n, i) }
}

func mark(n Node, i int) {
	switch n := n.(type) {
	case *Layer:
		n.Need[i] = true
	case *Table:
		n.Need[i] = true
	case *Relation:
		if n.Need != nil {
			n.Need[i] = true
		}
	case *Join:
		if k := len(n.Left.Columns()); i < k {
			mark(n.Left, i)
		} else {
			mark(n.Right, i-k)
		}
	case *Apply:
		if k := len(n.Left.Columns()); i < k {
			mark(n.Left, i)
		} else {
			mark(n.Right, i-k)
		}
	case *Matched:
		if i < len(n.Target.Columns()) {
			mark(n.Target, i)
		}
		mark(n.Rows, i)
	case *Proposed:
		if k := len(n.Target.Columns()); i < k {
			mark(n.Target, i)
		} else {
			mark(n.Row, i-k)
		}
	case *Filter:
		mark(n.Input, i)
	case *Rename:
		mark(n.Input, i)
	case *Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			mark(n.Input, c.Index)
		}
	}
}
