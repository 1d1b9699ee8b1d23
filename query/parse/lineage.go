package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type replayStatement struct {
	Pos   lexer.Position
	Model *model `parser:"'REPLAY' @@"`
}

type diffStatement struct {
	Pos  lexer.Position
	A    *model    `parser:"'DIFF' 'MODEL' @@ ','"`
	B    *model    `parser:"@@"`
	On   []*input  `parser:"('ON' @@ (',' @@)*)?"`
	With []*option `parser:"('WITH' '(' @@ (',' @@)* ')')?"`
}

func (s *replayStatement) statement(c *converter) ast.Statement {
	return &ast.Replay{Pos: c.position(s.Pos), Model: c.model(s.Model)}
}

func (s *diffStatement) statement(c *converter) ast.Statement {
	return &ast.DiffModels{Pos: c.position(s.Pos), A: c.model(s.A), B: c.model(s.B), On: c.inputs(s.On), With: c.options(s.With)}
}
