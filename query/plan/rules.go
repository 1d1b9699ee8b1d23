package plan

import "parlance/query/expr"

// push moves conditions down to where their columns come from.
//
//	filter(a and b, join(x, y))        becomes join(filter(a, x), filter(b, y))
//	filter(split = 'dev', layer)       becomes layer where split = 'dev', before annotation
//	filter(x.doc = y.doc, cross join)  becomes a hash join on doc
//	filter(word = 'x', table)          looks rows up by an index on word
func push(n Node, conds []expr.Expr) Node {
	if len(conds) == 0 {
		return n
	}
	switch x := n.(type) {
	case *Layer:
		conds = x.docFilter(conds)
	case *Table:
		x.Conds = append(x.Conds, conds...) // hints for an index; the filter stays
	case *Join:
		conds = pushJoin(x, conds)
	case *Filter:
		x.Input = push(x.Input, conds)
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

// Rule is one optimiser rule over a whole plan.
type Rule struct {
	Name, Doc string
	Apply     func(Node)
}

// Rules are applied in this order to a bound plan.
var Rules = []Rule{
	{"top", "limit n (sort) becomes limit n (sort top n)", topRule},
	{"limit", "limit n (project | filterless layer) becomes layer limit n, so that annotation stops early", limitRule},
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
	if !ok || l.V.IsNull() {
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

func limitRule(root Node) {
	each(root, func(n Node) {
		l, ok := n.(*Limit)
		if !ok || l.bound() == 0 {
			return
		}
		below := l.Input
		for {
			switch x := below.(type) {
			case *Project:
				below = x.Input
			case *Rename:
				below = x.Input
			case *Layer:
				x.Limit = l.bound()
				return
			default:
				return
			}
		}
	})
}
