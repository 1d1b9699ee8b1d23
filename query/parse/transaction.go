package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

type beginStatement struct {
	Pos   lexer.Position
	Verb  lexer.Token   `parser:"( @'BEGIN' ('TRANSACTION' | 'WORK')? | @'START' 'TRANSACTION' )"`
	Modes []lexer.Token `parser:"@((Name | 'NOT' | ',')+)?"`
}

type commitStatement struct {
	Pos   lexer.Position
	Verb  lexer.Token `parser:"@('COMMIT' | 'END') ('TRANSACTION' | 'WORK')?"`
	Chain *andChain   `parser:"@@?"`
}

// andChain is AND CHAIN, or AND NO CHAIN for what holds anyway.
type andChain struct {
	Not   bool        `parser:"'AND' @'NO'?"`
	Chain lexer.Token `parser:"@'CHAIN'"`
}

// rollbackStatement takes SAVEPOINT for the name of one where no other name follows.
type rollbackStatement struct {
	Pos   lexer.Position
	Verb  lexer.Token `parser:"@('ROLLBACK' | 'ABORT') ('TRANSACTION' | 'WORK')?"`
	To    lexer.Token `parser:"( 'TO' ((?= 'SAVEPOINT' Name) 'SAVEPOINT')? @Name"`
	Chain *andChain   `parser:"| @@ )?"`
}

type savepointStatement struct {
	Pos  lexer.Position
	Name lexer.Token `parser:"'SAVEPOINT' @Name"`
}

type releaseStatement struct {
	Pos  lexer.Position
	Name lexer.Token `parser:"'RELEASE' ((?= 'SAVEPOINT' Name) 'SAVEPOINT')? @Name"`
}

func (s *beginStatement) statement(c *converter) ast.Statement {
	return &ast.Begin{Pos: c.position(s.Pos), Modes: modes(s.Modes)}
}

// modes returns the words with spaces between and commas after them.
func modes(tokens []lexer.Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.Value != "," {
			b.WriteByte(' ')
		}
		b.WriteString(t.Value)
	}
	return b.String()
}

func (c *andChain) follows() bool { return c != nil && !c.Not }

func (s *commitStatement) statement(c *converter) ast.Statement {
	return &ast.Commit{Pos: c.position(s.Pos), Chain: s.Chain.follows()}
}

func (s *rollbackStatement) statement(c *converter) ast.Statement {
	if s.To.Type != 0 {
		return &ast.RollbackTo{Pos: c.position(s.Pos), Name: c.name(s.To)}
	}
	return &ast.Rollback{Pos: c.position(s.Pos), Chain: s.Chain.follows()}
}

func (s *savepointStatement) statement(c *converter) ast.Statement {
	return &ast.Savepoint{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}

func (s *releaseStatement) statement(c *converter) ast.Statement {
	return &ast.Release{Pos: c.position(s.Pos), Name: c.name(s.Name)}
}
