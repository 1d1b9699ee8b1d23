package parse

import (
	"strconv"

	"parlance/query/ast"
)

// suffix applies what follows an operand to it.
func (c *converter) suffix(pos ast.Pos, x ast.Expr, s *suffix) ast.Expr {
	switch {
	case s.Cast != nil:
		return &ast.Cast{Pos: pos, X: x, Type: c.typeName(s.Cast)}
	case s.Index != nil && s.Index.From == nil && !s.Index.Slice:
		c.fail(s.Pos, ast.CodeSyntax, "the brackets are empty", "write x[1] for a member, x[1:2] for a slice")
		return nil
	case s.Index != nil:
		return &ast.Subscript{Pos: pos, X: x, Index: c.expr(s.Index.From), Slice: s.Index.Slice, To: c.expr(s.Index.To)}
	case s.Field.Type != 0:
		return &ast.Field{Pos: pos, X: x, Name: c.name(s.Field)}
	}
	names := c.names(s.Collate)
	out := &ast.Collate{Pos: pos, X: x, Name: names[len(names)-1]}
	if len(names) > 1 {
		out.Schema = names[0]
	}
	return out
}

// quantified applies a comparison with ANY or ALL.
func (k *chain) quantified(pos ast.Pos, x ast.Expr, op *operation) ast.Expr {
	q := op.Quantified
	name := canonical(op.Op.Value)
	if ast.BinaryPrecedence(name) != ast.PrecedenceComparison {
		k.c.fail(q.Quantifier.Pos, ast.CodeSyntax, q.Quantifier.Value+" follows a comparison, not "+name, "")
	}
	return &ast.Quantified{Pos: pos, Op: name, X: x, All: q.Quantifier.Value == "ALL",
		Array: k.c.expr(q.Array), Select: k.c.query(q.Select)}
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
