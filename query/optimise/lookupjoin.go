package optimise

import (
	"slices"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// keyedRule looks at the joins from the top. The side with conditions runs first, else the left one.
func keyedRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		j, ok := n.(*plan.Join)
		if !ok || j.Semi != nil || len(j.LeftKeys) == 0 {
			return
		}
		if j.Kind == "INNER" && narrow(j.Right) && !narrow(j.Left) && keyed(j, true) {
			return
		}
		if !keyed(j, false) && j.Kind == "INNER" {
			keyed(j, true)
		}
	})
}

// keyed finds a table on one side whose index begins with columns that the join compares.
func keyed(n *plan.Join, fromRight bool) bool {
	second, keys, others := n.Right, n.RightKeys, n.LeftKeys
	if fromRight {
		second, keys, others = n.Left, n.LeftKeys, n.RightKeys
	}
	t, at := LookupTable(second, keys, TypesOf(others))
	if t == nil {
		return false
	}
	n.Keyed = &plan.KeyedJoin{FromRight: fromRight, Table: t, Keys: at}
	return true
}

// LookupTable finds a table below n with an index that begins with columns which are among the keys, and lets it
// look rows up by them; at is the places of those among the keys. The keys are compared with values of the types.
func LookupTable(n plan.Node, keys []expr.Expr, types []value.Type) (t *plan.Table, at []int) {
	var names []string
	for i, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || !plan.SameKeys(types[i], col.T) {
			continue
		}
		x, c := tableOrigin(n, col.Index)
		if x == nil || x.Joined != nil || t != nil && t != x || slices.Contains(names, x.Cols[c].Name) {
			continue
		}
		t, at, names = x, append(at, i), append(names, x.Cols[c].Name)
	}
	if t == nil {
		return nil, nil
	}
	t.Joined = names
	if u, _ := t.JoinIndex(); u == nil {
		t.Joined = nil
		return nil, nil
	}
	return t, at
}

// TypesOf returns the types of expressions.
func TypesOf(list []expr.Expr) []value.Type {
	out := make([]value.Type, len(list))
	for i, x := range list {
		out[i] = x.Type()
	}
	return out
}

// tableOrigin finds the table whose column is column i of n, if dropping rows of it only drops rows
// of n with their values.
func tableOrigin(n plan.Node, i int) (*plan.Table, int) {
	switch n := n.(type) {
	case *plan.Table:
		return n, i
	case *plan.Filter:
		return tableOrigin(n.Input, i)
	case *plan.Distinct:
		return tableOrigin(n.Input, i)
	case *plan.Rename:
		if _, ok := n.Input.(*plan.Shared); !ok {
			return tableOrigin(n.Input, i)
		}
	case *plan.Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return tableOrigin(n.Input, c.Index)
		}
	case *plan.Aggregate:
		if n.AreKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return tableOrigin(n.Input, c.Index)
			}
		}
	case *plan.Join:
		if k := len(n.Left.Columns()); i < k {
			return tableOrigin(n.Left, i)
		} else if n.Kind == "INNER" {
			return tableOrigin(n.Right, i-k)
		}
	}
	return nil, 0
}

// narrow reports whether conditions leave few rows of a node, as far as its form tells.
func narrow(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Table:
		return n.Outer || n.Index() != nil
	case *plan.Filter, *plan.Limit, *plan.Relation, *plan.Working:
		return true
	case *plan.Join:
		return narrow(n.Left) || n.Kind == "INNER" && narrow(n.Right)
	}
	return slices.ContainsFunc(n.Inputs(), narrow)
}
