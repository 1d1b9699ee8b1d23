package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// dynamicFilterRule lets a join run one side first and use its rows to leave out documents that a model of the other
// side would annotate. Joins are tried from the top; a layer is restricted by the first of them that can.
func dynamicFilterRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		j, ok := n.(*plan.Join)
		if !ok {
			return
		}
		right := filterFrom(j, j.Left, j.Right, j.RightKeys, j.LeftKeys)
		var left *plan.DynamicFilter
		if j.Kind == "INNER" {
			if left = filterFrom(j, j.Right, j.Left, j.LeftKeys, j.RightKeys); left != nil {
				left.RightFirst = true
			}
		}
		if right == nil || left != nil && hasModels(j.Left) && !hasModels(j.Right) {
			right = left
		}
		if right != nil {
			j.Filter = right
			right.Layer.FilterColumn = right.Layer.Cols[right.Column].Name
		}
	})
}

// filterFrom returns a filter by the rows of one side, first, on a layer of the other; nil if there is none. keys are
// those of the side second, others those of first.
func filterFrom(n *plan.Join, first, second plan.Node, keys, others []expr.Expr) *plan.DynamicFilter {
	if !selective(first) {
		return nil
	}
	for k, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || others[k].Type() != col.T {
			continue
		}
		if l, i := sourceLayer(second, col.Index); l != nil {
			return &plan.DynamicFilter{Key: k, Layer: l, Column: i}
		}
	}
	return nil
}

// selective reports whether documents may have no rows in a node, which makes a filter by its rows worthwhile. It is
// false for whole corpora.
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

// hasModels reports whether a model annotates in a plan.
func hasModels(n plan.Node) bool {
	found := false
	plan.Walk(n, func(n plan.Node) {
		if l, ok := n.(*plan.Layer); ok && len(l.Models) > 0 {
			found = true
		}
	})
	return found
}

// sourceLayer finds the annotated layer that column i of n comes from, and the column there. It is nil where leaving
// out documents of the layer could change other rows of n than those with their values.
func sourceLayer(n plan.Node, i int) (*plan.Layer, int) {
	switch n := n.(type) {
	case *plan.Layer:
		if n.Corpus != nil && len(n.Models) > 0 && n.FilterColumn == "" && n.DocumentColumn(i) &&
			n.WholeUnits(n.Cols[i].Name) {
			return n, i
		}
	case *plan.Filter:
		return sourceLayer(n.Input, i)
	case *plan.Distinct:
		return sourceLayer(n.Input, i)
	case *plan.Rename:
		if _, ok := n.Input.(*plan.CTE); !ok {
			return sourceLayer(n.Input, i)
		}
	case *plan.Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return sourceLayer(n.Input, c.Index)
		}
	case *plan.Aggregate:
		if n.AreKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return sourceLayer(n.Input, c.Index)
			}
		}
	case *plan.Join:
		if k := len(n.Left.Columns()); i < k {
			return sourceLayer(n.Left, i)
		} else if n.Kind == "INNER" {
			return sourceLayer(n.Right, i-k)
		}
	case *plan.Apply:
		if i < len(n.Left.Columns()) {
			return sourceLayer(n.Left, i)
		}
	}
	return nil, 0
}
