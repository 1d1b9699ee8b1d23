package parse

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type declareStatement struct {
	Pos    lexer.Position
	Name   lexer.Token      `parser:"'DECLARE' @Name"`
	Binary lexer.Token      `parser:"@'BINARY'? ('INSENSITIVE' | 'ASENSITIVE')?"`
	Scroll lexer.Token      `parser:"('NO' 'SCROLL' | @'SCROLL')? 'CURSOR'"`
	Hold   bool             `parser:"('WITH' @'HOLD' | 'WITHOUT' 'HOLD')? 'FOR'"`
	Select *selectStatement `parser:"@@"`
}

// fetchStatement takes a word for a direction where a number or a name follows.
type fetchStatement struct {
	Pos       lexer.Position
	Verb      lexer.Token `parser:"@('FETCH' | 'MOVE')"`
	Direction lexer.Token `parser:"((?= Name ('FROM' | 'IN' | Name | Number | '-')) @('NEXT' | 'PRIOR' | 'FIRST' | 'LAST' | 'ABSOLUTE' | 'RELATIVE' | 'FORWARD' | 'BACKWARD'))?"`
	Negative  bool        `parser:"( (@'-')?"`
	Count     lexer.Token `parser:"  @Number"`
	All       bool        `parser:"| (?= 'ALL' ('FROM' | 'IN' | Name)) @'ALL' )?"`
	Cursor    lexer.Token `parser:"('FROM' | 'IN')? @Name"`
}

type closeStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'CLOSE'"`
	Name lexer.Token `parser:"('ALL' | @Name)"`
}

func (s *declareStatement) statement(c *converter) ast.Statement {
	if s.Binary.Type != 0 {
		c.fail(s.Binary.Pos, ast.CodeFeature, "there are no cursors in binary format",
			"the client's protocol asks for the format: leave BINARY out")
	}
	if s.Scroll.Type != 0 {
		c.fail(s.Scroll.Pos, ast.CodeFeature, "cursors move forward only",
			"leave SCROLL out; ORDER BY … DESC gives the rows from the end")
	}
	return &ast.Declare{Pos: c.position(s.Pos), Name: c.name(s.Name), Hold: s.Hold, Select: c.query(s.Select)}
}

func (s *fetchStatement) statement(c *converter) ast.Statement {
	out := &ast.Fetch{Pos: c.position(s.Pos), Move: s.Verb.Value == "MOVE", Direction: s.Direction.Value, All: s.All,
		Count: 1, Cursor: c.name(s.Cursor)}
	if s.Count.Type != 0 {
		n, err := strconv.ParseInt(c.withLiteral(s.Count).Value, 10, 64)
		if err != nil {
			c.fail(s.Count.Pos, ast.CodeSyntax, "a whole number is wanted", "")
		}
		if out.Count = n; s.Negative {
			out.Count = -n
		}
	}
	if s.All {
		out.Count = 0
	}
	given := s.All || s.Count.Type != 0
	switch d := s.Direction.Value; d {
	case "":
		out.Direction = ast.Forward
	case "NEXT", "PRIOR", "FIRST", "LAST":
		if given {
			c.fail(s.Direction.Pos, ast.CodeSyntax, d+" takes no number", "FORWARD 10, or 10")
		}
		out.Direction, out.Count = map[string]string{"NEXT": ast.Forward, "PRIOR": ast.Backward, "FIRST": ast.Absolute,
			"LAST": ast.Absolute}[d], 1
		if d == "LAST" {
			out.Count = -1
		}
	case ast.Absolute, ast.Relative:
		if s.Count.Type == 0 {
			c.fail(s.Direction.Pos, ast.CodeSyntax, d+" takes a number", d+" 10")
		}
	}
	if out.Count < 0 {
		switch out.Direction {
		case ast.Forward:
			out.Direction, out.Count = ast.Backward, -out.Count
		case ast.Backward:
			out.Direction, out.Count = ast.Forward, -out.Count
		}
	}
	return out
}

func (s *closeStatement) statement(c *converter) ast.Statement {
	return &ast.Close{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}
