package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// filterDocuments moves the conditions that depend on the document alone into the layer, where they are checked before
// models annotate, and returns the others. A model that annotates several documents as one unit must see the whole
// unit; then only conditions on the column that defines the units are moved.
func filterDocuments(n *plan.Layer, conds []expr.Expr) []expr.Expr {
	var rest []expr.Expr
	for _, c := range conds {
		ok := len(expr.Columns(c)) > 0
		for _, i := range expr.Columns(c) {
			ok = ok && n.DocumentColumn(i) && n.WholeUnits(n.Cols[i].Name)
		}
		if ok {
			n.DocFilter = append(n.DocFilter, c)
		} else {
			rest = append(rest, c)
		}
	}
	return rest
}

// Push moves conditions down to where their columns come from, so that rows are left out early. It returns the node
// with a filter for conditions that cannot move.
//
//	filter(a and b, join(x, y))        becomes join(filter(a, x), filter(b, y))
//	filter(split = 'dev', layer)       becomes layer where split = 'dev', before annotation
//	filter(x.doc = y.doc, cross join)  becomes a hash join on doc
//	filter(word = 'x', table)          looks rows up by an index on word
//	filter(a = 1, (select b as a …))   becomes (select b as a … where b = 1), below grouping by b
func Push(n plan.Node, conds []expr.Expr) plan.Node {
	if len(conds) == 0 {
		return n
	}
	switch x := n.(type) {
	case *plan.Layer:
		conds = filterDocuments(x, conds)
		filterBySearch(x, conds)
	case *plan.Table:
		x.Conds = append(x.Conds, conds...) // hints for an index; the filter stays
	case *plan.File:
		x.Conds = append(x.Conds, conds...) // hints for groups of rows; the filter stays
	case *plan.Relation:
		x.Conds = append(x.Conds, conds...) // hints for a table of the catalog; the filter stays
	case *plan.Join:
		conds = pushJoin(x, conds)
	case *plan.Apply:
		conds = pushApply(x, conds)
	case *plan.Filter:
		x.Input = Push(x.Input, conds)
		return x
	case *plan.Rename:
		if _, ok := x.Input.(*plan.CTE); !ok {
			x.Input = Push(x.Input, conds)
			return x
		}
	case *plan.Distinct:
		x.Input = Push(x.Input, conds)
		return x
	case *plan.Project:
		conds = pushProject(x, conds)
	case *plan.Aggregate:
		conds = pushAggregate(x, conds)
	case *plan.Union:
		for i := range x.Parts {
			x.Parts[i] = Push(x.Parts[i], conds)
		}
		return x
	}
	if len(conds) == 0 {
		return n
	}
	return &plan.Filter{Input: n, Cond: expr.And(conds)}
}

// pushJoin moves conditions that read one side to it; those on both sides become part of the join. Conditions on the
// right side of a LEFT join stay above, for they also see its rows of NULLs.
func pushJoin(n *plan.Join, conds []expr.Expr) []expr.Expr {
	k := len(n.Left.Columns())
	var left, right, both, rest []expr.Expr
	for _, c := range conds {
		switch s := plan.SideOf(c, k); {
		case s == 1:
			left = append(left, c)
		case s == 2 && n.Kind != "LEFT":
			right = append(right, expr.Shift(c, -k))
		case s == 3 && n.Kind != "LEFT":
			both = append(both, c)
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = Push(n.Left, left), Push(n.Right, right)
	n.AddConditions(both)
	return rest
}

// PushOn moves conditions of ON that read one side to it and returns the others. Conditions on the left side of a LEFT
// join stay: they decide which rows find a partner, not which rows there are. The right side of a lateral join takes
// none that read an outer query, because its outer row is that of the left side.
func PushOn(n *plan.Join, conds []expr.Expr, lateral bool) (rest []expr.Expr) {
	k := len(n.Left.Columns())
	var left, right []expr.Expr
	for _, c := range conds {
		switch s := plan.SideOf(c, k); {
		case plan.HoldsSubselect(c) || expr.Volatile(c):
			rest = append(rest, c)
		case s == 1 && n.Kind == "INNER":
			left = append(left, c)
		case s == 2 && !(lateral && plan.ReadsArgs(c)):
			right = append(right, expr.Shift(c, -k))
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = Push(n.Left, left), Push(n.Right, right)
	return rest
}

// pushApply moves conditions that read one side to it. Those that read an outer query stay above, as in PushOn.
func pushApply(n *plan.Apply, conds []expr.Expr) []expr.Expr {
	k := len(n.Left.Columns())
	var left, right, rest []expr.Expr
	for _, c := range conds {
		switch s := plan.SideOf(c, k); {
		case s == 1:
			left = append(left, c)
		case s == 2 && n.Kind != "LEFT" && !plan.HoldsSubselect(c) && !plan.ReadsArgs(c):
			right = append(right, expr.Shift(c, -k))
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = Push(n.Left, left), Push(n.Right, right)
	return rest
}

// pushProject moves conditions to the input, with columns replaced by the expressions that compute them.
func pushProject(n *plan.Project, conds []expr.Expr) []expr.Expr {
	var below, rest []expr.Expr
	for _, c := range conds {
		if x, ok := inTermsOf(c, n.Exprs); ok {
			below = append(below, x)
		} else {
			rest = append(rest, c)
		}
	}
	n.Input = Push(n.Input, below)
	return rest
}

// pushAggregate moves conditions on grouping keys to the input: they leave out whole groups.
func pushAggregate(n *plan.Aggregate, conds []expr.Expr) []expr.Expr {
	var below, rest []expr.Expr
	for _, c := range conds {
		if x, ok := inTermsOf(c, n.Keys); ok && n.AreKeys(expr.Columns(c)) {
			below = append(below, x)
		} else {
			rest = append(rest, c)
		}
	}
	n.Input = Push(n.Input, below)
	return rest
}

// inTermsOf replaces the columns of a condition by the expressions that compute them; ok is false where a column has
// none, or one that must not be computed twice (a subselect, or a function with a new value each time).
func inTermsOf(c expr.Expr, from []expr.Expr) (out expr.Expr, ok bool) {
	if plan.HoldsSubselect(c) {
		return nil, false
	}
	for _, i := range expr.Columns(c) {
		if i >= len(from) || plan.HoldsSubselect(from[i]) || expr.Volatile(from[i]) {
			return nil, false
		}
	}
	return expr.Rewrite(c, func(x expr.Expr) expr.Expr {
		if col, ok := x.(*expr.Col); ok {
			return from[col.Index]
		}
		return nil
	}), true
}
