package plan

import (
	"fmt"
	"strings"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/storage/value"
)

// Select plans a query and applies the rules.
func (b *Binder) Select(sel *ast.Select) (Node, error) {
	outer := b.ctes
	defer func() { b.ctes = outer }()
	for _, c := range sel.With {
		n, err := b.Select(c.Select)
		if err != nil {
			return nil, err
		}
		next := map[string]Node{c.Name: n}
		for k, v := range b.ctes {
			if k != c.Name {
				next[k] = v
			}
		}
		b.ctes = next
	}
	if len(sel.Unions) == 0 {
		return b.core(sel, sel.OrderBy, sel.Limit, sel.Offset)
	}
	return b.union(sel)
}

func (b *Binder) union(sel *ast.Select) (Node, error) {
	n, err := b.core(sel, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	for _, u := range sel.Unions {
		right, err := b.core(u.Select, nil, nil, nil)
		if err != nil {
			return nil, err
		}
		l, r := n.Columns(), right.Columns()
		if len(l) != len(r) {
			return nil, Errorf(u.Pos, ast.CodeSyntax, "", "UNION joins %d columns with %d", len(l), len(r))
		}
		cols := make([]Column, len(l))
		for i := range cols {
			cols[i] = Column{Name: l[i].Name, Type: common(l[i].Type, r[i].Type)}
		}
		n = &Union{Parts: []Node{cast(n, cols), cast(right, cols)}, cols: cols}
		if !u.All {
			n = &Distinct{Input: n}
		}
	}
	cols := n.Columns()
	s := &scope{cols: cols}
	var keys []SortKey
	for _, o := range sel.OrderBy {
		i, err := ordinal(o.Expr, cols)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			c, ok := o.Expr.(*ast.Column)
			if !ok {
				return nil, Errorf(o.Pos, CodeFeature, "", "a UNION is ordered by a column's name or number")
			}
			if i, err = s.find(c); err != nil {
				return nil, err
			}
		}
		keys = append(keys, sortKey(i, o))
	}
	if len(keys) > 0 {
		n = &Sort{Input: n, Keys: keys, Keep: len(cols)}
	}
	return b.limit(n, sel.Limit, sel.Offset)
}

// cast projects n to the types of cols.
func cast(n Node, cols []Column) Node {
	p := &Project{Input: n, cols: cols}
	same := true
	for i, c := range n.Columns() {
		var x expr.Expr = &expr.Col{Index: i, Name: c.Name, T: c.Type}
		if c.Type != cols[i].Type && c.Type != value.Null {
			x, same = &expr.Cast{X: x, T: cols[i].Type}, false
		}
		p.Exprs = append(p.Exprs, x)
	}
	if same {
		return n
	}
	return p
}

func sortKey(i int, o ast.Order) SortKey {
	return SortKey{Col: i, Desc: o.Desc, NullsFirst: o.Nulls == "FIRST" || o.Nulls == "" && o.Desc}
}

// ordinal returns the 0-based column that ORDER BY 2 names, or -1.
func ordinal(e ast.Expr, cols []Column) (int, error) {
	l, ok := e.(*ast.Literal)
	if !ok {
		return -1, nil
	}
	i, ok := l.Value.(int64)
	if !ok {
		return -1, nil
	}
	if i < 1 || i > int64(len(cols)) {
		return -1, Errorf(l.Pos, CodeInvalid, "", "there is no column %d in the select list, it has %d", i, len(cols))
	}
	return int(i - 1), nil
}

func (b *Binder) limit(n Node, limit, offset ast.Expr) (Node, error) {
	if limit == nil && offset == nil {
		return n, nil
	}
	l := &Limit{Input: n}
	for _, p := range []struct {
		e   ast.Expr
		dst *expr.Expr
	}{{limit, &l.Limit}, {offset, &l.Offset}} {
		if p.e == nil {
			continue
		}
		x, err := b.bind(p.e, &scope{})
		if err != nil {
			return nil, err
		}
		if c, ok := x.(*expr.Const); ok && (c.V.T != value.Integer || c.V.Int() < 0) && !c.V.IsNull() {
			return nil, Errorf(p.e.Position(), CodeInvalid, "", "LIMIT and OFFSET take a whole number from 0, not %s", c)
		}
		*p.dst = x
	}
	return l, nil
}

// core plans one SELECT without unions.
func (b *Binder) core(sel *ast.Select, order []ast.Order, limit, offset ast.Expr) (Node, error) {
	sel, err := b.layerSugar(sel)
	if err != nil {
		return nil, err
	}
	n, err := b.from(sel.From)
	if err != nil {
		return nil, err
	}
	s := &scope{cols: n.Columns(), mark: marker(n)}
	if sel.Where != nil {
		where, err := b.bind(sel.Where, s)
		if err != nil {
			return nil, err
		}
		if err := condition(sel.Where, where); err != nil {
			return nil, err
		}
		if b.Off["push"] {
			n = &Filter{Input: n, Cond: where}
		} else {
			n = push(n, expr.Conjuncts(where))
		}
	}
	items, err := expand(sel.Items, s)
	if err != nil {
		return nil, err
	}
	if len(sel.GroupBy) > 0 || sel.Having != nil || b.aggregates(items, order) {
		if n, s, err = b.group(n, s, sel, items, order); err != nil {
			return nil, err
		}
	}
	return b.project(n, s, sel, items, order, limit, offset)
}

