package parse

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// converter turns productions into nodes of the tree. After a fault the nodes
// that it returns are incomplete.
type converter struct {
	from  *Scanned   // the statement
	depth int        // of the tree above the node at hand, at most
	err   *ast.Error // the first fault

	parameter func(token int) int // the number of the parameter that stands for a literal, 0 for none; may be nil

	windows []*windowDef // those that OVER may name
}

// fail records a fault, unless there was one before.
func (c *converter) fail(p lexer.Position, code, msg, hint string) {
	c.failAt(c.position(p), code, msg, hint)
}

func (c *converter) failAt(p ast.Pos, code, msg, hint string) {
	if c.err == nil {
		c.err = &ast.Error{Pos: p, Code: code, Msg: msg, Hint: hint}
	}
}

// position returns where the token stands in the statement whose place is that of a token in a form.
func (c *converter) position(p lexer.Position) ast.Pos {
	if p.Line == 0 {
		return ast.Pos{}
	}
	return lex.Position(c.from.tokens[p.Offset].Pos)
}

// current returns a token of a form with the literal of the statement, if it is one.
func (c *converter) current(t lexer.Token) lexer.Token {
	if t.Type == lex.String || t.Type == lex.Number {
		if now := &c.from.tokens[t.Pos.Offset]; now.Type == t.Type && !c.from.fixed(t.Pos.Offset) {
			t.Value = now.Value
		}
	}
	return t
}

// spelled returns a word as it stands in the statement.
func (c *converter) spelled(t lexer.Token) string {
	from := c.from.tokens[t.Pos.Offset].Pos.Offset
	return c.from.text[from : from+len(t.Value)]
}

// enter adds to the depth of the tree and reports whether it stays in bounds.
// leave takes it back.
func (c *converter) enter(p lexer.Position, levels int) bool {
	c.depth += levels
	if c.depth > lex.MaxDepth {
		c.fail(p, ast.CodeTooComplex,
			fmt.Sprintf("more than %d operators or joins depend on each other", lex.MaxDepth),
			"use IN (…), or several statements")
		return false
	}
	return true
}

func (c *converter) leave(levels int) { c.depth -= levels }

// name returns the name that a word, quoted name, string or version stands
// for; empty for the zero token.
func (c *converter) name(t lexer.Token) string {
	switch t.Type {
	case lex.String:
		return unquote(c.current(t).Value, "'")
	case lex.Version:
		if version := t.Value[1:]; version[0] != '"' {
			return c.spelled(t)[1:]
		}
		return unquote(t.Value[1:], `"`)
	case lex.Ident, lex.Keyword, lex.Constant, lex.Left:
		if t.Value[0] == '"' {
			return unquote(t.Value, `"`)
		}
		return c.spelled(t)
	default:
		return ""
	}
}

// unquote strips the quotes and halves doubled ones.
func unquote(s, quote string) string {
	return strings.ReplaceAll(s[1:len(s)-1], quote+quote, quote)
}

// names returns the names among the tokens, leaving out dots and commas.
func (c *converter) names(tokens []lexer.Token) []string {
	var names []string
	for _, t := range tokens {
		if t.Type != lex.Punct {
			names = append(names, c.name(t))
		}
	}
	return names
}

// dotted returns the names among the tokens with dots between them. A reserved word that is a name is so in small letters.
func (c *converter) dotted(tokens []lexer.Token) string {
	if len(tokens) == 1 && tokens[0].Type == lex.Keyword {
		return strings.ToLower(tokens[0].Value)
	}
	return strings.Join(c.names(tokens), ".")
}

// metric returns the name of a metric: f1, f1.PER, hits@3.object.
func (c *converter) metric(tokens []lexer.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		switch t.Type {
		case lex.Punct:
			b.WriteByte('.')
		case lex.Version:
			b.WriteString("@" + c.name(t))
		default:
			b.WriteString(c.name(t))
		}
	}
	return b.String()
}

// format returns the name of a format.
func (c *converter) format(t lexer.Token) string {
	name := c.name(t)
	if t.Type == lex.String && name == "" {
		c.fail(t.Pos, ast.CodeSyntax, "the name of the format is empty", "")
	}
	return name
}

// constant returns a literal or parameter; nil for the zero token.
func (c *converter) constant(t lexer.Token) ast.Expr {
	switch t.Type {
	case 0:
		return nil
	case lex.Param:
		return c.param(t)
	case lex.String, lex.Number:
		if c.parameter != nil {
			if n := c.parameter(t.Pos.Offset); n > 0 {
				return &ast.Param{Pos: c.position(t.Pos), Index: n}
			}
		}
	}
	return c.literal(t, false)
}

// constants returns the literals and parameters among the tokens.
func (c *converter) constants(tokens []lexer.Token) []ast.Expr {
	var out []ast.Expr
	for _, t := range tokens {
		if t.Type != lex.Punct {
			out = append(out, c.constant(t))
		}
	}
	return out
}

func (c *converter) param(t lexer.Token) *ast.Param { return c.paramAt(t, c.position(t.Pos)) }

func (c *converter) paramAt(t lexer.Token, pos ast.Pos) *ast.Param {
	// At most five digits, the scanner has seen to it.
	index, _ := strconv.Atoi(t.Value[1:])
	if index > math.MaxUint16 {
		c.failAt(pos, ast.CodeSyntax, "parameter "+t.Value+" is out of range",
			fmt.Sprintf("parameters go from $1 to $%d", math.MaxUint16))
	}
	return &ast.Param{Pos: pos, Index: index}
}

func (c *converter) literal(t lexer.Token, negative bool) *ast.Literal {
	return c.literalAt(c.current(t), c.position(t.Pos), negative)
}

// literalAt returns the literal that a token of the statement is.
func (c *converter) literalAt(t lexer.Token, pos ast.Pos, negative bool) *ast.Literal {
	l := &ast.Literal{Pos: pos}
	switch t.Type {
	case lex.String:
		l.Value = unquote(t.Value, "'")
	case lex.Number:
		l.Value = c.number(t.Value, pos, negative)
	default:
		switch t.Value {
		case "TRUE":
			l.Value = true
		case "FALSE":
			l.Value = false
		}
	}
	return l
}

// number returns an int64 if the digits fit one, else a float64.
func (c *converter) number(digits string, pos ast.Pos, negative bool) any {
	if negative {
		digits = "-" + digits
	}
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		c.failAt(pos, ast.CodeRange, "the number "+digits+" is out of range", "")
		return 0.0
	}
	return f
}

// all converts each item of a list.
func all[From, To any](items []From, convert func(From) To) []To {
	if len(items) == 0 {
		return nil
	}
	out := make([]To, len(items))
	for i, item := range items {
		out[i] = convert(item)
	}
	return out
}
