package parse

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

func (s *selectStatement) plain() {}

func (s *selectStatement) statement(c *converter) ast.Statement { return c.query(s) }

// query returns the tree of a select; nil for nil.
func (c *converter) query(s *selectStatement) *ast.Select {
	if s == nil {
		return nil
	}
	outer := c.windows
	defer func() { c.windows = outer }()
	out := c.core(s.Core)
	out.Pos = c.position(s.Pos)
	out.Recursive = s.Recursive
	out.With = all(s.With, func(t *cte) ast.CTE {
		return ast.CTE{Pos: c.position(t.Pos), Name: c.name(t.Name), Columns: c.names(t.Columns),
			Select: c.query(t.Select)}
	})
	for _, u := range s.Unions {
		out.Unions = append(out.Unions, c.union(u)...)
	}
	c.windows = s.Core.Windows
	out.OrderBy = all(s.OrderBy, c.order)
	for _, b := range s.Bounds {
		c.rows(out, b)
	}
	return out
}

// rows converts LIMIT, OFFSET or FETCH, of which a select has one number of rows and one of rows left out.
func (c *converter) rows(out *ast.Select, b *rowBound) {
	if b.Offset != nil && out.Offset != nil || b.Offset == nil && out.Limit != nil {
		c.fail(b.Pos, ast.CodeSyntax, "the number of rows is given twice",
			"LIMIT n OFFSET m, or OFFSET m ROWS FETCH FIRST n ROWS ONLY")
		return
	}
	switch {
	case b.Offset != nil:
		out.Offset = c.expr(b.Offset)
	case b.Fetch:
		if out.Limit, out.Ties = c.constant(b.Rows), b.Ties; out.Limit == nil {
			out.Limit = &ast.Literal{Pos: c.position(b.Pos), Value: int64(1)}
		}
	default:
		out.Limit, out.Per = c.expr(b.Limit), c.exprs(b.Per)
	}
}

// union converts a set operation: several operations if its right side is VALUES with several rows.
func (c *converter) union(u *unionSide) []ast.Union {
	right := c.core(u.Core)
	op := ast.Union{Pos: c.position(u.Pos), Op: u.Op.Value, All: u.All, Select: right}
	rows := right.Unions
	right.Unions = nil
	if len(rows) > 0 && op.Op == "INTERSECT" {
		c.fail(u.Pos, ast.CodeSyntax, "INTERSECT takes no VALUES of several rows",
			"write INTERSECT SELECT … FROM (VALUES …) t")
	}
	for i := range rows {
		rows[i].Op, rows[i].All = op.Op, op.All
	}
	return append([]ast.Union{op}, rows...)
}

func (c *converter) core(s *selectCore) *ast.Select {
	switch {
	case s.Values != nil:
		return c.values(s)
	case s.Nested != nil:
		return c.nested(s.Nested)
	case s.Table != nil:
		return selectStar(c.position(s.Pos), c.namedTable(s.Table))
	}
	c.windows = s.Windows
	for i, w := range s.Windows {
		for _, v := range s.Windows[:i] {
			if c.name(v.Name) == c.name(w.Name) {
				c.fail(w.Name.Pos, ast.CodeSyntax, "the window "+c.name(w.Name)+" stands twice", "give it another name")
			}
		}
	}
	return &ast.Select{Pos: c.position(s.Pos), Distinct: s.Distinct && s.On == nil, On: c.exprs(s.On),
		Items: all(s.Items, c.item),
		From:  all(s.From, c.joined), Where: c.expr(s.Where), GroupBy: all(s.GroupBy, c.grouping),
		Having: c.expr(s.Having)}
}

// values is the select that VALUES stands for: one of each row, joined by UNION ALL.
func (c *converter) values(s *selectCore) *ast.Select {
	var out *ast.Select
	for row := range c.rowsOf(s.Values, c.expr) {
		one := &ast.Select{Pos: c.position(s.Pos)}
		for i, x := range row {
			one.Items = append(one.Items, ast.Item{Pos: x.pos, Expr: x.value, Alias: valuesColumn(i)})
		}
		switch {
		case out == nil:
			out = one
		case len(one.Items) != len(out.Items):
			c.failAt(row[0].pos, ast.CodeSyntax, "the rows of VALUES have different lengths", "")
			return out
		default:
			out.Unions = append(out.Unions, ast.Union{Pos: one.Pos, Op: "UNION", All: true, Select: one})
		}
	}
	return out
}

// valuesColumn names a column of VALUES, 0-based.
func valuesColumn(i int) string { return "column" + strconv.Itoa(i+1) }

// grouping converts an entry of GROUP BY.
func (c *converter) grouping(g *grouping) ast.Expr {
	if g.Empty {
		return &ast.Tuple{Pos: c.position(g.Pos)}
	}
	return c.expr(g.Expr)
}

// nested converts a select in parentheses among set operations. One with clauses of its own becomes a table in FROM.
func (c *converter) nested(s *selectStatement) *ast.Select {
	defer c.leave(1)
	if !c.enter(s.Pos, 1) {
		return &ast.Select{}
	}
	out := c.query(s)
	if out.With == nil && out.Unions == nil && out.OrderBy == nil && out.Limit == nil && out.Offset == nil {
		return out
	}
	return selectStar(out.Pos, ast.Ref{Pos: out.Pos, Select: out})
}

