package parse

import (
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/lex"
)

// flat returns the first operand of an expression and the operations that follow it.
func (e *expression) flat() (*operand, []*operation) {
	head, runs := e.Head, e.Run != nil
	for _, op := range e.Rest {
		runs = runs || op.Run != nil
	}
	if !runs {
		return head, e.Rest
	}
	var rest []*operation
	if e.Run != nil {
		head, rest = e.Run.operations(nil)
	}
	for _, op := range e.Rest {
		if op.Run == nil {
			rest = append(rest, op)
			continue
		}
		first := len(rest)
		rest = append(rest, nil)
		var y *operand
		y, rest = op.Run.operations(rest)
		rest[first] = &operation{Op: op.Op, Y: y}
	}
	return head, rest
}

// lone returns the operand that an expression is alone, nil if there is more to it.
func (e *expression) lone() *operand {
	if len(e.Rest) > 0 {
		return nil
	}
	head, rest := e.flat()
	if len(rest) > 0 || len(head.Prefix) > 0 || len(head.Suffixes) > 0 {
		return nil
	}
	return head
}

// atom is a name or constant among others.
type atom struct {
	operand   operand
	primary   primary
	named     named
	operation operation
}

// operations returns the first operand of a run and appends the operations that follow it.
func (r *run) operations(rest []*operation) (*operand, []*operation) {
	tokens := r.Tokens
	n := 1
	for i := range tokens {
		if infix(tokens[i].Type) {
			n++
		}
	}
	atoms := make([]atom, n)
	for i := range atoms {
		a := &atoms[i]
		if i > 0 {
			a.operation.Op, a.operation.Y = tokens[0], &a.operand
			rest = append(rest, &a.operation)
			tokens = tokens[1:]
		}
		a.operand.Pos, a.operand.Primary, a.primary.Pos = tokens[0].Pos, &a.primary, tokens[0].Pos
		end := 1
		for end < len(tokens) && !infix(tokens[end].Type) {
			end++
		}
		switch tokens[0].Type {
		case lex.Ident, lex.Left:
			a.named.Name, a.primary.Named = tokens[:end:end], &a.named
		default:
			a.primary.Literal = tokens[0]
		}
		tokens = tokens[end:]
	}
	last := &atoms[n-1]
	last.named.Call, last.named.Star, last.operand.Suffixes = r.Call, r.Star, r.Suffixes
	return &atoms[0].operand, rest
}

// infix reports whether a token of a run stands between operands.
func infix(t lexer.TokenType) bool { return t == lex.Operator }
