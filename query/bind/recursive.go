package bind

import (
	"maps"

	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/plan"
	"parlance/storage/value"
)

// recursion is the state of a select of WITH RECURSIVE while it is bound.
type recursion struct {
	name      string
	outer     *outerQuery // of the WITH clause
	cols      []plan.Column
	workTable *plan.WorkTable // nil until the step names it
	refused   string          // why the name cannot stand here, empty where it can
	hint      string
}

const (
	recursiveForm = "write name AS (SELECT … UNION [ALL] SELECT … FROM name …), the second select naming it once"
	outsideHint   = "give it to the select that reads the rows: SELECT … FROM name"
)

// recursive plans the selects of WITH RECURSIVE. A select is planned when it is first named, so their order in the
// clause does not matter.
func (b *Binder) recursive(with []ast.CTE) error {
	known, frame := maps.Clone(b.ctes), b.outer
	if known == nil {
		known = map[string]*cte{}
	}
	var own []*cte
	for _, c := range with {
		entry := &cte{}
		known[c.Name], own = entry, append(own, entry)
		entry.plan = func() error {
			ctes, inner, saved := b.ctes, b.outer, b.correlation
			defer func() { b.ctes, b.outer, b.correlation = ctes, inner, saved }()
			defer b.countExpansion()()
			b.ctes, b.outer, b.correlation = known, frame, nil
			entry.plan = nil
			return b.planRecursive(c, entry, own)
		}
	}
	b.ctes = known
	for _, entry := range own {
		if entry.plan != nil {
			if err := entry.plan(); err != nil {
				return err
			}
		}
	}
	return nil
}

// planRecursive plans one of them. Selects whose planning waits for this one cannot be named in it, for that would be a
// circle.
func (b *Binder) planRecursive(c ast.CTE, entry *cte, own []*cte) error {
	for _, other := range own {
		if r := other.recursion; r != nil && r.refused == "" {
			r.refused, r.hint = "selects of a WITH clause cannot name each other in a circle", "join both in one select"
			defer func() { r.refused = "" }()
		}
	}
	entry.recursion = &recursion{name: c.Name, outer: b.outer}
	n, err := b.recursiveSelect(c, entry.recursion)
	if err != nil {
		return err
	}
	entry.recursion = nil
	shared, err := b.newCTE(c, n)
	if err != nil {
		return err
	}
	*entry = *shared
	return nil
}

// recursiveSelect plans a select of WITH RECURSIVE. If the select after its last UNION names it, that is the step and
// what stands before is the base; otherwise it is planned as any other.
func (b *Binder) recursiveSelect(c ast.CTE, self *recursion) (plan.Node, error) {
	outer := b.ctes
	defer func() { b.ctes = outer }()
	base := *c.Select
	if err := b.withClause(&base); err != nil {
		return nil, err
	}
	base.With = nil
	self.refused, self.hint = c.Name+" names itself, but no select before a UNION gives its first rows", recursiveForm
	k := len(base.Unions) - 1
	if k < 0 || base.Unions[k].Op != "UNION" {
		return b.Select(&base)
	}
	u := base.Unions[k]
	base.Unions, base.OrderBy, base.Limit, base.Offset, base.Per, base.Ties = base.Unions[:k], nil, nil, nil, nil, false
	first, err := b.Select(&base)
	if err != nil {
		return nil, err
	}
	if self.cols, err = columnsOf(c, first); err != nil {
		return nil, err
	}
	first = b.typed(first, self.cols)
	self.refused = ""
	step, err := b.core(u.Select, u.Select)
	if err != nil {
		return nil, err
	}
	if self.workTable != nil {
		return b.recursiveNode(c.Select, u, self, first, step)
	}
	branches := []plan.Node{first, step}
	cols, err := b.unite(branches, []ast.Union{u})
	if err != nil {
		return nil, err
	}
	n, err := b.combine(u, branches[0], branches[1], cols)
	if err != nil {
		return nil, err
	}
	return b.orderedSet(n, c.Select)
}

// typed casts columns of unknown type to text, such as those of parameters.
func (b *Binder) typed(n plan.Node, cols []plan.Column) plan.Node {
	p, changed := &plan.Project{Input: n, Cols: cols}, false
	for i, c := range n.Columns() {
		var x expr.Expr = plan.Col(n.Columns(), i)
		if c.Type == value.Null {
			if inner, ok := n.(*plan.Project); ok {
				b.Types.expect(inner.Exprs[i], value.Text)
			}
			cols[i].Type, changed = value.Text, true
			x = &expr.Cast{X: x, T: value.Text}
		}
		p.Exprs = append(p.Exprs, x)
	}
	if !changed {
		return n
	}
	return p
}

