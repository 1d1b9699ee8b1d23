package bind

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"parlance/algo/option"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/optimise"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// cte is a select of a WITH clause, for those who name it.
type cte struct {
	node       *plan.CTE
	outerQuery *outerQuery  // in which it was bound
	correlated bool         // it reads the row of an outer query
	plan       func() error // plans one of WITH RECURSIVE that waits; nil once it is planned
	recursion  *recursion   // of one that is being planned; else nil
}

// Select plans a query.
func (b *Binder) Select(sel *ast.Select) (plan.Node, error) {
	outer := b.ctes
	defer func() { b.ctes = outer }()
	if err := b.withClause(sel); err != nil {
		return nil, err
	}
	if len(sel.Unions) == 0 {
		return b.core(sel, sel)
	}
	return b.setOperations(sel)
}

// withClause plans the selects of a WITH clause and adds them to the scope.
func (b *Binder) withClause(sel *ast.Select) error {
	for i, c := range sel.With {
		if slices.ContainsFunc(sel.With[:i], func(other ast.CTE) bool { return other.Name == c.Name }) {
			return plan.Errorf(c.Pos, "42712", "give one another name", "%s stands twice in the WITH clause", c.Name)
		}
	}
	if sel.Recursive {
		return b.recursive(sel.With)
	}
	defining := b.defining
	defer func() { b.defining = defining }()
	for _, c := range sel.With {
		b.defining = c.Name
		entry, err := b.bindCTE(c)
		if err != nil {
			return err
		}
		next := map[string]*cte{c.Name: entry}
		for k, v := range b.ctes {
			if k != c.Name {
				next[k] = v
			}
		}
		b.ctes = next
	}
	return nil
}

// bindCTE plans a select of a WITH clause.
func (b *Binder) bindCTE(c ast.CTE) (*cte, error) {
	defer b.countExpansion()()
	n, err := b.Select(c.Select)
	if err != nil {
		return nil, err
	}
	return b.newCTE(c, n)
}

// maxExpanded is the most selects that a query may expand to when each CTE is replaced by its text. Rules walk that
// expansion, which can double with each CTE.
const maxExpanded = 10_000

// countExpansion starts counting the expansion of a CTE; the function that it returns goes on with the query around.
func (b *Binder) countExpansion() func() {
	around := b.expanded
	b.expanded = 0
	return func() { b.expanded = around }
}

// newCTE returns the entry of a planned select of a WITH clause.
func (b *Binder) newCTE(c ast.CTE, n plan.Node) (*cte, error) {
	cols, err := columnsOf(c, n)
	if err != nil {
		return nil, err
	}
	return &cte{node: &plan.CTE{Name: c.Name, Input: n, Cols: cols, Size: 1 + b.expanded}, outerQuery: b.outer,
		correlated: plan.ReadsOuter(n)}, nil
}

// columnsOf is the columns of a select under the names that the WITH clause gives.
func columnsOf(c ast.CTE, n plan.Node) ([]plan.Column, error) {
	cols := visible(n.Columns())
	if len(c.Columns) > 0 {
		if len(c.Columns) != len(cols) {
			return nil, plan.Errorf(c.Pos, ast.CodeSyntax, "", "%s names %d {column|columns}, its select has %d", c.Name,
				len(c.Columns), len(cols))
		}
		for i, name := range c.Columns {
			cols[i].Name = name
		}
	}
	return cols, nil
}

// visible returns a copy of the columns, which belong to no table.
func visible(cols []plan.Column) []plan.Column {
	out := make([]plan.Column, len(cols))
	for i, c := range cols {
		out[i] = plan.Column{Name: c.Name, Type: c.Type, Hidden: c.Hidden, Catalog: c.Catalog, Members: c.Members}
	}
	return out
}

func sortKey(i int, o ast.Order) plan.SortKey {
	return plan.SortKey{Col: i, Desc: o.Desc, NullsFirst: o.Nulls == "FIRST" || o.Nulls == "" && o.Desc}
}

// ordinal returns the 0-based column that ORDER BY 2 names, or -1.
func ordinal(e ast.Expr, cols []plan.Column) (int, error) {
	l, ok := e.(*ast.Literal)
	if !ok {
		return -1, nil
	}
	i, ok := l.Value.(int64)
	if !ok {
		return -1, nil
	}
	if i < 1 || i > int64(len(cols)) {
		return -1, plan.Errorf(l.Pos, plan.CodeColumn, "", "there is no column %d in the select list, it has %d", i,
			len(cols))
	}
	return int(i - 1), nil
}

