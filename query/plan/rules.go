package plan

import "parlance/query/expr"

// push moves conditions down to where their columns come from.
//
//	filter(a and b, join(x, y))        becomes join(filter(a, x), filter(b, y))
//	filter(split = 'dev', layer)       becomes layer where split = 'dev', before annotation
//	filter(x.doc = y.doc, cross join)  becomes a hash join on doc
//	filter(word = 'x', table)          looks rows up by an index on word
//	filter(a = 1, (select b as a …))   becomes (select b as a … where b = 1), below grouping by b
func push(n Node, conds []expr.Expr) Node {
	if len(conds) == 0 {
		return n
	}
	switch x := n.(type) {
	case *Layer:
		conds = x.docFilter(conds)
		x.rowSearch(conds)
	case *Table:
		x.Conds = append(x.Conds, conds...) // hints for an index; the filter stays
	case *Relation:
		x.Conds = append(x.Conds, conds...) // hints for a table of the catalog; the filter stays
	case *Join:
		conds = pushJoin(x, conds)
	case *Apply:
		conds = pushApply(x, conds)
	case *Filter:
		x.Input = push(x.Input, conds)
		return x
	case *Rename:
		if _, ok := x.Input.(*Shared); !ok {
			x.Input = push(x.Input, conds)
			return x
		}
	case *Distinct:
		x.Input = push(x.Input, conds)
		return x
	case *Project:
		conds = pushProject(x, conds)
	case *Aggregate:
		conds = pushAggregate(x, conds)
	case *Union:
		for i := range x.Parts {
			x.Parts[i] = push(x.Parts[i], conds)
		}
		return x
	}
	if len(conds) == 0 {
		return n
	}
	return &Filter{Input: n, Cond: expr.And(conds)}
}

