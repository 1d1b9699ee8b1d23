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

// absentAt returns the name of such an operator at a place among the tokens, or "". Their words are names elsewhere: they are
// told by what stands before and behind them.
func absentAt(tokens []lexer.Token, i int) string {
	t, before, after := tokens[i], lexer.Token{}, tokens[i+1]
	if i > 0 {
		before = tokens[i-1]
	}
	there := false
	switch {
	case t.Type == tokenOperator:
		there = t.Value == "#-"
	case t.Type != tokenIdent:
	case t.Value == "SIMILAR" && after.Value == "TO":
		there = before.Value == "NOT" || operandEnd(before)
		t.Value = "SIMILAR TO"
	case t.Value == "GROUPING" && after.Value == "SETS":
		there = i+2 < len(tokens) && tokens[i+2].Value == "("
		t.Value = "GROUPING SETS"
	case t.Value == "SYMMETRIC" || t.Value == "ASYMMETRIC":
		there = before.Type == tokenKeyword && before.Value == "BETWEEN" && opensOperand(after)
	case t.Value == "OVERLAPS":
		there = before.Value == ")" && after.Value == "("
	case t.Value == "ISNULL" || t.Value == "NOTNULL":
		there = operandEnd(before) && before.Value != "BY" && before.Value != "SET" && queries[tokens[0].Value]
	}
	if !there {
		return ""
	}
	return t.Value
}

// queries are the first words of the statements in which ISNULL and NOTNULL follow operands.
var queries = map[string]bool{"SELECT": true, "WITH": true, "INSERT": true, "UPDATE": true, "DELETE": true, "EXPLAIN": true, "(": true}