// selectStar returns SELECT * FROM a table.
func selectStar(pos ast.Pos, from ast.Ref) *ast.Select {
	return &ast.Select{Pos: pos, Items: []ast.Item{{Pos: pos, Expr: &ast.Star{Pos: pos}}},
		From: []ast.TableRef{&ast.Table{Pos: from.Pos, Ref: from}}}
}

func (c *converter) item(i *item) ast.Item {
	out := ast.Item{Pos: c.position(i.Pos), Alias: c.name(i.Alias)}
	switch {
	case i.Star:
		out.Expr = &ast.Star{Pos: out.Pos}
	default:
		if lone := i.Expr.singleOperand(); lone != nil {
			out.Expr = c.operand(lone, true)
		} else {
			out.Expr = c.expr(i.Expr)
		}
	}
	if _, star := out.Expr.(*ast.Star); star && out.Alias != "" {
		c.fail(i.Alias.Pos, ast.CodeSyntax, "* takes no alias", "")
	}
	return out
}

func (c *converter) order(o *order) ast.Order {
	return ast.Order{Pos: c.position(o.Pos), Expr: c.expr(o.Expr), Desc: o.Desc, Nulls: o.Nulls.Value}
}

func (c *converter) joined(j *joined) ast.TableRef {
	out := c.side(j.Head)
	if !c.enter(j.Head.Pos, len(j.Joins)) {
		return out
	}
	defer c.leave(len(j.Joins))
	for _, right := range j.Joins {
		kind := right.Kind.Value
		if kind == "" {
			kind = "INNER"
		}
		if kind == "CROSS" && (right.On != nil || right.Using != nil) {
			c.fail(right.Kind.Pos, ast.CodeSyntax, "CROSS JOIN takes no condition", "write JOIN … ON …")
		}
		if right.Natural && (kind == "CROSS" || right.On != nil || right.Using != nil) {
			c.fail(right.Table.Pos, ast.CodeSyntax, "NATURAL JOIN takes no condition",
				"it compares the columns of one name")
		}
		out = &ast.Join{Pos: out.Position(), Kind: kind, Natural: right.Natural, Left: out, Right: c.side(right.Table),
			On: c.expr(right.On), Using: c.names(right.Using)}
	}
	return out
}

func (c *converter) side(s *side) ast.TableRef {
	if s.Inner == nil {
		return c.table(s.Table)
	}
	defer c.leave(1)
	if !c.enter(s.Pos, 1) {
		return &ast.Table{Pos: c.position(s.Pos)}
	}
	return c.joined(s.Inner)
}

func (c *converter) table(t *table) *ast.Table {
	alias := t.Alias
	if t.Behind.Type != 0 {
		if alias.Type != 0 {
			c.fail(t.Behind.Pos, ast.CodeSyntax, "the table has an alias, "+ast.QuoteName(c.name(alias)), "")
		}
		alias = t.Behind
	}
	return &ast.Table{Pos: c.position(t.Pos), Ref: c.reference(t.Ref), Alias: c.name(alias), Columns: c.names(t.Columns),
		Using: c.models(t.Using), With: c.options(t.With)}
}

func (c *converter) reference(r *tableReference) ast.Ref {
	if r.Name != nil {
		return c.namedTable(r.Name)
	}
	if r.File.Type != 0 {
		return ast.Ref{Pos: c.position(r.Pos), File: c.literal(r.File, false)}
	}
	sub := r.Sub
	if r.Lateral != nil {
		sub = r.Lateral
	}
	out := ast.Ref{Pos: c.position(r.Pos), Select: c.query(sub.Select), Lateral: sub.Lateral}
	if e := sub.Evaluate; e != nil {
		out.Evaluate = c.evaluate(e)
	}
	if s := sub.Summary; s != nil {
		out.Summarize = c.table(s.Table)
	}
	return out
}

func (s *summarizeStatement) plain() {}

// statement is a select of all columns of the summary, so that all that runs selects runs it.
func (s *summarizeStatement) statement(c *converter) ast.Statement {
	pos := c.position(s.Pos)
	return selectStar(pos, ast.Ref{Pos: pos, Summarize: c.table(s.Table)})
}

func (c *converter) namedTable(t *namedTable) ast.Ref {
	out := ast.Ref{Pos: c.position(t.Pos), Name: c.name(t.Name), Version: c.name(t.Version), Path: c.name(t.Path),
		Ordinality: t.Ordinality}
	if t.Third.Type != 0 {
		if out.Version != "" {
			c.fail(t.Third.Pos, ast.CodeSyntax, "a version stands behind the name of a model", "write model@4.relation")
		}
		out.Database, out.Name, out.Path = out.Name, out.Path, c.name(t.Third)
	}
	if t.Args != nil {
		out.Text = c.expr(t.Args.Text)
		out.Rows = c.query(t.Args.Rows)
		out.Args = all(append(t.Args.More, t.Args.Args...), c.argument)
		out.HasArgs = t.Args.Text == nil && t.Args.Rows == nil
	}
	return out
}

