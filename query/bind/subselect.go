package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/value"
)

// outerQuery is the query around a subselect, while the subselect is bound.
type outerQuery struct {
	parent *outerQuery // the query around that one, nil for none
	scope  *scope
	args   []expr.Expr // what the subselect reads of the row of the outer query; an expr.Arg is a place here
	value  bool        // the subselect stands for a value, not for a table of FROM
}

// subKey identifies a subselect and its place. The expression around it may be bound several times, the subselect is
// bound once.
type subKey struct {
	sel   *ast.Select
	scope *scope
}

// outerColumn binds a column of an outer query; nil if there is no outer query.
func (b *Binder) outerColumn(c *ast.Column) (expr.Expr, error) {
	f := b.outer
	if f == nil {
		return nil, nil
	}
	b.outer = f.parent
	x, err := b.bind(c, f.scope)
	b.outer = f
	if err != nil {
		return nil, err
	}
	for i, a := range f.args {
		if expr.Equal(a, x) {
			return &expr.Arg{Index: i, Name: c.String(), T: x.Type()}, nil
		}
	}
	f.args = append(f.args, x)
	return &expr.Arg{Index: len(f.args) - 1, Name: c.String(), T: x.Type()}, nil
}

// subplan plans a select as a subselect in scope s, and returns the expressions that it reads of the outer row. k, if
// not nil, takes its correlation.
func (b *Binder) subplan(sel *ast.Select, s *scope, k *correlation) (plan.Node, []expr.Expr, error) {
	f := &outerQuery{parent: b.outer, scope: s, value: true}
	outer, saved := b.outer, b.correlation
	b.outer, b.correlation = f, k
	defer func() { b.outer, b.correlation = outer, saved }()
	n, err := b.Select(sel)
	return n, f.args, err
}

// bindMember plans x IN (SELECT …).
func (b *Binder) bindMember(e *ast.In, x expr.Expr, s *scope) (expr.Expr, error) {
	sub, err := b.bindSet(e.Select, expr.InSubquery, typeOf(x), e.Not, s)
	if err != nil {
		return nil, err
	}
	l := *sub
	l.X, err = b.comparableMember(e.Pos, e.X, x, e.Select, l.Member)
	return &l, err
}

// comparableMember prepares x for comparisons with the rows of a select, whose column has a type.
func (b *Binder) comparableMember(pos ast.Pos, ex ast.Expr, x expr.Expr, sel *ast.Select,
	t value.Type) (expr.Expr, error) {
	if v, constant := expr.ConstantValue(x); untyped(x) && !constant && t != value.Null || constant && v.IsNull() {
		b.Types.expect(x, t)
		return &expr.Aligned{X: x, T: t, Pos: pos}, nil
	}
	member := &ast.Subselect{Pos: sel.Pos, Select: sel}
	x, y, err := b.comparable(pos, ex, itemOr(sel, member), x, &expr.Col{Name: "member", T: t})
	if _, same := y.(*expr.Col); err == nil && !same {
		err = plan.Errorf(pos, plan.CodeType, "cast the column of the select", "the types of the rows of %s show only "+
			"when it runs", member)
	}
	return x, err
}

// itemOr is the only item of a select, for errors; other where there are several, or branches.
func itemOr(sel *ast.Select, other ast.Expr) ast.Expr {
	if len(sel.Items) != 1 || len(sel.Unions) > 0 {
		return other
	}
	if _, star := sel.Items[0].Expr.(*ast.Star); star {
		return other
	}
	return sel.Items[0].Expr
}

// membersOf is the plan of the members of a set that values of a type are compared with: where a column has no type
// before the statement runs, it gets that one.
func (b *Binder) membersOf(n plan.Node, wanted value.Type, pos ast.Pos) (plan.Node, error) {
	x := columnSource(n, 0)
	if typeOf(x) != value.Null {
		return n, nil
	}
	t := wanted
	if t == value.Null {
		if t = x.Type(); t == value.Null {
			return n, nil
		}
	}
	x, err := b.become(x, t, pos)
	return withColumns(n, []expr.Expr{x}, []plan.Column{{Name: n.Columns()[0].Name, Type: t}}), err
}

