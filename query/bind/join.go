package bind

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
)

// join plans a join: equalities between the sides become hash keys. Where the right side reads args of
// the left one, it runs for each row.
func (b *Binder) join(r *ast.Join, left, right plan.Node, args []expr.Expr) (plan.Node, error) {
	if r.Natural {
		r = natural(r, left, right)
	}
	switch r.Kind {
	case "RIGHT":
		return b.rightJoin(r, left, right)
	case "FULL":
		return b.fullJoin(r, left, right)
	}
	l, rc := left.Columns(), right.Columns()
	for _, c := range rc {
		for _, d := range l {
			if c.Table != "" && c.Table == d.Table {
				return nil, plan.Errorf(r.Pos, "42712", "name one with AS", "table name %s stands twice in FROM",
					c.Table)
			}
		}
	}
	if w := plan.OpenWorkTable(right); w != nil && r.Kind == "LEFT" {
		return nil, plan.Errorf(r.Right.Position(), plan.CodeRecursion, "put it on the left side",
			"%s cannot stand on the side of LEFT JOIN whose rows may be missing", w.Name)
	}
	n := &plan.Join{Kind: r.Kind, Left: left, Right: right}
	n.Cols = append(append([]plan.Column{}, l...), rc...)
	var conds []expr.Expr
	s := &scope{cols: n.Cols, mark: plan.ReadMarker(n)}
	switch {
	case r.On != nil:
		on, err := b.bind(r.On, s)
		if err != nil {
			return nil, err
		}
		if err := condition(r.On, on); err != nil {
			return nil, err
		}
		conds = expr.Conjuncts(on)
	case len(r.Using) > 0:
		for _, name := range r.Using {
			c := &ast.Column{Pos: r.Pos, Parts: []string{name}}
			i, err := (&scope{cols: l, mark: plan.ReadMarker(left)}).find(c)
			if err != nil {
				return nil, err
			}
			j, err := (&scope{cols: rc}).find(c)
			if err != nil {
				return nil, err
			}
			s.mark(i)
			s.mark(len(l) + j)
			n.Cols[len(l)+j].Merged = true
			conds = append(conds, &expr.Compare{Op: "=", X: plan.Col(n.Cols, i), Y: plan.Col(n.Cols, len(l)+j)})
		}
	}
	if !b.Off["push"] {
		conds = optimise.PushOn(n, conds, len(args) > 0)
	}
	n.AddConditions(conds)
	if len(args) > 0 {
		return &plan.Apply{Kind: n.Kind, Left: n.Left, Right: n.Right, Args: args, On: n.Condition(), Cols: n.Cols}, nil
	}
	return n, nil
}

// natural names the columns that both sides of a NATURAL JOIN have.
func natural(r *ast.Join, left, right plan.Node) *ast.Join {
	out := *r
	out.Natural = false
	for _, c := range left.Columns() {
		same := func(d plan.Column) bool { return d.Name == c.Name && !d.Hidden && !d.Merged }
		if !c.Hidden && !c.Merged && slices.ContainsFunc(right.Columns(), same) {
			out.Using = append(out.Using, c.Name)
		}
	}
	if out.Using == nil && out.Kind == "INNER" {
		out.Kind = "CROSS"
	}
	return &out
}

// rightJoin is a LEFT JOIN with the sides exchanged, and the columns in their order.
func (b *Binder) rightJoin(r *ast.Join, left, right plan.Node) (plan.Node, error) {
	swapped := *r
	swapped.Kind = "LEFT"
	n, err := b.join(&swapped, right, left, nil)
	if err != nil {
		return nil, err
	}
	cols, first := n.Columns(), len(right.Columns())
	p := &plan.Project{Input: n}
	for i := range cols {
		i = (i + first) % len(cols)
		p.Exprs, p.Cols = append(p.Exprs, plan.Col(cols, i)), append(p.Cols, cols[i])
	}
	return p, nil
}