func (c *converter) model(m *model) ast.ModelRef {
	return ast.ModelRef{Pos: c.position(m.Pos), Name: c.name(m.Name), Version: c.name(m.Version)}
}

func (c *converter) models(list []*model) []ast.ModelRef { return all(list, c.model) }

func (c *converter) input(i *input) ast.Input {
	return ast.Input{Pos: c.position(i.Pos), Name: c.name(i.Name), Version: c.name(i.Version),
		Path: c.name(i.Path), Role: c.name(i.Role), Where: c.expr(i.Where)}
}

func (c *converter) inputs(list []*input) []ast.Input { return all(list, c.input) }

// target takes the schema public off corpora and tables, as each of them stands in it.
func (c *converter) target(t *target) ast.Target {
	out := ast.Target{Pos: c.position(t.Pos), Name: c.name(t.Name), Layer: c.name(t.Layer)}
	if t.Third.Type != 0 {
		out.Database, out.Name, out.Layer = out.Name, out.Layer, c.name(t.Third)
	}
	if out.Layer != "" && strings.EqualFold(out.Name, "public") {
		out.Name, out.Layer = out.Layer, ""
	}
	return out
}

// options returns the options of a list, in which a name may stand only once.
func (c *converter) options(list []*option) []ast.Option {
	seen := map[string]bool{}
	return all(list, func(o *option) ast.Option {
		name := c.name(o.Name)
		if seen[name] {
			c.fail(o.Name.Pos, ast.CodeSyntax, "option "+ast.QuoteName(name)+" is given twice", "")
		}
		seen[name] = true
		return ast.Option{Pos: c.position(o.Pos), Name: name, Value: c.optionValue(o.Value)}
	})
}

func (c *converter) optionValue(v *optionValue) ast.OptionValue {
	pos := c.position(v.Pos)
	switch {
	case v.Literal.Type == lex.Param:
		return c.param(v.Literal)
	case v.Literal.Type != 0:
		return c.literal(v.Literal, false)
	case v.Negative.Type != 0:
		literal := c.literal(v.Negative, true)
		literal.Pos = pos
		return literal
	case len(v.Args) > 0:
		if v.Version.Type != 0 {
			c.fail(v.Pos, ast.CodeSyntax, "an interval has no version", "write log(low, high)")
		}
		return &ast.RangeValue{Pos: pos, Name: c.name(v.Name), Items: all(v.Args, c.optionValue)}
	case v.Name.Type != 0:
		return &ast.NameValue{Pos: pos, Name: c.name(v.Name), Version: c.name(v.Version), Relation: c.name(v.Relation)}
	}
	return &ast.TupleValue{Pos: pos, Items: all(v.Tuple, c.optionValue)}
}

// assignments returns the columns that SET sets, each only once.
func (c *converter) assignments(list []*assignment) []ast.Assignment {
	seen := map[string]bool{}
	return all(list, func(a *assignment) ast.Assignment {
		column := c.name(a.Column)
		if seen[column] {
			c.fail(a.Column.Pos, ast.CodeSyntax, "column "+ast.QuoteName(column)+" is set twice", "")
		}
		seen[column] = true
		return ast.Assignment{Pos: c.position(a.Pos), Column: column, Value: c.assignedValue(a.Value)}
	})
}

// updateAssignments returns the assignments of UPDATE.
func (c *converter) updateAssignments(list []*setting) []ast.Assignment {
	var out []*assignment
	for _, s := range list {
		if s.One != nil {
			out = append(out, s.One)
			continue
		}
		var columns []lexer.Token
		for _, t := range s.Columns {
			if t.Type != lex.Punct {
				columns = append(columns, t)
			}
		}
		if len(columns) != len(s.Values.Items) {
			c.fail(s.Pos, ast.CodeSyntax, fmt.Sprintf("%d columns are set to %d values", len(columns),
				len(s.Values.Items)), "")
			return nil
		}
		for i, t := range columns {
			out = append(out, &assignment{Pos: t.Pos, Column: t, Value: s.Values.Items[i].Value})
		}
	}
	return c.assignments(out)
}

// assignedValue converts the value of a column. DEFAULT is NULL: columns have no other default.
func (c *converter) assignedValue(e *expression) ast.Expr {
	if lone := e.singleOperand(); lone != nil {
		if n := lone.Primary.Named; n != nil && n.Call == nil && !n.Star && len(n.Name) == 1 &&
			n.Name[0].Type == lex.Ident && n.Name[0].Value == "DEFAULT" {
			return &ast.Literal{Pos: c.position(e.Pos)}
		}
	}
	return c.expr(e)
}

// columns returns a list of columns, in which a name may stand only once.
func (c *converter) columns(tokens []lexer.Token) []string {
	seen := map[string]bool{}
	for _, t := range tokens {
		name := c.name(t)
		if t.Type != lex.Punct && seen[name] {
			c.fail(t.Pos, ast.CodeSyntax, "column "+ast.QuoteName(name)+" is named twice", "")
		}
		seen[name] = true
	}
	return c.names(tokens)
}
