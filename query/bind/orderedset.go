package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/plan"
	"parlance/storage/value"
)

// within refuses WITHIN GROUP where it does not belong, and its absence where it does.
func within(c *ast.Call, f *fn.Aggregate) error {
	ordered := f != nil && f.Ordered
	switch {
	case c.Within && !ordered:
		return plan.Errorf(c.Pos, plan.CodeWrongKind, "percentile_cont, percentile_disc and mode do",
			"%s takes no WITHIN GROUP", c.Name)
	case ordered && c.Over != nil:
		return plan.Errorf(c.Pos, plan.CodeFeature, "", "%s takes no OVER", f.Name)
	case ordered && !c.Within:
		args := ""
		if f.Args > 0 {
			args = "0.5"
		}
		return plan.Errorf(c.Pos, plan.CodeWrongKind, "write "+f.Name+"("+args+") WITHIN GROUP (ORDER BY …)",
			"%s needs WITHIN GROUP", f.Name)
	}
	return nil
}

// bindOrdered binds an aggregate over ordered values: its arguments are the value that orders a row, then those in
// its parentheses.
func (b *Binder) bindOrdered(c *ast.Call, f *fn.Aggregate, s *scope) (call plan.AggregateCall, err error) {
	call.F, call.Pos = f, c.Pos
	switch {
	case c.Distinct:
		return call, plan.Errorf(c.Pos, plan.CodeFeature, "", "%s takes no DISTINCT", f.Name)
	case c.Star || len(c.Args) != f.Args:
		return call, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "",
			"%s takes %d {argument|arguments} before WITHIN GROUP, not %d", f.Name, f.Args, len(c.Args))
	case len(c.OrderBy) != 1:
		return call, plan.Errorf(c.Pos, plan.CodeUndefinedFunction, "", "%s takes one expression in ORDER BY, not %d",
			f.Name, len(c.OrderBy))
	}
	x, err := b.bind(c.OrderBy[0].Expr, s.inner)
	if err != nil {
		return call, err
	}
	call.Args = []expr.Expr{x}
	if call.T, err = f.Result(x.Type()); err != nil {
		return call, plan.Errorf(c.OrderBy[0].Expr.Position(), plan.CodeType, "", "%v", err)
	}
	for _, a := range c.Args {
		x, err := b.bind(a.Value, s.inner)
		if err != nil {
			return call, err
		}
		if !s.constant(x) {
			return call, plan.Errorf(a.Pos, plan.CodeGrouping,
				"what it takes of each row stands in WITHIN GROUP (ORDER BY …)",
				"an argument of %s holds for the whole group", f.Name)
		}
		switch t := x.Type(); t {
		case value.JSON:
			call.T = value.JSON
		case value.Integer, value.Float, value.Null:
			b.Types.expect(x, value.Float)
		default:
			return call, plan.Errorf(a.Pos, plan.CodeType, "write 0.5 or ARRAY[0.25, 0.75]",
				"%s takes a fraction, not %s", f.Name, t)
		}
		call.Args = append(call.Args, x)
	}
	return call, nil
}

// constant reports whether x is the same in all rows of a group.
func (s *scope) constant(x expr.Expr) bool {
	if len(expr.Columns(x)) == 0 {
		return true
	}
	for _, g := range s.groups {
		if expr.Equal(g, x) {
			return true
		}
	}
	return false
}