// project binds items and order, and stacks project, distinct, sort and limit.
func (b *Binder) project(n Node, s *scope, sel *ast.Select, items []ast.Item, order []ast.Order, limit, offset ast.Expr) (Node, error) {
	p := &Project{Input: n}
	for _, it := range items {
		x, err := b.bind(it.Expr, s)
		if err != nil {
			return nil, err
		}
		p.Exprs = append(p.Exprs, x)
		p.cols = append(p.cols, Column{Name: itemName(it), Type: x.Type()})
	}
	keep := len(p.cols)
	keys, err := b.orderKeys(p, s, sel, items, order)
	if err != nil {
		return nil, err
	}
	var out Node = p
	if sel.Distinct {
		out = &Distinct{Input: out}
	}
	if len(keys) > 0 {
		out = &Sort{Input: out, Keys: keys, Keep: keep}
	}
	return b.limit(out, limit, offset)
}

// orderKeys binds ORDER BY: a number, an item's alias, or an expression, which becomes a
// further column of the projection.
func (b *Binder) orderKeys(p *Project, s *scope, sel *ast.Select, items []ast.Item, order []ast.Order) ([]SortKey, error) {
	visible := p.cols
	var keys []SortKey
	for _, o := range order {
		i, err := ordinal(o.Expr, visible)
		if err != nil {
			return nil, err
		}
		if c, ok := o.Expr.(*ast.Column); ok && i < 0 && len(c.Parts) == 1 {
			for k, it := range items {
				if it.Alias == c.Parts[0] {
					i = k
				}
			}
		}
		if i < 0 {
			x, err := b.bind(o.Expr, s)
			if err != nil {
				return nil, err
			}
			for k := range p.Exprs {
				if p.Exprs[k].String() == x.String() {
					i = k
				}
			}
			if i < 0 {
				if sel.Distinct {
					return nil, Errorf(o.Pos, "42P10", "", "with DISTINCT, ORDER BY names items of the select list")
				}
				p.Exprs = append(p.Exprs, x)
				p.cols = append(p.cols, Column{Name: o.Expr.String(), Type: x.Type(), Hidden: true})
				i = len(p.cols) - 1
			}
		}
		keys = append(keys, sortKey(i, o))
	}
	return keys, nil
}

func itemName(it ast.Item) string {
	if it.Alias != "" {
		return it.Alias
	}
	switch e := it.Expr.(type) {
	case *ast.Column:
		return e.Parts[len(e.Parts)-1]
	case *ast.Call:
		return strings.ToLower(e.Name)
	case *ast.Cast:
		return itemName(ast.Item{Expr: e.X})
	case *ast.Case:
		return "case"
	}
	return "column"
}

// expand replaces * by columns.
func expand(items []ast.Item, s *scope) ([]ast.Item, error) {
	var out []ast.Item
	for _, it := range items {
		star, ok := it.Expr.(*ast.Star)
		if !ok {
			out = append(out, it)
			continue
		}
		table := ""
		if len(star.Qualifier) > 0 {
			table = star.Qualifier[len(star.Qualifier)-1]
		}
		found := false
		for _, c := range s.cols {
			if c.Hidden || table != "" && c.Table != table {
				continue
			}
			found = true
			out = append(out, ast.Item{Pos: star.Pos, Expr: &ast.Column{Pos: star.Pos, Parts: []string{c.Table, c.Name}}, Alias: c.Name})
		}
		if !found {
			return nil, Errorf(star.Pos, CodeUndefinedTable, "", "there are no columns for %s", star)
		}
	}
	return out, nil
}

// layerSugar turns SELECT entities FROM docs into SELECT * FROM docs.entities, where the
// items are layers of the one corpus that FROM names.
func (b *Binder) layerSugar(sel *ast.Select) (*ast.Select, error) {
	if len(sel.From) != 1 {
		return sel, nil
	}
	t, ok := sel.From[0].(*ast.Table)
	if !ok || t.Ref.Name == "" || t.Ref.Path != "" || t.Ref.HasArgs || t.Ref.Text != nil || t.Ref.Rows != nil {
		return sel, nil
	}
	o, ok := b.Catalog.Object(t.Ref.Name)
	if !ok || o.Kind != "corpus" || b.ctes[t.Ref.Name] != nil {
		return sel, nil
	}
	var layers []string
	for _, it := range sel.Items {
		c, ok := it.Expr.(*ast.Column)
		if !ok || len(c.Parts) != 1 || o.Column(c.Parts[0]) >= 0 || b.layerDef(o, c.Parts[0]) == nil {
			return sel, nil
		}
		layers = append(layers, c.Parts[0])
	}
	if len(layers) > 1 {
		return nil, Errorf(sel.Items[1].Pos, CodeFeature,
			fmt.Sprintf("SELECT … FROM %s.%s a JOIN %s.%s b ON a.doc = b.doc AND a.sent = b.sent", o.Name, layers[0], o.Name, layers[1]),
			"%s and %s have different keys, one select list cannot hold both", layers[0], layers[1])
	}
	ref := *t
	ref.Ref.Path = layers[0]
	if ref.Alias == "" {
		ref.Alias = layers[0]
	}
	out := *sel
	out.From = []ast.TableRef{&ref}
	out.Items = []ast.Item{{Pos: sel.Items[0].Pos, Expr: &ast.Star{Pos: sel.Items[0].Pos}}}
	return &out, nil
}
