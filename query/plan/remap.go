package plan

import "parlance/query/expr"

// remap returns a copy of e with its columns renumbered.
func remap(e expr.Expr, f func(int) int) expr.Expr {
	return rewrite(e, func(x expr.Expr) expr.Expr {
		if col, ok := x.(*expr.Col); ok {
			c := *col
			c.Index = f(col.Index)
			return &c
		}
		return nil
	})
}

// rewrite returns a copy of e in which f has replaced what it does not answer with nil.
func rewrite(e expr.Expr, f func(expr.Expr) expr.Expr) expr.Expr {
	if x := f(e); x != nil {
		return x
	}
	m := func(x expr.Expr) expr.Expr { return rewrite(x, f) }
	all := func(xs []expr.Expr) []expr.Expr { return rewriteAll(xs, f) }
	switch e := e.(type) {
	case *expr.Call:
		c := *e
		c.Args = all(e.Args)
		return &c
	case *expr.Cast:
		return &expr.Cast{X: m(e.X), T: e.T, Pos: e.Pos}
	case *expr.Case:
		c := *e
		c.Whens, c.Thens = all(e.Whens), all(e.Thens)
		if e.Else != nil {
			c.Else = m(e.Else)
		}
		return &c
	case *expr.Lazy:
		return rewriteLazy(e, f)
	case *expr.Compare:
		return &expr.Compare{Op: e.Op, X: m(e.X), Y: m(e.Y)}
	case *expr.Distinct:
		return &expr.Distinct{X: m(e.X), Y: m(e.Y), Not: e.Not}
	case *expr.Logic:
		return &expr.Logic{Or: e.Or, X: m(e.X), Y: m(e.Y)}
	case *expr.Not:
		return &expr.Not{X: m(e.X)}
	case *expr.IsNull:
		return &expr.IsNull{X: m(e.X), Not: e.Not}
	case *expr.IsBool:
		return &expr.IsBool{X: m(e.X), Value: e.Value, Not: e.Not}
	case *expr.Arith:
		return &expr.Arith{Op: e.Op, X: m(e.X), Y: m(e.Y), T: e.T}
	case *expr.Concat:
		return &expr.Concat{X: m(e.X), Y: m(e.Y)}
	case *expr.In:
		c := *e
		c.X, c.List = m(e.X), all(e.List)
		return &c
	case *expr.Search:
		c := *e
		c.Unit, c.Query = all(e.Unit), m(e.Query)
		return &c
	case *expr.Quantified:
		return &expr.Quantified{Op: e.Op, All: e.All, X: m(e.X), Array: m(e.Array)}
	case *expr.Match:
		c := *e
		c.X, c.Y = m(e.X), m(e.Y)
		return &c
	}
	return e
}

// rewriteAll rewrites each of xs; what it returns is never nil.
func rewriteAll(xs []expr.Expr, f func(expr.Expr) expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(xs))
	for i, x := range xs {
		out[i] = rewrite(x, f)
	}
	return out
}

// rewriteLazy rewrites what e takes from outside of its subselect; keys that are nil stay so.
func rewriteLazy(e *expr.Lazy, f func(expr.Expr) expr.Expr) expr.Expr {
	c := *e
	if e.X != nil {
		c.X = rewrite(e.X, f)
	}
	c.Outer = rewriteAll(e.Outer, f)
	if e.Keys != nil {
		c.Keys = rewriteAll(e.Keys, f)
	}
	return &c
}