// limit plans LIMIT and OFFSET; with PER the limit counts the rows of each group, with ties it takes
// the rows that equal the last one in these keys.
func (b *Binder) limit(n plan.Node, sel *ast.Select, per []int, ties []plan.SortKey) (plan.Node, error) {
	limit, offset := sel.Limit, sel.Offset
	if limit == nil && offset == nil {
		return n, nil
	}
	l := &plan.Limit{Input: n, Per: per, Ties: ties}
	for _, p := range []struct {
		e   ast.Expr
		dst *expr.Expr
		at  *ast.Pos
	}{{limit, &l.Limit, &l.LimitAt}, {offset, &l.Offset, &l.OffsetAt}} {
		if p.e == nil {
			continue
		}
		x, err := b.bind(p.e, &scope{})
		if err != nil {
			return nil, err
		}
		x = adapted(x, value.Integer)
		if c, ok := x.(*expr.Const); ok && (c.V.T != value.Integer || c.V.Int() < 0) && !c.V.IsNull() {
			return nil, NotRows(p.e.Position(), c.V)
		}
		b.Types.expect(x, value.Integer)
		*p.dst, *p.at = x, p.e.Position()
	}
	return l, nil
}

// NotRows is the error of a LIMIT or OFFSET that is no number of rows.
func NotRows(at ast.Pos, v value.Value) error {
	return plan.Errorf(at, plan.CodeInvalid, "NULL is no limit", "LIMIT and OFFSET take a whole number from 0, not %s",
		&expr.Const{V: v})
}

// core plans one SELECT without set operations; order and limit are those of around.
func (b *Binder) core(sel, around *ast.Select) (plan.Node, error) {
	k := b.correlation
	if b.correlation = nil; k != nil && k.sel != sel {
		k = nil
	}
	sel, err := b.layerSugar(sel)
	if err != nil {
		return nil, err
	}
	n, err := b.from(sel.From)
	if err != nil {
		return nil, err
	}
	s := &scope{cols: n.Columns(), mark: plan.ReadMarker(n)}
	if sel.Where != nil {
		if n, err = b.where(n, s, sel.Where, k); err != nil {
			return nil, err
		}
	}
	items, err := expand(sel.Items, s)
	if err != nil {
		return nil, err
	}
	keys := k.columns()
	grouped := len(sel.GroupBy) > 0 || sel.Having != nil || b.aggregates(items, around.OrderBy)
	keyRows, rows, err := b.selectRows(s, sel, items, around.OrderBy)
	if err != nil {
		return nil, err
	}
	var late []*ast.Call // over the rows of windows
	if b.windowed(items, around.OrderBy) {
		rows, late = nil, rows
	}
	if !grouped {
		keyRows = rows
	}
	if n, s, err = b.expandRows(n, s, keyRows); err != nil {
		return nil, err
	}
	if grouped {
		if err := b.refuseAggregates(n, sel, items); err != nil {
			return nil, err
		}
		if n, s, err = b.group(n, s, sel, items, around.OrderBy, keys, append(rows, late...)); err != nil {
			return nil, err
		}
		if n, err = b.expandGroups(n, s, rows); err != nil {
			return nil, err
		}
		for i, x := range keys {
			keys[i] = &expr.Col{Index: i, Name: x.String(), T: x.Type()}
		}
	}
	return b.project(n, s, sel, around, items, keys, late)
}

// where plans WHERE; k, if not nil, takes the correlation with the outer query.
func (b *Binder) where(n plan.Node, s *scope, e ast.Expr, k *correlation) (plan.Node, error) {
	where, err := b.bind(rowMembers(e), s)
	if err != nil {
		return nil, err
	}
	if err := checkCondition(e, where); err != nil {
		return nil, err
	}
	conds := b.lookUpMembers(expr.Conjuncts(where))
	if k != nil {
		conds = k.takeEqualities(conds)
	}
	switch {
	case len(conds) == 0:
		return n, nil
	case b.Off["push"]:
		return &plan.Filter{Input: n, Cond: expr.And(conds)}, nil
	}
	return optimise.Push(n, conds), nil
}

