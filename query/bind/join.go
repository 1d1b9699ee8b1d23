package bind

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
)

// join plans a join. Equalities between the sides become hash keys. A right side that reads args of the left one is run
// for each of its rows.
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
	conds, err := b.joinConditions(r, n)
	if err != nil {
		return nil, err
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

// joinConditions binds ON or USING. Columns of the right side that USING names are marked as merged.
func (b *Binder) joinConditions(r *ast.Join, n *plan.Join) (conds []expr.Expr, err error) {
	s := &scope{cols: n.Cols, mark: plan.ReadMarker(n)}
	if r.On != nil {
		on, err := b.bind(r.On, s)
		if err != nil {
			return nil, err
		}
		return expr.Conjuncts(on), checkCondition(r.On, on)
	}
	l, rc := n.Left.Columns(), n.Right.Columns()
	for _, name := range r.Using {
		c := &ast.Column{Pos: r.Pos, Parts: []string{name}}
		i, err := (&scope{cols: l, mark: plan.ReadMarker(n.Left)}).find(c)
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
		x, y, err := b.comparable(r.Pos, c, c, plan.Col(n.Cols, i), plan.Col(n.Cols, len(l)+j))
		if err != nil {
			return nil, err
		}
		conds = append(conds, &expr.Compare{Op: "=", X: x, Y: y})
	}
	return conds, nil
}

// natural turns NATURAL JOIN into JOIN … USING the columns that both sides have.
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

// rightJoin plans a RIGHT JOIN as a LEFT JOIN with the sides exchanged, and brings the columns back into their order.
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
