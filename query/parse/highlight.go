package parse

import (
	"errors"
	"strings"
	"unicode"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// Class says how a part of a statement is highlighted.
type Class int

// The classes. A Name is a name, or a word that is a keyword in some places. Invalid is what cannot stand where it
// does.
const (
	Punctuation Class = iota
	Keyword
	Name
	String
	Number
	Parameter
	Comment
	Invalid
)

// Span is a part of a text: bytes From to To, half-open.
type Span struct {
	From, To int
	Class    Class
	Keyword  bool // a Word that is a keyword in some places
}

// maxHighlighted bounds the texts in which syntax errors are marked.
const maxHighlighted = 4096

// Highlight splits a text that is being typed into spans, in order, without white space. It takes milliseconds.
func Highlight(text string) (out []Span) {
	s := lex.NewScanner(text)
	end := 0
	for {
		before := s.Pos.Offset
		t, err := s.Next()
		from := t.Pos.Offset
		if err != nil || t.EOF() {
			from = len(text)
			if err != nil && !s.Unterminated {
				from = s.Pos.Offset
			}
		}
		out = addComments(out, text, end, from, s.Unterminated)
		switch {
		case s.Unterminated:
			return out
		case err != nil && s.Pos.Offset == before:
			s.Take(lex.Invalid, 1)
			fallthrough
		case err != nil:
			out = append(out, Span{from, s.Pos.Offset, Invalid, false})
		case t.EOF():
			return markFaults(out, text)
		default:
			out = append(out, spanOf(t, s.Pos.Offset))
		}
		end = s.Pos.Offset
	}
}

// spanOf returns the span of a token that ends at a byte.
func spanOf(t lexer.Token, to int) Span {
	p := Span{From: t.Pos.Offset, To: to}
	switch t.Type {
	case lex.Keyword:
		p.Class = Keyword
	case lex.Ident:
		p.Class, p.Keyword = Name, grammarWords()[t.Value]
	case lex.Quoted, lex.Version:
		p.Class = Name
	case lex.String:
		p.Class = String
	case lex.Number:
		p.Class = Number
	case lex.Param:
		p.Class = Parameter
	case lex.Invalid:
		p.Class = Invalid
	}
	return p
}

// addComments adds a span for what stands between two tokens and is not white space: a comment or, where it has no end,
// a string.
func addComments(out []Span, text string, from, to int, open bool) []Span {
	between := text[from:to]
	left := strings.TrimLeftFunc(between, unicode.IsSpace)
	from += len(between) - len(left)
	left = strings.TrimRightFunc(left, unicode.IsSpace)
	if left == "" {
		return out
	}
	sort := Comment
	if open && !strings.HasPrefix(left, "--") && !strings.HasPrefix(left, "/*") {
		sort = String
	}
	return append(out, Span{from, from + len(left), sort, false})
}

// markFaults marks the token of each statement at which it has a syntax error. It leaves the last token of the text
// out: it may be the start of a word.
func markFaults(parts []Span, text string) []Span {
	if len(text) > maxHighlighted || len(parts) == 0 {
		return parts
	}
	list, err := lex.Script(text)
	if err != nil {
		return parts
	}
	for _, l := range list {
		_, err := Parse(l.Text)
		var f *ast.Error
		if !errors.As(err, &f) || f.Code != ast.CodeSyntax {
			continue
		}
		at := l.Pos.Offset + f.Pos.Offset
		if at < len(text) && text[at] == ':' { // a variable of the shell
			continue
		}
		for i := range parts {
			if last := i == len(parts)-1; parts[i].From == at && parts[i].Class != Comment &&
				!(last && parts[i].To == len(text)) {
				parts[i].Class = Invalid
			}
		}
	}
	return parts
}