// project binds the items and ORDER BY, and puts window, project, distinct, sort and limit above n. The columns of keys
// stand before those of the items. rows are calls of functions that give rows over those of windows.
func (b *Binder) project(n plan.Node, s *scope, sel, around *ast.Select, items []ast.Item,
	keys []expr.Expr, rows []*ast.Call) (plan.Node, error) {
	w := &windows{base: len(s.cols)}
	s.windows = w
	if len(rows) > 0 {
		var err error
		if n, err = b.expandWindows(n, s, items, around.OrderBy, rows); err != nil {
			return nil, err
		}
	}
	below := len(w.calls)
	p := &plan.Project{Exprs: keys}
	for _, x := range keys {
		p.Cols = append(p.Cols, plan.Column{Name: x.String(), Type: x.Type()})
	}
	for _, it := range items {
		x, err := b.bind(it.Expr, s)
		if err != nil {
			return nil, err
		}
		p.Exprs = append(p.Exprs, x)
		p.Cols = append(p.Cols, plan.Column{Name: itemName(it), Type: x.Type(), Param: repeated(x),
			Catalog: s.ofCatalog(x), Members: s.members(x)})
	}
	keep := len(p.Cols)
	order, err := b.orderKeys(p, s, sel, items, around.OrderBy)
	if err != nil {
		return nil, err
	}
	per, err := b.perKeys(p, s, sel, items, around.Per)
	if err != nil {
		return nil, err
	}
	on, err := b.distinctOn(p, s, sel, items, order)
	if err != nil {
		return nil, err
	}
	ties, err := tieKeys(around, order)
	if err != nil {
		return nil, err
	}
	if p.Input = n; len(rows) == 0 {
		p.Input = w.nodesOver(n)
	} else if len(w.calls) > below {
		return nil, plan.Errorf(sel.Pos, plan.CodeFeature, "put the window function into the select list",
			"window functions and functions that give rows stand together in a select list and in ORDER BY only")
	}
	var out plan.Node = p
	if sel.Distinct {
		out = &plan.Distinct{Input: out}
	}
	if len(order) > 0 {
		last := keep
		if len(per) > 0 || len(on) > 0 || ties != nil {
			last = len(p.Cols)
		}
		out = &plan.Sort{Input: out, Keys: order, Keep: last}
	}
	if len(on) > 0 {
		out = &plan.Limit{Input: out, Limit: &expr.Const{V: value.Int(1)}, Per: on}
	}
	if out, err = b.limit(out, around, per, ties); err == nil && len(out.Columns()) > keep &&
		len(order)+len(on)+len(per) > 0 {
		out = firstColumns(out, keep)
	}
	return out, err
}

// distinctOn binds the columns of DISTINCT ON, by which the order must begin: the first row of each of
// their values stays.
func (b *Binder) distinctOn(p *plan.Project, s *scope, sel *ast.Select, items []ast.Item,
	order []plan.SortKey) ([]int, error) {
	var on []int
	for _, e := range sel.On {
		i, err := ordinal(e, p.Cols)
		if i < 0 && err == nil {
			i, err = b.outputColumn(p, s, sel, items, e, "DISTINCT ON")
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(on, i) {
			on = append(on, i)
		}
	}
	for i, k := range order {
		if i < len(on) && !slices.Contains(on, k.Col) {
			return nil, plan.Errorf(sel.On[0].Position(), "42P10",
				"ORDER BY the expressions of DISTINCT ON, then others",
				"ORDER BY does not begin with the expressions of DISTINCT ON")
		}
	}
	return on, nil
}

// tieKeys are the sort keys that WITH TIES compares; nil without it.
func tieKeys(sel *ast.Select, order []plan.SortKey) ([]plan.SortKey, error) {
	if !sel.Ties {
		return nil, nil
	}
	if len(order) == 0 {
		return nil, plan.Errorf(sel.Limit.Position(), ast.CodeSyntax, "add ORDER BY",
			"WITH TIES needs an order, in which rows tie")
	}
	return order, nil
}

// firstColumns keeps the first columns.
func firstColumns(n plan.Node, keep int) plan.Node {
	p := &plan.Project{Input: n}
	for i, c := range n.Columns()[:keep] {
		p.Exprs = append(p.Exprs, &expr.Col{Index: i, Name: c.Name, T: c.Type})
		p.Cols = append(p.Cols, c)
	}
	return p
}

// orderKeys binds ORDER BY.
func (b *Binder) orderKeys(p *plan.Project, s *scope, sel *ast.Select, items []ast.Item,
	order []ast.Order) ([]plan.SortKey, error) {
	visible := p.Cols
	var keys []plan.SortKey
	for _, o := range order {
		i, err := ordinal(o.Expr, visible)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			if i, err = b.outputColumn(p, s, sel, items, o.Expr, "ORDER BY"); err != nil {
				return nil, err
			}
		}
		keys = append(keys, sortKey(i, o))
	}
	return keys, nil
}

