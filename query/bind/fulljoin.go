package bind

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// fullJoin is a LEFT JOIN, then the rows of the right side that have no match, with NULL for the left side.
// Both sides are computed once.
func (b *Binder) fullJoin(r *ast.Join, left, right plan.Node) (plan.Node, error) {
	for _, n := range []plan.Node{left, right} {
		if w := plan.OpenWorkTable(n); w != nil {
			return nil, plan.Errorf(r.Pos, plan.CodeRecursion, "join it with LEFT JOIN, on the left side",
				"%s cannot stand in a FULL JOIN, whose rows may be missing", w.Name)
		}
	}
	outer := *r
	outer.Kind = "LEFT"
	left, right = sharedCTE(left), sharedCTE(right)
	found, err := b.join(&outer, readCTE(left), readCTE(right), nil)
	if err != nil {
		return nil, err
	}
	cols, first := found.Columns(), len(left.Columns())
	there := &plan.Project{Input: readCTE(left),
		Cols: append(append([]plan.Column{}, left.Columns()...), plan.Column{Hidden: true, Type: value.Boolean})}
	for i := range left.Columns() {
		there.Exprs = append(there.Exprs, plan.Col(left.Columns(), i))
	}
	there.Exprs = append(there.Exprs, &expr.Const{V: value.Bool(true)})
	swapped, err := b.join(&outer, readCTE(right), there, nil)
	if err != nil {
		return nil, err
	}
	all := swapped.Columns()
	alone := &plan.Project{Input: &plan.Filter{Input: swapped, Cond: &expr.IsNull{X: plan.Col(all, len(all)-1)}},
		Cols: cols}
	for i, c := range cols {
		var x expr.Expr = &expr.Cast{X: &expr.Const{}, T: c.Type}
		if i >= first {
			x = plan.Col(all, i-first)
		}
		alone.Exprs = append(alone.Exprs, x)
	}
	return b.coalesced(&plan.Union{Parts: []plan.Node{found, alone}, Cols: cols}, first), nil
}

// coalesced puts the columns of USING first, with the value of the side that has one. Column first is the first of the
// right side.
func (b *Binder) coalesced(n plan.Node, first int) plan.Node {
	p, sides := &plan.Project{Input: n}, append([]plan.Column{}, n.Columns()...)
	for k, c := range sides[first:] {
		i := slices.IndexFunc(sides[:first], func(d plan.Column) bool { return d.Name == c.Name && !d.Merged })
		if !c.Merged || i < 0 {
			continue
		}
		sides[i].Merged = true
		t, _ := meet(sides[i].Type, c.Type)
		p.Exprs = append(p.Exprs, &expr.Call{F: b.Catalog.Declared.Functions.Scalar("coalesce"),
			Args: []expr.Expr{plan.Col(sides, i), plan.Col(sides, first+k)}, T: t})
		p.Cols = append(p.Cols, plan.Column{Name: c.Name, Type: t})
	}
	if len(p.Cols) == 0 {
		return n
	}
	for i, c := range sides {
		p.Exprs, p.Cols = append(p.Exprs, plan.Col(sides, i)), append(p.Cols, c)
	}
	return p
}

// sharedCTE makes a CTE of a side, so that two joins can read it.
func sharedCTE(n plan.Node) *plan.CTE {
	p := &plan.Project{Input: n}
	for i, c := range n.Columns() {
		if c.Hidden {
			continue
		}
		plan.MarkRead(n, i)
		p.Exprs = append(p.Exprs, plan.Col(n.Columns(), i))
		p.Cols = append(p.Cols,
			plan.Column{Table: c.Table, Name: c.Name, Type: c.Type, Merged: c.Merged, Document: c.Document})
	}
	return &plan.CTE{Name: "side of full join", Input: p, Uses: 2, Cols: p.Cols, Size: 1}
}

// readCTE returns a reader of a shared side.
func readCTE(n plan.Node) plan.Node {
	return &plan.Rename{Input: n, Cols: append([]plan.Column{}, n.Columns()...)}
}
