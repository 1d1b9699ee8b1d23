package optimise

import (
	"slices"

	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// indexLookupRule lets a join run one side first and look the keys of its rows up in an index of a table of the other
// side. Joins are tried from the top. The side that seems to have few rows runs first, else the left one; whether its
// rows are few enough is decided when the join runs.
func indexLookupRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		j, ok := n.(*plan.Join)
		if !ok || j.Filter != nil || len(j.LeftKeys) == 0 {
			return
		}
		if j.Kind == "INNER" && fewRows(j.Right) && !fewRows(j.Left) && lookUp(j, true) {
			return
		}
		if !lookUp(j, false) && j.Kind == "INNER" {
			lookUp(j, true)
		}
	})
}

// lookUp notes at a join that a table of its second side is looked up by the keys; it reports whether one can be.
func lookUp(n *plan.Join, fromRight bool) bool {
	second, keys, others := n.Right, n.RightKeys, n.LeftKeys
	if fromRight {
		second, keys, others = n.Left, n.LeftKeys, n.RightKeys
	}
	t, at := ChooseLookup(second, keys, TypesOf(others))
	if t == nil {
		return false
	}
	n.Lookup = &plan.IndexLookup{RightFirst: fromRight, Table: t, Keys: at}
	return true
}

// ChooseLookup finds a table below n that has an index on columns among keys, and sets its LookupColumns; at are their
// places among keys. types are those of the values that the keys are compared with. t is nil if there is no such table.
func ChooseLookup(n plan.Node, keys []expr.Expr, types []value.Type) (t *plan.Table, at []int) {
	var names []string
	for i, key := range keys {
		col, ok := key.(*expr.Col)
		if !ok || !plan.ComparableKeys(types[i], col.T) {
			continue
		}
		x, c := sourceTable(n, col.Index)
		if x == nil || x.LookupColumns != nil || t != nil && t != x || slices.Contains(names, x.Cols[c].Name) {
			continue
		}
		t, at, names = x, append(at, i), append(names, x.Cols[c].Name)
	}
	if t == nil {
		return nil, nil
	}
	t.LookupColumns = names
	if u, _ := t.LookupIndex(); u == nil {
		t.LookupColumns = nil
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

// sourceTable finds the table that column i of n comes from, and the column there. It is nil where leaving out rows of
// the table could change other rows of n than those with their values.
func sourceTable(n plan.Node, i int) (*plan.Table, int) {
	switch n := n.(type) {
	case *plan.Table:
		return n, i
	case *plan.Filter:
		return sourceTable(n.Input, i)
	case *plan.Distinct:
		return sourceTable(n.Input, i)
	case *plan.Rename:
		if _, ok := n.Input.(*plan.CTE); !ok {
			return sourceTable(n.Input, i)
		}
	case *plan.Project:
		if c, ok := n.Exprs[i].(*expr.Col); ok {
			return sourceTable(n.Input, c.Index)
		}
	case *plan.Aggregate:
		if n.AreKeys([]int{i}) {
			if c, ok := n.Keys[i].(*expr.Col); ok {
				return sourceTable(n.Input, c.Index)
			}
		}
	case *plan.Join:
		if k := len(n.Left.Columns()); i < k {
			return sourceTable(n.Left, i)
		} else if n.Kind == "INNER" {
			return sourceTable(n.Right, i-k)
		}
	}
	return nil, 0
}

// fewRows guesses from the form of a plan whether it yields few rows: it has a condition or a limit.
func fewRows(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Table:
		return n.OuterLookup || n.Index() != nil
	case *plan.Filter, *plan.Limit, *plan.Relation, *plan.WorkTable:
		return true
	case *plan.Join:
		return fewRows(n.Left) || n.Kind == "INNER" && fewRows(n.Right)
	}
	return slices.ContainsFunc(n.Inputs(), fewRows)
}
