package optimise

import (
	"parlance/query/expr"
	"parlance/query/plan"
)

// Rule is one optimiser rule over a whole plan.
type Rule struct {
	Name, Doc string
	Apply     func(plan.Node)
}

// Rules are applied to a bound plan in this order.
var Rules = []Rule{
	{"top", "limit n (sort) becomes limit n (sort top n)", topRule},
	{"with", "filter (with) becomes with (filter), where one table reads the WITH clause", withRule},
	{"dynamic_filter", "join (x, annotated layer) on doc becomes join (x, annotated layer of the documents of x)",
		dynamicFilterRule},
	{"index_lookup",
		"join (few rows, table) becomes join (few rows, lookups of the table), where an index begins with columns " +
			"that are equal", indexLookupRule},
	{"limit", "limit n (project | filterless layer) becomes layer limit n, so that annotation stops early; so does " +
		"a relation of a model, also where it is sorted by the column by which its rows fall", limitRule},
	{"unread_models", "layer annotate x annotate y becomes layer annotate x, where the setting using names both and " +
		"nobody reads what y writes", unreadModelsRule},
	{"shared_models", "two layers of one model, each computed for one table, become both computed once",
		sharedModelsRule},
	{"search", "limit n (sort by bm25 (search)) becomes limit n (sort (search top n)), so that other hits are not read",
		searchRule},
}

// RuleNames lists the rules that can be left out: those that apply while binding, then Rules.
func RuleNames() []string {
	names := []string{"push", "decorrelate"}
	for _, r := range Rules {
		names = append(names, r.Name)
	}
	return names
}

// Optimise applies the rules, but those that are named in off.
func Optimise(n plan.Node, off map[string]bool) plan.Node {
	for _, r := range Rules {
		if !off[r.Name] {
			r.Apply(n)
		}
	}
	return n
}

// topRule lets a sort below a limit keep the first rows only.
func topRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		if l, ok := n.(*plan.Limit); ok {
			if s, ok := l.Input.(*plan.Sort); ok {
				s.Top = l.Bound()
			}
		}
	})
}

// withRule moves the filter over a CTE into it where it is the only reader. The filter also stays above, where it costs
// little.
func withRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return
		}
		r, ok := f.Input.(*plan.Rename)
		if !ok {
			return
		}
		if s, ok := r.Input.(*plan.CTE); ok && s.Uses == 1 && !plan.HoldsSubselect(f.Cond) {
			s.Input = Push(s.Input, expr.Conjuncts(f.Cond))
		}
	})
}

// limitRule tells a layer how many rows are wanted, where each of its rows gives one row of the limit.
func limitRule(root plan.Node) {
	plan.Walk(root, func(n plan.Node) {
		l, ok := n.(*plan.Limit)
		if !ok || l.Bound() == 0 {
			return
		}
		below, key := l.Input, -1 // key is the column whose highest values are wanted, -1 for the first rows
		if s, ok := below.(*plan.Sort); ok && len(s.Keys) == 1 && s.Keys[0].Desc {
			below, key = s.Input, s.Keys[0].Col
		}
		for {
			switch x := below.(type) {
			case *plan.Project:
				if key >= 0 {
					col, ok := x.Exprs[key].(*expr.Col)
					if !ok {
						return
					}
					key = col.Index
				}
				below = x.Input
			case *plan.Rename:
				below = x.Input
			case *plan.Layer:
				if key < 0 {
					x.Limit = l.Bound()
				}
				return
			case *plan.Relation:
				if x.Model != nil && (key < 0 || x.Cols[key].Name == x.Falling) {
					x.Limit = l.Bound()
				}
				return
			default:
				return
			}
		}
	})
}
