package expr

import (
	"parlance/storage/value"
)

// remap returns a copy of e with its columns renumbered.
func remap(e Expr, f func(int) int) Expr {
	return Rewrite(e, func(x Expr) Expr {
		if col, ok := x.(*Col); ok {
			c := *col
			c.Index = f(col.Index)
			return &c
		}
		return nil
	})
}

// Rewrite returns a copy of e in which f has replaced what it does not answer with nil.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if x := f(e); x != nil {
		return x
	}
	m := func(x Expr) Expr { return Rewrite(x, f) }
	all := func(xs []Expr) []Expr { return rewriteAll(xs, f) }
	switch e := e.(type) {
	case *Call:
		c := *e
		c.Args = all(e.Args)
		return &c
	case *Cast:
		return &Cast{X: m(e.X), T: e.T, Pos: e.Pos}
	case *Case:
		c := *e
		c.Whens, c.Thens = all(e.Whens), all(e.Thens)
		if e.Else != nil {
			c.Else = m(e.Else)
		}
		return &c
	case *Subquery:
		return rewriteSubquery(e, f)
	case *Compare:
		return &Compare{Op: e.Op, X: m(e.X), Y: m(e.Y)}
	case *Distinct:
		return &Distinct{X: m(e.X), Y: m(e.Y), Not: e.Not}
	case *Logic:
		return &Logic{Or: e.Or, X: m(e.X), Y: m(e.Y)}
	case *Not:
		return &Not{X: m(e.X)}
	case *IsNull:
		return &IsNull{X: m(e.X), Not: e.Not}
	case *IsBool:
		return &IsBool{X: m(e.X), Value: e.Value, Not: e.Not}
	case *Arith:
		return &Arith{Op: e.Op, X: m(e.X), Y: m(e.Y), T: e.T}
	case *Concat:
		return &Concat{X: m(e.X), Y: m(e.Y)}
	case *In:
		c := *e
		c.X, c.List = m(e.X), all(e.List)
		return &c
	case *Search:
		c := *e
		c.Unit, c.Query = all(e.Unit), m(e.Query)
		return &c
	case *Aligned:
		return &Aligned{X: m(e.X), T: e.T, Pos: e.Pos}
	case *Agreed:
		return &Agreed{X: m(e.X), With: all(e.With)}
	case *Quantified:
		return &Quantified{Op: e.Op, All: e.All, X: m(e.X), Array: m(e.Array)}
	case *Match:
		c := *e
		c.X, c.Y = m(e.X), m(e.Y)
		return &c
	}
	return e
}

// rewriteAll rewrites each of xs; what it returns is never nil.
func rewriteAll(xs []Expr, f func(Expr) Expr) []Expr {
	out := make([]Expr, len(xs))
	for i, x := range xs {
		out[i] = Rewrite(x, f)
	}
	return out
}

// rewriteSubquery rewrites what e takes from outside of its subselect; keys that are nil stay so.
func rewriteSubquery(e *Subquery, f func(Expr) Expr) Expr {
	c := *e
	if e.X != nil {
		c.X = Rewrite(e.X, f)
	}
	c.Outer = rewriteAll(e.Outer, f)
	if e.Keys != nil {
		c.Keys = rewriteAll(e.Keys, f)
	}
	return &c
}

// Shift moves the columns that e reads by d.
func Shift(e Expr, d int) Expr {
	return remap(e, func(i int) int { return i + d })
}

// Equal compares bound expressions by text and by the columns they read.
func Equal(x, y Expr) bool {
	if x.Type() != y.Type() || x.String() != y.String() {
		return false
	}
	a, b := Columns(x), Columns(y)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ConstantValue returns the value of a bound expression that needs no row.
func ConstantValue(x Expr) (value.Value, bool) {
	c, ok := x.(*Const)
	if !ok {
		return value.Value{}, false
	}
	return c.V, true
}