// recursiveNode makes the node of a select whose step names it. The types of its columns are those of the base.
func (b *Binder) recursiveNode(sel *ast.Select, u ast.Union, self *recursion,
	first, step plan.Node) (plan.Node, error) {
	switch {
	case len(sel.OrderBy) > 0:
		return nil, plan.Errorf(sel.OrderBy[0].Pos, plan.CodeFeature, outsideHint+" ORDER BY …",
			"a recursive select takes no ORDER BY")
	case sel.Limit != nil:
		return nil, plan.Errorf(sel.Limit.Position(), plan.CodeFeature, outsideHint+" LIMIT n",
			"a recursive select takes no LIMIT")
	case sel.Offset != nil:
		return nil, plan.Errorf(sel.Offset.Position(), plan.CodeFeature, outsideHint+" OFFSET n",
			"a recursive select takes no OFFSET")
	}
	given := step.Columns()
	if len(given) != len(self.cols) {
		return nil, plan.Errorf(u.Pos, ast.CodeSyntax, "", "%s joins %d {column|columns} with %d", u.Op, len(self.cols),
			len(given))
	}
	casts := make([]expr.Expr, len(given))
	for i, c := range self.cols {
		x := columnSource(step, i)
		t, ok := meet(c.Type, typeOf(x))
		if !ok || t != c.Type {
			hint := ""
			if ok {
				hint = "cast the column of the first select: CAST(… AS " + t.String() + ")"
			}
			return nil, plan.Errorf(itemPos(u, i), plan.CodeType, hint,
				"column %s of %s is %s in the first select and %s in the step", c.Name, self.name, c.Type, x.Type())
		}
		var err error
		if casts[i], err = b.become(x, t, itemPos(u, i)); err != nil {
			return nil, err
		}
	}
	return &plan.Recursive{Pos: u.Pos, Name: self.name, Base: first, Step: withColumns(step, casts, self.cols),
		WorkTable: self.workTable, All: u.All, Cols: self.cols}, nil
}

// itemPos is the place of the item of column i, or that of UNION where a * hides which item it is.
func itemPos(u ast.Union, i int) ast.Pos {
	if len(u.Select.Items) <= i {
		return u.Pos
	}
	for _, it := range u.Select.Items[:i+1] {
		if _, star := it.Expr.(*ast.Star); star {
			return u.Pos
		}
	}
	return u.Select.Items[i].Pos
}

// workTable plans a table of the step that names the recursive select.
func (b *Binder) workTable(ref ast.Ref, self *recursion, alias string) (plan.Node, error) {
	if self.refused != "" {
		return nil, plan.Errorf(ref.Pos, plan.CodeRecursion, self.hint, "%s", self.refused)
	}
	for f := b.outer; f != nil && f != self.outer; f = f.parent {
		if f.value {
			return nil, plan.Errorf(ref.Pos, plan.CodeRecursion, "join it in FROM",
				"%s cannot be named in a subselect that stands for a value", self.name)
		}
	}
	if self.workTable != nil {
		return nil, plan.Errorf(ref.Pos, plan.CodeRecursion, "the step sees the rows of the step before, once",
			"%s is named twice in its step", self.name)
	}
	self.workTable = &plan.WorkTable{Name: self.name, Cols: self.cols}
	return rename(self.workTable, alias), nil
}

// directWorkTable returns the work table among the tables of a FROM list, not looking into subselects; nil for none.
func directWorkTable(n plan.Node) *plan.WorkTable {
	switch n := n.(type) {
	case *plan.WorkTable:
		return n
	case *plan.Filter, *plan.Rename, *plan.Join, *plan.Apply:
		for _, in := range n.Inputs() {
			if w := directWorkTable(in); w != nil {
				return w
			}
		}
	}
	return nil
}

// refuseAggregates refuses aggregates over the work table.
func (b *Binder) refuseAggregates(n plan.Node, sel *ast.Select, items []ast.Item) error {
	w := directWorkTable(n)
	if w == nil {
		return nil
	}
	refuse := func(pos ast.Pos) error {
		return plan.Errorf(pos, plan.CodeRecursion,
			"aggregate where "+w.Name+" is read: WITH RECURSIVE … SELECT count(*) FROM "+w.Name,
			"aggregates cannot take the rows of the last step of %s", w.Name)
	}
	for _, it := range items {
		if b.aggregates([]ast.Item{it}, nil) {
			return refuse(it.Expr.Position())
		}
	}
	if sel.Having != nil && b.aggregates([]ast.Item{{Expr: sel.Having}}, nil) {
		return refuse(sel.Having.Position())
	}
	return nil
}
