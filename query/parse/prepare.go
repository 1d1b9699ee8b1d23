package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type prepareStatement struct {
	Pos       lexer.Position
	Name      lexer.Token    `parser:"'PREPARE' @Name"`
	Types     []*typeName    `parser:"('(' @@ (',' @@)* ')')?"`
	Statement plainStatement `parser:"'AS' @@"`
}

type executeStatement struct {
	Pos  lexer.Position
	Name lexer.Token   `parser:"'EXECUTE' @Name"`
	Args []*expression `parser:"('(' @@ (',' @@)* ')')?"`
}

type deallocateStatement struct {
	Pos  lexer.Position
	Verb lexer.Token `parser:"@'DEALLOCATE' 'PREPARE'?"`
	Name lexer.Token `parser:"('ALL' | @Name)"`
}

func (s *prepareStatement) statement(c *converter) ast.Statement {
	return &ast.Prepare{Pos: c.position(s.Pos), Name: c.name(s.Name), Types: all(s.Types, c.typeName), Statement: s.Statement.statement(c)}
}

func (s *executeStatement) statement(c *converter) ast.Statement {
	return &ast.Execute{Pos: c.position(s.Pos), Name: c.name(s.Name), Args: c.exprs(s.Args)}
}

func (s *deallocateStatement) statement(c *converter) ast.Statement {
	return &ast.Deallocate{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}
