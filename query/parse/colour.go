package parse

import (
	"errors"
	"strings"
	"unicode"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// Sort is what a part of a text is to who types it.
type Sort int

// The sorts. A Word is a name, or a word that is a keyword in some places; what is Wrong cannot stand where it does.
const (
	Sign Sort = iota
	Keyword
	Word
	String
	Number
	Parameter
	Comment
	Wrong
)

// Part is a part of a text: bytes From to To, half-open.
type Part struct {
	From, To int
	Sort     Sort
	Keyword  bool // a Word that is a keyword in some places
}

// mostColoured bounds texts in which faults are looked for.
const mostColoured = 4096

// Parts cuts a text that is being typed into its parts, in order, blanks left out. It takes milliseconds.
func Parts(text string) (out []Part) {
	s := lex.NewScanner(text)
	end := 0
	for {
		before := s.Pos.Offset
		t, err := s.Next()
		from := t.Pos.Offset
		if err != nil || t.EOF() {
			from = len(text)
			if err != nil && !s.Open {
				from = s.Pos.Offset
			}
		}
		out = comments(out, text, end, from, s.Open)
		switch {
		case s.Open:
			return out
		case err != nil && s.Pos.Offset == before:
			s.Take(lex.Unknown, 1)
			fallthrough
		case err != nil:
			out = append(out, Part{from, s.Pos.Offset, Wrong, false})
		case t.EOF():
			return faults(out, text)
		default:
			out = append(out, partOf(t, s.Pos.Offset))
		}
		end = s.Pos.Offset
	}
}

// partOf is the part that a token is, which ends at a byte.
func partOf(t lexer.Token, to int) Part {
	p := Part{From: t.Pos.Offset, To: to}
	switch t.Type {
	case lex.Keyword:
		p.Sort = Keyword
	case lex.Ident:
		p.Sort, p.Keyword = Word, grammarWords()[t.Value]
	case lex.Quoted, lex.Version:
		p.Sort = Word
	case lex.String:
		p.Sort = String
	case lex.Number:
		p.Sort = Number
	case lex.Param:
		p.Sort = Parameter
	case lex.Unknown:
		p.Sort = Wrong
	}
	return p
}

// comments adds what stands between two tokens and is not blank: a comment or, where it has no end, a string.
func comments(out []Part, text string, from, to int, open bool) []Part {
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
	return append(out, Part{from, from + len(left), sort, false})
}

// faults marks the token of each statement where the grammar gets no further, but for the last of a text, which may be a
// part of a word.
func faults(parts []Part, text string) []Part {
	if len(text) > mostColoured || len(parts) == 0 {
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
			if last := i == len(parts)-1; parts[i].From == at && parts[i].Sort != Comment && !(last && parts[i].To == len(text)) {
				parts[i].Sort = Wrong
			}
		}
	}
	return parts
}