// perKeys binds the columns of LIMIT n PER.
func (b *Binder) perKeys(p *plan.Project, s *scope, sel *ast.Select, items []ast.Item, per []ast.Expr) ([]int, error) {
	var out []int
	for _, e := range per {
		i, err := b.outputColumn(p, s, sel, items, e, "PER")
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

// outputColumn returns the column of an item that e names or equals; any other e becomes a further, hidden column of
// the projection.
func (b *Binder) outputColumn(p *plan.Project, s *scope, sel *ast.Select, items []ast.Item, e ast.Expr,
	clause string) (int, error) {
	if c, ok := e.(*ast.Column); ok && len(c.Parts) == 1 {
		if k := itemNamed(items, p.Exprs, c.Parts[0]); k >= 0 {
			return k, nil
		}
	}
	x, err := b.bind(e, s)
	if err != nil {
		return -1, err
	}
	for k := range p.Exprs {
		if expr.Equal(p.Exprs[k], x) {
			return k, nil
		}
	}
	if sel.Distinct {
		return -1, plan.Errorf(e.Position(), "42P10", "", "with DISTINCT, %s names items of the select list", clause)
	}
	p.Exprs = append(p.Exprs, x)
	p.Cols = append(p.Cols, plan.Column{Name: e.String(), Type: x.Type(), Hidden: true})
	return len(p.Cols) - 1, nil
}

// itemNamed is the place of the item of a name: of the first one that AS names so, or of the only one that has the name
// by itself; -1 for none.
func itemNamed(items []ast.Item, exprs []expr.Expr, name string) int {
	found := -1
	for k, it := range items {
		switch {
		case it.Alias == name:
			return k
		case it.Alias != "" || itemName(it) != name || found == -2:
		case found < 0 || expr.Equal(exprs[found], exprs[k]):
			found = k
		default:
			found = -2
		}
	}
	return max(found, -1)
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
	case *ast.Subscript:
		return itemName(ast.Item{Expr: e.X})
	case *ast.Collate:
		return itemName(ast.Item{Expr: e.X})
	case *ast.Field:
		return e.Name
	case *ast.Array:
		return "array"
	case *ast.Exists:
		return "exists"
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
		for i, c := range s.cols {
			if c.Hidden || table == "" && c.Merged || table != "" && c.Table != table {
				continue
			}
			found = true
			col := &ast.Column{Pos: star.Pos, Parts: []string{c.Table, c.Name}}
			if !c.Document {
				col.Place = i + 1
			}
			out = append(out, ast.Item{Pos: star.Pos, Expr: col, Alias: c.Name})
		}
		if !found {
			return nil, plan.Errorf(star.Pos, plan.CodeUndefinedTable, "", "there are no columns for %s", star)
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
		if !ok || len(c.Parts) != 1 || o.Column(c.Parts[0]) >= 0 {
			return sel, nil
		}
		if b.layerDef(o, c.Parts[0], t.Using...) == nil {
			return sel, b.misspeltLayer(c, o)
		}
		layers = append(layers, c.Parts[0])
	}
	if len(layers) > 1 {
		return nil, plan.Errorf(sel.Items[1].Pos, plan.CodeFeature,
			fmt.Sprintf("SELECT … FROM %s.%s a JOIN %s.%s b ON a.doc = b.doc AND a.sent = b.sent", o.Name, layers[0],
				o.Name, layers[1]),
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

// misspeltLayer is an error that names the layer which was meant, or all of them, where a select
// list of names has one that is neither a column nor a layer; nil otherwise.
func (b *Binder) misspeltLayer(c *ast.Column, o *catalog.Object) error {
	name := c.Parts[0]
	if keywordFunctions[strings.ToLower(name)] != "" {
		return nil
	}
	var columns, names []string
	for _, col := range Documents(o, "").Columns() {
		if col.Name == name || b.outer != nil {
			return nil
		}
		if !col.Hidden {
			columns = append(columns, col.Name)
		}
	}
	within := ""
	for _, l := range b.Catalog.layers(o) {
		names = append(names, l.Name)
		if within == "" && l.Columns[name] {
			within = fmt.Sprintf("SELECT %s FROM %s.%s", name, o.Name, l.Name)
		}
	}
	sort.Strings(names)
	known := slices.Clone(names)
	for _, d := range text.Builtin {
		known = append(known, d.Name)
	}
	if meant := option.Closest(name, known); meant != "" && within == "" {
		return plan.Errorf(c.Pos, plan.CodeUndefinedColumn, fmt.Sprintf("did you mean the layer %s?", meant),
			"%s has neither a column nor a layer %s", o.Name, name)
	}
	hint := within
	if meant := option.Closest(name, columns); hint == "" && meant != "" {
		hint = fmt.Sprintf("did you mean %s?", meant)
	} else if hint == "" {
		hint = "columns: " + strings.Join(columns, ", ") + "; stored layers: " + strings.Join(names, ", ")
	}
	hint = b.misplacedHint(name, "SELECT %[2]s FROM "+ast.QuoteName(o.Name), hint)
	return plan.Errorf(c.Pos, plan.CodeUndefinedColumn, hint, "unknown column %s", name)
}