// pushJoin hands conditions to the sides. What reads the right side of a LEFT join stays above.
func pushJoin(n *Join, conds []expr.Expr) []expr.Expr {
	k := len(n.Left.Columns())
	var left, right, both, rest []expr.Expr
	for _, c := range conds {
		switch s := side(c, k); {
		case s == 1:
			left = append(left, c)
		case s == 2 && n.Kind != "LEFT":
			right = append(right, shift(c, -k))
		case s == 3 && n.Kind != "LEFT":
			both = append(both, c)
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = push(n.Left, left), push(n.Right, right)
	n.addConditions(both)
	return rest
}

// pushOn hands conditions of ON to the side that they are about; those on the left side of a LEFT join decide
// about its rows on the right and stay. A right side that is lateral takes none that read the outer query: its
// outer row is that of the left side.
func (n *Join) pushOn(conds []expr.Expr, lateral bool) (rest []expr.Expr) {
	k := len(n.Left.Columns())
	var left, right []expr.Expr
	for _, c := range conds {
		switch s := side(c, k); {
		case holdsSubselect(c) || expr.Volatile(c):
			rest = append(rest, c)
		case s == 1 && n.Kind == "INNER":
			left = append(left, c)
		case s == 2 && !(lateral && readsArgs(c)):
			right = append(right, shift(c, -k))
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = push(n.Left, left), push(n.Right, right)
	return rest
}

// pushApply hands conditions on one side to it. What reads the outer query stays above, as in pushOn.
func pushApply(n *Apply, conds []expr.Expr) []expr.Expr {
	k := len(n.Left.Columns())
	var left, right, rest []expr.Expr
	for _, c := range conds {
		switch s := side(c, k); {
		case s == 1:
			left = append(left, c)
		case s == 2 && n.Kind != "LEFT" && !holdsSubselect(c) && !readsArgs(c):
			right = append(right, shift(c, -k))
		default:
			rest = append(rest, c)
		}
	}
	n.Left, n.Right = push(n.Left, left), push(n.Right, right)
	return rest
}

// pushProject hands conditions to the input in terms of what the columns are computed from.
func pushProject(n *Project, conds []expr.Expr) []expr.Expr {
	var below, rest []expr.Expr
	for _, c := range conds {
		if x, ok := through(c, n.Exprs); ok {
			below = append(below, x)
		} else {
			rest = append(rest, c)
		}
	}
	n.Input = push(n.Input, below)
	return rest
}

// pushAggregate hands conditions on keys to the input.
func pushAggregate(n *Aggregate, conds []expr.Expr) []expr.Expr {
	var below, rest []expr.Expr
	for _, c := range conds {
		if x, ok := through(c, n.Keys); ok && n.areKeys(expr.Columns(c)) {
			below = append(below, x)
		} else {
			rest = append(rest, c)
		}
	}
	n.Input = push(n.Input, below)
	return rest
}

// through replaces the columns of a condition by what they are computed from; ok is false
// where one is not among these, or should be computed once.
func through(c expr.Expr, from []expr.Expr) (out expr.Expr, ok bool) {
	if holdsSubselect(c) {
		return nil, false
	}
	for _, i := range expr.Columns(c) {
		if i >= len(from) || holdsSubselect(from[i]) || expr.Volatile(from[i]) {
			return nil, false
		}
	}
	return rewrite(c, func(x expr.Expr) expr.Expr {
		if col, ok := x.(*expr.Col); ok {
			return from[col.Index]
		}
		return nil
	}), true
}

func holdsSubselect(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(x expr.Expr) {
		if _, ok := x.(*expr.Lazy); ok {
			found = true
		}
	})
	return found
}

// Rule is one optimiser rule over a whole plan.
type Rule struct {
	Name, Doc string
	Apply     func(Node)
}

// Rules are applied in this order to a bound plan.
var Rules = []Rule{
	{"top", "limit n (sort) becomes limit n (sort top n)", topRule},
	{"with", "filter (with) becomes with (filter), where one table reads the WITH clause", withRule},
	{"semijoin", "join (x, annotated layer) on doc becomes join (x, annotated layer of the documents of x)", semijoinRule},
	{"keyed", "join (few rows, table) becomes join (few rows, lookups of the table), where an index begins with columns that are equal", keyedRule},
	{"limit", "limit n (project | filterless layer) becomes layer limit n, so that annotation stops early; so does a relation of a model, also where it is sorted by the column by which its rows fall", limitRule},
	{"together", "two layers of one model, each computed for one table, become both computed once", togetherRule},
	{"search", "limit n (sort by bm25 (search)) becomes limit n (sort (search top n)), so that other hits are not read", searchRule},
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
func Optimise(n Node, off map[string]bool) Node {
	for _, r := range Rules {
		if !off[r.Name] {
			r.Apply(n)
		}
	}
	return n
}

func each(n Node, f func(Node)) {
	f(n)
	for _, c := range n.Inputs() {
		each(c, f)
	}
}

// bound returns the rows that a limit lets through, or 0 if that is not known.
func (n *Limit) bound() int {
	l, ok := n.Limit.(*expr.Const)
	if !ok || l.V.IsNull() || len(n.Per) > 0 || n.Ties != nil {
		return 0
	}
	total := l.V.Int()
	if n.Offset != nil {
		o, ok := n.Offset.(*expr.Const)
		if !ok {
			return 0
		}
		total += o.V.Int()
	}
	if total > 1<<30 {
		return 0
	}
	return int(total)
}

func topRule(root Node) {
	each(root, func(n Node) {
		if l, ok := n.(*Limit); ok {
			if s, ok := l.Input.(*Sort); ok {
				s.Top = l.bound()
			}
		}
	})
}

// withRule lets the filter stand above as well: it costs little there.
func withRule(root Node) {
	each(root, func(n Node) {
		f, ok := n.(*Filter)
		if !ok {
			return
		}
		r, ok := f.Input.(*Rename)
		if !ok {
			return
		}
		if s, ok := r.Input.(*Shared); ok && s.Uses == 1 && !holdsSubselect(f.Cond) {
			s.Input = push(s.Input, expr.Conjuncts(f.Cond))
		}
	})
}

func limitRule(root Node) {
	each(root, func(n Node) {
		l, ok := n.(*Limit)
		if !ok || l.bound() == 0 {
			return
		}
		below, key := l.Input, -1 // key is the column whose highest values are wanted, -1 for the first rows
		if s, ok := below.(*Sort); ok && len(s.Keys) == 1 && s.Keys[0].Desc {
			below, key = s.Input, s.Keys[0].Col
		}
		for {
			switch x := below.(type) {
			case *Project:
				if key >= 0 {
					col, ok := x.Exprs[key].(*expr.Col)
					if !ok {
						return
					}
					key = col.Index
				}
				below = x.Input
			case *Rename:
				below = x.Input
			case *Layer:
				if key < 0 {
					x.Limit = l.bound()
				}
				return
			case *Relation:
				if x.Model != nil && (key < 0 || x.cols[key].Name == x.falling) {
					x.Limit = l.bound()
				}
				return
			default:
				return
			}
		}
	})
}
