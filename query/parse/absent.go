package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// absent returns the fault of the first operator among the tokens that PostgreSQL has and this language has not; nil for none.
func absent(tokens []lexer.Token) error {
	for i := range len(tokens) - 1 {
		if name := absentAt(tokens, i); name != "" {
			return ast.Absent(name, position(tokens[i].Pos))
		}
	}
	return nil
}

// absentAt returns the name of such an operator at a place among the tokens, or "".
func absentAt(tokens []lexer.Token, i int) string {
	t := tokens[i]
	if t.Type == tokenOperator && t.Value == "#-" {
		return t.Value
	}
	return ""
}
