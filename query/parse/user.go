package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

type createUserStatement struct {
	Pos         lexer.Position
	IfNotExists bool          `parser:"'CREATE' 'USER' ((?= 'IF' 'NOT') 'IF' 'NOT' @'EXISTS')?"`
	Name        lexer.Token   `parser:"@Name 'WITH'?"`
	Is          []lexer.Token `parser:"@(('PASSWORD' (String | Param) | 'ROLE' ('READER' | 'WRITER' | 'ADMIN'))*)"`
}

type alterUserStatement struct {
	Pos  lexer.Position
	Name lexer.Token   `parser:"'ALTER' 'USER' @Name 'WITH'?"`
	Is   []lexer.Token `parser:"@(('PASSWORD' (String | Param) | 'ROLE' ('READER' | 'WRITER' | 'ADMIN'))*)"`
}

func (s *createUserStatement) statement(c *converter) ast.Statement {
	out := &ast.CreateUser{Pos: c.position(s.Pos), IfNotExists: s.IfNotExists, Name: c.name(s.Name)}
	out.Password, out.Role = c.account(s.Is)
	if out.Password == nil {
		c.fail(s.Name.Pos, ast.CodeSyntax, "a user has a password", "write PASSWORD '…'")
	}
	return out
}

func (s *alterUserStatement) statement(c *converter) ast.Statement {
	out := &ast.AlterUser{Pos: c.position(s.Pos), Name: c.name(s.Name)}
	out.Password, out.Role = c.account(s.Is)
	if len(s.Is) == 0 {
		c.fail(s.Name.Pos, ast.CodeSyntax, "ALTER USER changes nothing", "write PASSWORD '…' or ROLE reader, writer or admin")
	}
	return out
}

// account returns what is said about a user in pairs of tokens, each thing once.
func (c *converter) account(tokens []lexer.Token) (password ast.Expr, role string) {
	for ; len(tokens) > 1; tokens = tokens[2:] {
		word, is := tokens[0], tokens[1]
		switch {
		case word.Value == "PASSWORD" && password == nil:
			password = c.constant(is)
		case word.Value == "ROLE" && role == "":
			role = strings.ToLower(is.Value)
		default:
			c.fail(word.Pos, ast.CodeSyntax, word.Value+" is given twice", "")
		}
	}
	return password, role
}

// passwordReach is how many tokens after the word PASSWORD a password is looked for: faulty statements
// have an = or another word before it.
const passwordReach = 2

// Redact returns a text of statements without the passwords in it, for logs and lists; it also
// takes what is no statement.
func Redact(text string) string {
	var b strings.Builder
	s, copied, left := lex.NewScanner(text), 0, 0
	hide := func(from, to int) {
		b.WriteString(text[copied:from] + "'" + ast.Redacted + "'")
		copied, left = to, 0
	}
	for {
		before := s.Pos.Offset
		t, err := s.Next()
		switch {
		case err != nil && left > 0: // a password without an end
			hide(before, len(text))
		case err == nil && t.Type == lex.Ident && t.Value == "PASSWORD":
			left = passwordReach
			continue
		case err == nil && left > 0 && (t.Type == lex.String || t.Type == lex.Quoted || t.Type == lex.Number):
			hide(t.Pos.Offset, s.Pos.Offset)
		}
		if err != nil || t.EOF() {
			b.WriteString(text[copied:])
			return b.String()
		}
		left = max(0, left-1)
	}
}
