package plan

import (
	"slices"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/value"
)

// fullJoin is a LEFT JOIN, then the rows of the right side that have no match, with NULL for the left side.
// Both sides are computed once.
func (b *Binder) fullJoin(r *ast.Join, left, right Node) (Node, error) {
	for _, n := range []Node{left, right} {
		if w := unfinished(n); w != nil {
			return nil, Errorf(r.Pos, CodeRecursion, "join it with LEFT JOIN, on the left side", "%s cannot stand in a FULL JOIN, whose rows may be missing", w.Name)
		}
	}
	outer := *r
	outer.Kind = "LEFT"
	left, right = sharedSide(left), sharedSide(right)
	found, err := b.join(&outer, reader(left), reader(right), nil)
	if err != nil {
		return nil, err
	}
	cols, first := found.Columns(), len(left.Columns())
	there := &Project{Input: reader(left), cols: append(append([]Column{}, left.Columns()...), Column{Hidden: true, Type: value.Boolean})}
	for i := range left.Columns() {
		there.Exprs = append(there.Exprs, col(left.Columns(), i))
	}
	there.Exprs = append(there.Exprs, &expr.Const{V: value.Bool(true)})
	swapped, err := b.join(&outer, reader(right), there, nil)
	if err != nil {
		return nil, err
	}
	all := swapped.Columns()
	alone := &Project{Input: &Filter{Input: swapped, Cond: &expr.IsNull{X: col(all, len(all)-1)}}, cols: cols}
	for i, c := range cols {
		var x expr.Expr = &expr.Cast{X: &expr.Const{}, T: c.Type}
		if i >= first {
			x = col(all, i-first)
		}
		alone.Exprs = append(alone.Exprs, x)
	}
	return b.coalesced(&Union{Parts: []Node{found, alone}, cols: cols}, first), nil
}

// coalesced puts the columns of USING first, with the value of either side; those of the sides, the right of
// which begins at first, are named with their table.
func (b *Binder) coalesced(n Node, first int) Node {
	p, sides := &Project{Input: n}, append([]Column{}, n.Columns()...)
	for k, c := range sides[first:] {
		i := slices.IndexFunc(sides[:first], func(d Column) bool { return d.Name == c.Name && !d.Merged })
		if !c.Merged || i < 0 {
			continue
		}
		sides[i].Merged = true
		t := common(sides[i].Type, c.Type)
		p.Exprs = append(p.Exprs, &expr.Call{F: b.Catalog.Functions().Scalar("coalesce"), Args: []expr.Expr{col(sides, i), col(sides, first+k)}, T: t})
		p.cols = append(p.cols, Column{Name: c.Name, Type: t})
	}
	if len(p.cols) == 0 {
		return n
	}
	for i, c := range sides {
		p.Exprs, p.cols = append(p.Exprs, col(sides, i)), append(p.cols, c)
	}
	return p
}

// sharedSide lets two joins read the columns of a table that are not hidden.
func sharedSide(n Node) *Shared {
	p := &Project{Input: n}
	for i, c := range n.Columns() {
		if c.Hidden {
			continue
		}
		mark(n, i)
		p.Exprs = append(p.Exprs, col(n.Columns(), i))
		p.cols = append(p.cols, Column{Table: c.Table, Name: c.Name, Type: c.Type, Merged: c.Merged, Document: c.Document})
	}
	return &Shared{Name: "side of full join", Input: p, Uses: 2, cols: p.cols, size: 1}
}

// reader reads the rows of a shared side.
func reader(n Node) Node { return &Rename{Input: n, cols: append([]Column{}, n.Columns()...)} }
