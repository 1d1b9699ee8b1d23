package bind

import (
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/value"
)

// outerQuery is an outer query as its subselect sees it: the columns of its row, and those that
// the subselect reads.
type outerQuery struct {
	parent *outerQuery
	scope  *scope
	args   []expr.Expr // over the row of the outer query; an expr.Arg names one by place
	value  bool        // the subselect stands for a value
}

// subKey names a subselect and where it stands, which is bound once however often the
// expression around it is.
type subKey struct {
	sel   *ast.Select
	scope *scope
}

// outerColumn binds a column of an outer query; it is nil if there is none.
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

// subplan plans a select as a subselect of scope s and returns what it reads of the outer row.
func (b *Binder) subplan(sel *ast.Select, s *scope, k *correlation) (plan.Node, []expr.Expr, error) {
	f := &outerQuery{parent: b.outer, scope: s, value: true}
	outer, saved := b.outer, b.correlation
	b.outer, b.correlation = f, k
	defer func() { b.outer, b.correlation = outer, saved }()
	n, err := b.Select(sel)
	return n, f.args, err
}

// bindSub plans a subselect, which may read columns of the queries around it.
func (b *Binder) bindSub(sel *ast.Select, mode expr.LazyMode, x expr.Expr, negated bool, s *scope) (expr.Expr, error) {
	key := subKey{sel, s}
	if known, ok := b.subs[key]; ok {
		l := *known
		l.X = x
		return &l, nil
	}
	n, args, err := b.subplan(sel, s, nil)
	if err != nil {
		return nil, err
	}
	cols := n.Columns()
	t := value.Boolean
	if mode != expr.NonEmpty {
		if len(cols) != 1 {
			return nil, plan.Errorf(sel.Pos, ast.CodeSyntax, "", "the subselect must have one column, it has %d",
				len(cols))
		}
		switch mode {
		case expr.Scalar:
			t = cols[0].Type
		case expr.Collected:
			t = value.JSON
		}
	}
	b.Stateful = true
	if mode == expr.Member {
		n = &plan.Distinct{Input: n}
	}
	l := &expr.Lazy{Label: sel.String(), T: t, Mode: mode, X: x, Not: negated}
	ordered := mode == expr.Collected && (len(sel.OrderBy) > 0 || sel.Distinct)
	if len(args) == 0 || ordered || b.Off["decorrelate"] || !b.decorrelate(l, sel, s) {
		limit := map[expr.LazyMode]int{expr.Scalar: 2, expr.NonEmpty: 1}[mode]
		n = optimise.Optimise(n, b.subselectRulesOff())
		l.Outer, l.Plan, l.Rows = args, plan.Tree{N: n}, b.rows(n, limit)
	}
	l.Reset()
	if b.subs == nil {
		b.subs = map[subKey]*expr.Lazy{}
	}
	b.subs[key] = l
	return l, nil
}

// lookUpMembers lets conditions x IN (SELECT …) look few values of x up. NULL in place of false changes nothing there.
func (b *Binder) lookUpMembers(conds []expr.Expr) []expr.Expr {
	for i, c := range conds {
		l, ok := c.(*expr.Lazy)
		if !ok || !l.Alone() {
			continue
		}
		if lookup := b.indexLookup(plan.Subselect(l), []expr.Expr{l.X}); lookup != nil {
			own := *l
			own.Seek = lookup
			own.Reset()
			conds[i] = &own
		}
	}
	return conds
}

// subselectRulesOff is the rules to leave out of subselects: a WITH clause around them may have readers
// that are not bound yet.
func (b *Binder) subselectRulesOff() map[string]bool {
	off := map[string]bool{"with": true}
	for name := range b.Off {
		off[name] = true
	}
	return off
}

// rows returns what runs a plan and reads at most limit rows, 0 for all.
func (b *Binder) rows(n plan.Node, limit int) func(*expr.Env) ([][]value.Value, error) {
	run := b.Catalog.Run
	return func(env *expr.Env) ([][]value.Value, error) { return run(env, n, limit) }
}

// correlation is the equalities between a subselect and its outer query that its plan leaves
// out: the plan yields the inner sides as its first columns instead.
type correlation struct {
	sel   *ast.Select // whose WHERE gives them up
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
func (b *Binder) decorrelate(l *expr.Lazy, sel *ast.Select, s *scope) bool {
	agg := b.aggregates(sel.Items, nil)
	simple := sel.With == nil && sel.Unions == nil && sel.On == nil && sel.Limit == nil && sel.Offset == nil &&
		sel.GroupBy == nil && sel.Having == nil &&
		sel.Where != nil && !b.windowed(sel) && (!agg || l.Mode == expr.Scalar) &&
		(!sel.Distinct || l.Mode != expr.Scalar)
	if !simple {
		return false
	}
	plain := *sel
	plain.OrderBy, plain.Distinct = nil, false
	if l.Mode == expr.NonEmpty {
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
	l.Seek = b.indexLookup(n, keys)
	n = optimise.Optimise(n, b.subselectRulesOff())
	l.Plan, l.Rows, l.Keys = plan.Tree{N: n}, b.rows(n, 0), keys
	if agg {
		none := plain
		none.Where = &ast.Literal{Pos: sel.Pos, Value: false}
		d, _, err := b.subplan(&none, s, nil)
		if err != nil || plan.ReadsOuter(d) {
			return false
		}
		l.Default = b.rows(d, 1)
	}
	return true
}

// take moves equalities between the two queries out of the conditions of WHERE.
func (k *correlation) take(conds []expr.Expr) []expr.Expr {
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

// indexLookup lets a subselect look up the rows whose first columns equal the keys of few outer rows; nil where no
// index finds them.
func (b *Binder) indexLookup(n plan.Node, keys []expr.Expr) expr.Seek {
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
	run := b.Catalog.LookupRows
	return func(env *expr.Env, keys [][]value.Value, total int) ([][]value.Value, bool, error) {
		of := make([][]value.Value, len(keys))
		for i, key := range keys {
			for _, k := range at {
				of[i] = append(of[i], key[k])
			}
		}
		return run(env, n, t, of, total)
	}
}
