package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// semijoinRule looks at the joins from the top: the first that reaches a layer restricts it.
func semijoinRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		j, ok := n.(*plan.Join)
		if !ok {
			return
		}
		right := restricts(j, j.Left, j.Right, j.RightKeys, j.LeftKeys)
		var left *plan.Semijoin
		if j.Kind == "INNER" {
			if left = restricts(j, j.Right, j.Left, j.LeftKeys, j.RightKeys); left != nil {
				left.FromRight = true
			}
		}
		if right == nil || left != nil && annotates(j.Left) && !annotates(j.Right) {
			right = left
		}
		if right != nil {
			j.Semi = right
			right.Layer.Joined = right.Layer.Cols[right.Column].Name
		}
	})
}

// restricts returns how the rows of first can restrict a layer of second, or nil.
func restricts(n *plan.Join, first, second plan.Node, keys, others []expr.Expr) *plan.Semijoin {
	if !selective(first) {
		return nil
	}
	for k, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || others[k].Type() != col.T {
			continue
		}
		if l, i := origin(second, col.Index); l != nil {
			return &plan.Semijoin{Key: k, Layer: l, Column: i}
		}
	}
	return nil
}

// selective reports whether the rows of a node may leave documents out: all do but those of
// whole corpora.
func selective(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Layer:
		return n.Call != nil || len(n.DocFilter) > 0 || n.Def != nil && n.Name != "tokens" && n.Name != "sentences"
	case *plan.Rename:
		return selective(n.Input)
	case *plan.Project:
		return selective(n.Input)
	case *plan.Join:
		return selective(n.Left) || n.Kind == "INNER" && selective(n.Right)
	}
	return true
}

func annotates(n plan.Node) bool {
	found := false
	plan.Walk(n, func(n plan.Node) {
		if l, ok := n.(*plan.Layer); ok && len(l.Models) > 0 {
			found = true
		}
	})
	return found
}

// origin finds the layer whose column is column i of n, if it annotates documents one by one
// and dropping documents of it only drops rows of n with their values.
func origin(n plan.Node, i int) (*plan.Layer, int) {
	switch n := n.(type) {
	case *plan.Layer:
		if n.Corpus != nil && len(n.Models) > 0 && n.Joined == "" && n.DocumentColumn(i) && n.WholeUnits(n.Cols[i].Name) {
			return n, i
		}
	case *plan.Filter:
		return origin(n.Input, i)
	case *plan.Distinct:
		return origin(n.Input, i)
	case *plan.Rename:
		if _, ok := n.Input.(*plan.Shared); !ok {
			return origin(n.Input, i)
		}
	case *plan.Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return origin(n.Input, c.Index)
		}
	case *plan.Aggregate:
		if n.AreKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return origin(n.Input, c.Index)
			}
		}
	case *plan.Join:
		if k := len(n.Left.Columns()); i < k {
			return origin(n.Left, i)
		} else if n.Kind == "INNER" {
			return origin(n.Right, i-k)
		}
	case *plan.Apply:
		if i < len(n.Left.Columns()) {
			return origin(n.Left, i)
		}
	}
	return nil, 0
}
