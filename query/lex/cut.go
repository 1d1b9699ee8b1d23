package lex

import (
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
)

// Stop is why Cut has stopped.
type Stop int

// Reasons to stop: the end of the text, a string, quoted name or comment without an end, a semicolon, and what
// means something to a shell alone: a backslash, and a colon before a name, a quoted name or {?.
const (
	StopEnd Stop = iota
	StopOpen
	StopSemicolon
	StopBackslash
	StopVariable
)

// Cut scans text, which begins outside strings and comments, to the first place where a shell has something to do.
// n is the number of bytes before it; a semicolon is among them, what has no end is not. begun tells whether there is
// more among them than blanks, comments and the semicolon.
func Cut(text string) (n int, stop Stop, begun bool) {
	s := NewScanner(text)
	for {
		before := s.Pos
		t, err := s.Next()
		switch {
		case s.Open:
			return s.Pos.Offset, StopOpen, begun
		case err != nil && s.Pos == before:
			s.Take(Unknown, 1)
		case err == nil && t.EOF():
			return len(text), StopEnd, begun
		case t.Type == Punct && t.Value == ";":
			return s.Pos.Offset, StopSemicolon, begun
		case t.Type == Unknown && t.Value == `\`:
			return t.Pos.Offset, StopBackslash, begun
		case t.Type == Punct && t.Value == ":" && variable(text[s.Pos.Offset:]):
			return t.Pos.Offset, StopVariable, begun
		}
		begun = true
	}
}

// variable tells whether what follows a colon may name a variable.
func variable(text string) bool {
	if text == "" {
		return false
	}
	c, _ := utf8.DecodeRuneInString(text)
	return c == '\'' || c == '"' || strings.HasPrefix(text, "{?") || ast.NamePart(c)
}
