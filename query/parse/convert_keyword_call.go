package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// keywordCall converts calls whose arguments standard SQL separates by keywords: trim, substring, position, overlay and
// extract.
func (c *converter) keywordCall(p lexer.Position, name string, in *call) ast.Expr {
	var list []*expression
	switch name = strings.ToLower(name); {
	case in.Side.Type != 0 && name == "trim":
		name = map[string]string{"BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}[in.Side.Value]
		list = append(list, in.Trimmed)
		if in.Chars != nil {
			list = append(list, in.Chars)
		}
	case in.From == nil && name == "substring" && len(in.Args) == 1:
		first := &ast.Literal{Pos: c.position(in.For.Pos), Value: int64(1)}
		text := in.Args[0].Value
		return &ast.Call{Pos: c.position(p), Name: name, Args: []ast.Argument{
			{Pos: c.position(text.Pos), Value: c.expr(text)}, {Pos: first.Pos, Value: first},
			{Pos: first.Pos, Value: c.expr(in.For)}}}
	case in.From != nil && name == "overlay" && len(in.Args) == 2:
		list = []*expression{in.Args[0].Value, in.Args[1].Value, in.From}
		if in.For != nil {
			list = append(list, in.For)
		}
	case in.From == nil || len(in.Args) != 1 || in.For != nil && name != "substring":
		name = ""
	case name == "trim", name == "position":
		list = []*expression{in.From, in.Args[0].Value}
	case name == "substring":
		list = []*expression{in.Args[0].Value, in.From}
		if in.For != nil {
			list = append(list, in.For)
		}
	case name == "extract":
		return c.extract(p, in)
	default:
		name = ""
	}
	if name == "" {
		c.fail(p, ast.CodeSyntax, "FROM and FOR cannot stand here", "trim(BOTH 'x' FROM text), substring(text FROM "+
			"2 FOR 3), overlay(text PLACING 'x' FROM 2 FOR 3) and extract(year FROM time) take it")
		return nil
	}
	out := &ast.Call{Pos: c.position(p), Name: name}
	for _, e := range list {
		out.Args = append(out.Args, ast.Argument{Pos: c.position(e.Pos), Value: c.expr(e)})
	}
	return out
}

// extract converts extract(year FROM time), whose first argument is a word.
func (c *converter) extract(p lexer.Position, in *call) ast.Expr {
	var field ast.Expr
	switch x := c.expr(in.Args[0].Value).(type) {
	case *ast.Column:
		field = &ast.Literal{Pos: x.Pos, Value: strings.ToLower(x.Parts[len(x.Parts)-1])}
	default:
		field = x
	}
	return &ast.Call{Pos: c.position(p), Name: "date_part", Args: []ast.Argument{
		{Pos: c.position(in.Args[0].Pos), Value: field}, {Pos: c.position(in.From.Pos), Value: c.expr(in.From)}}}
}