// bindSub plans a subselect, which may read columns of the queries around it.
func (b *Binder) bindSub(sel *ast.Select, mode expr.SubqueryMode, s *scope) (expr.Expr, error) {
	return b.bindSet(sel, mode, value.Null, false, s)
}

// bindSet is bindSub for a set of members that values of a type are compared with, Null for any.
func (b *Binder) bindSet(sel *ast.Select, mode expr.SubqueryMode, wanted value.Type, negated bool,
	s *scope) (*expr.Subquery, error) {
	key := subKey{sel, s}
	if known, ok := b.subs[key]; ok {
		return known, nil
	}
	n, args, err := b.subplan(sel, s, nil)
	if err != nil {
		return nil, err
	}
	cols := n.Columns()
	t := value.Boolean
	if mode != expr.ExistsSubquery {
		if len(cols) != 1 {
			return nil, plan.Errorf(sel.Pos, ast.CodeSyntax, "", "the subselect must have one column, it has %d",
				len(cols))
		}
		switch mode {
		case expr.ScalarSubquery:
			t = cols[0].Type
		case expr.ArraySubquery:
			t = value.JSON
		}
	}
	b.Stateful = true
	l := &expr.Subquery{Label: sel.String(), T: t, Mode: mode, Not: negated}
	ordered := mode == expr.ArraySubquery && (len(sel.OrderBy) > 0 || sel.Distinct)
	if mode == expr.InSubquery || mode == expr.ArraySubquery {
		own := columnSource(n, 0)
		if n, err = b.membersOf(n, wanted, sel.Pos); err != nil {
			return nil, err
		}
		l.Member = n.Columns()[0].Type
		_, plain := own.(*expr.Col)
		ordered = ordered || !plain
	}
	if mode == expr.InSubquery {
		n = &plan.Distinct{Input: n}
	}
	if len(args) == 0 || ordered || b.Off["decorrelate"] || !b.decorrelate(l, sel, s) {
		limit := map[expr.SubqueryMode]int{expr.ScalarSubquery: 2, expr.ExistsSubquery: 1}[mode]
		n = optimise.Optimise(n, b.subselectRulesOff())
		l.Outer, l.Plan, l.Limit = args, plan.Tree{N: n}, limit
	}
	l.Reset()
	if b.subs == nil {
		b.subs = map[subKey]*expr.Subquery{}
	}
	b.subs[key] = l
	return l, nil
}

// lookUpMembers lets conditions x IN (SELECT …) of WHERE look values of x up in an index, as long as they are few. A
// lookup does not find out whether the subselect has a NULL, so it may give false where NULL is right; WHERE drops the
// row in both cases.
func (b *Binder) lookUpMembers(conds []expr.Expr) []expr.Expr {
	for i, c := range conds {
		l, ok := c.(*expr.Subquery)
		if !ok || !l.Uncorrelated() {
			continue
		}
		if lookup := b.indexLookup(plan.Subselect(l), []expr.Expr{l.X}); lookup != nil {
			own := *l
			own.Lookup = lookup
			own.Reset()
			conds[i] = &own
		}
	}
	return conds
}

// subselectRulesOff are the rules to leave out for subselects: those of the session, and the one for a CTE with a
// single reader, for more readers may still be bound.
func (b *Binder) subselectRulesOff() map[string]bool {
	off := map[string]bool{"with": true}
	for name := range b.Off {
		off[name] = true
	}
	return off
}

// correlation are the equalities of WHERE between a subselect and its outer query. They are left out of the plan of the
// subselect, which yields the inner sides as its first columns instead, to be looked up by the outer sides.
type correlation struct {
	sel   *ast.Select // whose WHERE they stand in
	inner []expr.Expr // over the columns of the subselect
	outer []expr.Expr // over the row of the outer query
}

