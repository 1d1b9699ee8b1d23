package lex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// Limits of a statement, checked before it is parsed: parser and tree recurse
// with the nesting, and a stack overflow cannot be recovered from.
const (
	MaxBytes   = 16 << 20 // length of a statement
	MaxTokens  = 500_000  // words, numbers and signs: parsing them takes seconds and some hundred MB
	MaxNesting = 200      // parentheses and CASE within each other
	MaxDepth   = 20_000   // operators and joins in a chain, summed over nested chains
)

// Statement returns the tokens of one statement, EOF last and without the final semicolon. It checks the limits and numbers the ?
// parameters as $1, $2, …. The tokens overwrite those of the given slice if they fit.
func Statement(text string, tokens []lexer.Token) ([]lexer.Token, error) {
	if len(text) > MaxBytes {
		return nil, &ast.Error{Code: ast.CodeTooLong,
			Msg:  fmt.Sprintf("the statement has %d bytes, more than the %d allowed", len(text), MaxBytes),
			Hint: "load large data with LOAD or COPY, or insert it in parts"}
	}
	if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
		return nil, &ast.Error{Code: ast.CodeNotText, Msg: "the statement is not valid UTF-8, or has the character 0 in it"}
	}
	s := NewScanner(text)
	if tokens = tokens[:0]; cap(tokens) == 0 {
		tokens = make([]lexer.Token, 0, 8+min(len(text)/4, 1<<14))
	}
	var check checker
	for {
		t, err := s.Next()
		if err != nil {
			return nil, err
		}
		if err := check.token(&t); err != nil {
			return nil, err
		}
		if t.EOF() {
			return append(tokens, t), nil
		}
		if len(tokens) == MaxTokens {
			return nil, &ast.Error{Pos: Position(t.Pos), Code: ast.CodeTooComplex,
				Msg:  fmt.Sprintf("the statement has more than %d words, numbers and signs", MaxTokens),
				Hint: "load large data with LOAD or COPY, insert it in parts, or join with a table"}
		}
		if check.semicolon == nil {
			if len(tokens) == cap(tokens) { // as many a byte as so far
				tokens = slices.Grow(tokens, 8+len(tokens)*(len(text)-t.Pos.Offset)/t.Pos.Offset)
			}
			tokens = append(tokens, t)
		}
	}
}

// checker sees the tokens of a statement in order.
type checker struct {
	depth     int          // of nesting
	marks     int          // ? so far
	numbered  bool         // a $n was seen
	semicolon *lexer.Token // nil before the end of the statement
}

// token checks t and numbers it if it is a ?.
func (c *checker) token(t *lexer.Token) error {
	switch {
	case t.EOF():
		return nil
	case c.semicolon != nil:
		return SyntaxError(t.Pos, "text follows the end of the statement", "send one statement at a time")
	case t.Type == Unknown:
		return SyntaxError(t.Pos, fmt.Sprintf("unexpected character %q", t.Value), "")
	case t.Type == Param:
		return c.param(t)
	case t.Value == ";":
		semicolon := *t
		c.semicolon = &semicolon
	case t.Value == "(", t.Value == "[", t.Type == Keyword && t.Value == "CASE":
		if c.depth++; c.depth > MaxNesting {
			return &ast.Error{Pos: Position(t.Pos), Code: ast.CodeTooComplex,
				Msg: fmt.Sprintf("the statement is nested deeper than %d levels", MaxNesting)}
		}
	case t.Value == ")", t.Value == "]", t.Type == Keyword && t.Value == "END":
		c.depth = max(0, c.depth-1)
	}
	return nil
}

func (c *checker) param(t *lexer.Token) error {
	if t.Value == "?" {
		c.marks++
		t.Value = "$" + strconv.Itoa(c.marks)
	} else {
		c.numbered = true
	}
	if c.numbered && c.marks > 0 {
		return SyntaxError(t.Pos, "a statement cannot mix $1 and ? parameters", "use one of the two forms")
	}
	return nil
}
