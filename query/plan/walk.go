package plan

import (
	"parlance/query/expr"
)

// exprs returns the expressions that a node evaluates.
func exprs(n Node) []expr.Expr {
	switch n := n.(type) {
	case *Layer:
		return n.conditions()
	case *Relation:
		return n.Args
	case *Filter:
		return []expr.Expr{n.Cond}
	case *Project:
		return n.Exprs
	case *Join:
		out := append(append([]expr.Expr{}, n.LeftKeys...), n.RightKeys...)
		if n.On != nil {
			out = append(out, n.On)
		}
		return out
	case *Apply:
		out := append([]expr.Expr{}, n.Args...)
		if n.On != nil {
			out = append(out, n.On)
		}
		return out
	case *Aggregate:
		out := append([]expr.Expr{}, n.Keys...)
		for _, c := range n.Calls {
			out = append(out, c.exprs()...)
		}
		return out
	case *Window:
		var out []expr.Expr
		for _, c := range n.Calls {
			out = append(out, c.Exprs()...)
		}
		return out
	case *Limit:
		var out []expr.Expr
		for _, e := range []expr.Expr{n.Limit, n.Offset} {
			if e != nil {
				out = append(out, e)
			}
		}
		return out
	}
	return nil
}

// Tree is the plan of a subselect as its expression holds it, which only prints it.
type Tree struct{ N Node }

// Keyed is a plan that reads only those rows of one of its tables that have given keys.
type Keyed struct {
	Tree
	Table *Table
	Keys  []int // places among the first columns of the plan, in the order of the lookup columns of the table
}

func (t Tree) String() string { return String(t.N, nil) }

// Subselect returns the plan of a subselect.
func Subselect(l *expr.Subquery) Node { return l.Plan.(Tree).N }

// Reads tells whether e reads the row of an outer query (args), and whether it reads columns of its own query or
// subselects (others).
func Reads(e expr.Expr) (args, others bool) {
	expr.Walk(e, func(x expr.Expr) {
		switch x.(type) {
		case *expr.Arg:
			args = true
		case *expr.Col, *expr.Subquery:
			others = true
		}
	})
	return args, others
}

// ReadsArgs reports whether e reads the row of an outer query.
func ReadsArgs(e expr.Expr) bool {
	args, _ := Reads(e)
	return args
}

// ReadsOuter reports whether a plan reads the row of an outer query. The right side of an Apply is not looked at: its
// outer row is that of the left side.
func ReadsOuter(n Node) bool {
	for _, e := range exprs(n) {
		if ReadsArgs(e) {
			return true
		}
	}
	inputs := n.Inputs()
	if a, ok := n.(*Apply); ok {
		inputs = []Node{a.Left}
	}
	for _, c := range inputs {
		if ReadsOuter(c) {
			return true
		}
	}
	return false
}

// HoldsSubselect reports whether a subselect stands in e.
func HoldsSubselect(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(x expr.Expr) {
		if _, ok := x.(*expr.Subquery); ok {
			found = true
		}
	})
	return found
}

// Walk calls f for n and all nodes below, parents first.
func Walk(n Node, f func(Node)) {
	f(n)
	for _, c := range n.Inputs() {
		Walk(c, f)
	}
}
