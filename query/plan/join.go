package plan

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
)

// join plans a join: equalities between the sides become hash keys. Where the right side reads args of
// the left one, it runs for each row.
func (b *Binder) join(r *ast.Join, left, right Node, args []expr.Expr) (Node, error) {
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
				return nil, Errorf(r.Pos, "42712", "name one with AS", "table name %s stands twice in FROM", c.Table)
			}
		}
	}
	if w := unfinished(right); w != nil && r.Kind == "LEFT" {
		return nil, Errorf(r.Right.Position(), CodeRecursion, "put it on the left side", "%s cannot stand on the side of LEFT JOIN whose rows may be missing", w.Name)
	}
	n := &Join{Kind: r.Kind, Left: left, Right: right}
	n.cols = append(append([]Column{}, l...), rc...)
	var conds []expr.Expr
	s := &scope{cols: n.cols, mark: marker(n)}
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
			i, err := (&scope{cols: l, mark: marker(left)}).find(c)
			if err != nil {
				return nil, err
			}
			j, err := (&scope{cols: rc}).find(c)
			if err != nil {
				return nil, err
			}
			s.mark(i)
			s.mark(len(l) + j)
			n.cols[len(l)+j].Merged = true
			conds = append(conds, &expr.Compare{Op: "=", X: col(n.cols, i), Y: col(n.cols, len(l)+j)})
		}
	}
	if !b.Off["push"] {
		conds = n.pushOn(conds, len(args) > 0)
	}
	n.addConditions(conds)
	if len(args) > 0 {
		return &Apply{Kind: n.Kind, Left: n.Left, Right: n.Right, Args: args, On: n.condition(), cols: n.cols}, nil
	}
	return n, nil
}

// natural names the columns that both sides of a NATURAL JOIN have.
func natural(r *ast.Join, left, right Node) *ast.Join {
	out := *r
	out.Natural = false
	for _, c := range left.Columns() {
		same := func(d Column) bool { return d.Name == c.Name && !d.Hidden && !d.Merged }
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
func (b *Binder) rightJoin(r *ast.Join, left, right Node) (Node, error) {
	swapped := *r
	swapped.Kind = "LEFT"
	n, err := b.join(&swapped, right, left, nil)
	if err != nil {
		return nil, err
	}
	cols, first := n.Columns(), len(right.Columns())
	p := &Project{Input: n}
	for i := range cols {
		i = (i + first) % len(cols)
		p.Exprs, p.cols = append(p.Exprs, col(cols, i)), append(p.cols, cols[i])
	}
	return p, nil
}

func col(cols []Column, i int) *expr.Col {
	return &expr.Col{Index: i, Name: cols[i].Name, T: cols[i].Type}
}

// addConditions makes keys of equalities between the sides and keeps the rest.
func (n *Join) addConditions(conds []expr.Expr) {
	k := len(n.Left.Columns())
	for _, c := range conds {
		if cmp, ok := c.(*expr.Compare); ok && cmp.Op == "=" {
			x, y := side(cmp.X, k), side(cmp.Y, k)
			if x == 2 && y == 1 {
				cmp = &expr.Compare{Op: "=", X: cmp.Y, Y: cmp.X}
				x, y = 1, 2
			}
			if x == 1 && y == 2 {
				n.LeftKeys = append(n.LeftKeys, cmp.X)
				n.RightKeys = append(n.RightKeys, shift(cmp.Y, -k))
				if n.Kind == "CROSS" {
					n.Kind = "INNER"
				}
				continue
			}
		}
		if n.Kind == "CROSS" {
			n.Kind = "INNER"
		}
		n.On = expr.And(append(expr.Conjuncts(n.On), c))
	}
}

// side tells which side of a join an expression reads: 0 none, 1 left, 2 right, 3 both.
func side(e expr.Expr, k int) int {
	out := 0
	for _, i := range expr.Columns(e) {
		if i < k {
			out |= 1
		} else {
			out |= 2
		}
	}
	return out
}