// decorrelate turns a subselect that is run for each outer row into one that is run once and
// looked up by key:
//
//	EXISTS (SELECT … FROM y WHERE y.k = x.k and …)          becomes the set of y.k
//	(SELECT count(*) FROM y WHERE y.k = x.k and …)          becomes the counts by y.k
//
// It reports whether equalities of WHERE are all that the subselect reads of the outer row.
func (b *Binder) decorrelate(l *expr.Subquery, sel *ast.Select, s *scope) bool {
	agg := b.aggregates(sel.Items, nil)
	simple := sel.With == nil && sel.Unions == nil && sel.On == nil && sel.Limit == nil && sel.Offset == nil &&
		sel.GroupBy == nil && sel.Having == nil &&
		sel.Where != nil && !b.windowed(sel.Items, nil) && (!agg || l.Mode == expr.ScalarSubquery) &&
		(!sel.Distinct || l.Mode != expr.ScalarSubquery)
	if !simple {
		return false
	}
	plain := *sel
	plain.OrderBy, plain.Distinct = nil, false
	if l.Mode == expr.ExistsSubquery {
		plain.Items = []ast.Item{{Pos: sel.Pos, Expr: &ast.Literal{Pos: sel.Pos, Value: true}}}
	}
	k := &correlation{sel: &plain}
	n, args, err := b.subplan(&plain, s, k)
	if err != nil || len(k.inner) == 0 || plan.ReadsOuter(n) {
		return false
	}
	keys := make([]expr.Expr, len(k.outer))
	for i, x := range k.outer {
		keys[i] = substitute(x, args)
	}
	l.Lookup = b.indexLookup(n, keys)
	n = optimise.Optimise(n, b.subselectRulesOff())
	l.Plan, l.Keys = plan.Tree{N: n}, keys
	if agg {
		none := plain
		none.Where = &ast.Literal{Pos: sel.Pos, Value: false}
		d, _, err := b.subplan(&none, s, nil)
		if err != nil || plan.ReadsOuter(d) {
			return false
		}
		l.Default = plan.Tree{N: d}
	}
	return true
}

// takeEqualities moves equalities between the two queries out of the conditions of WHERE, and returns the others.
func (k *correlation) takeEqualities(conds []expr.Expr) []expr.Expr {
	var rest []expr.Expr
	for _, c := range conds {
		if cmp, ok := c.(*expr.Compare); ok && cmp.Op == "=" {
			x, y := cmp.X, cmp.Y
			if outerOnly(x) {
				x, y = y, x
			}
			if outerOnly(y) && innerOnly(x) {
				k.inner, k.outer = append(k.inner, x), append(k.outer, y)
				continue
			}
		}
		rest = append(rest, c)
	}
	return rest
}

// columns returns a copy of the inner sides; nil for no correlation.
func (k *correlation) columns() []expr.Expr {
	if k == nil {
		return nil
	}
	return append([]expr.Expr{}, k.inner...)
}

// outerOnly reports whether e reads the outer row and nothing else.
func outerOnly(e expr.Expr) bool {
	args, others := plan.Reads(e)
	return args && !others
}

// innerOnly reports whether e reads the subselect and nothing of the outer row.
func innerOnly(e expr.Expr) bool {
	args, others := plan.Reads(e)
	return !args && others
}

// substitute replaces the outer values of e by the expressions that give them.
func substitute(e expr.Expr, args []expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if a, ok := x.(*expr.Arg); ok {
			return args[a.Index]
		}
		return nil
	})
}

// indexLookup plans a select for given keys only, which are looked up in an index of one of its tables. The first
// columns of n are the keys; keys are the expressions of the outer query that they are compared with. It is nil where
// no index has them.
func (b *Binder) indexLookup(n plan.Node, keys []expr.Expr) expr.Plan {
	if b.Off["index_lookup"] {
		return nil
	}
	firsts := make([]expr.Expr, len(keys))
	for i := range keys {
		firsts[i] = plan.Col(n.Columns(), i)
	}
	t, at := optimise.ChooseLookup(n, firsts, optimise.TypesOf(keys))
	if t == nil {
		return nil
	}
	t.OuterLookup = true
	return plan.Keyed{Tree: plan.Tree{N: n}, Table: t, Keys: at}
}
