package lex

import (
	"strings"
	"unicode/utf8"

	"parlance/query/ast"
)

// Stop is why ScanInput has stopped.
type Stop int

// Reasons to stop: the end of the text; a string, quoted name or comment without an end; a semicolon; and what only a
// shell understands: a backslash, and a colon before a name, a quoted name or {?.
const (
	StopEnd Stop = iota
	StopOpen
	StopSemicolon
	StopBackslash
	StopVariable
)

// ScanInput scans text, which begins outside strings and comments, to the first place where a shell has to act. n is
// the number of bytes before that place: a semicolon is counted, what has no end is not. begun reports whether there is
// more among them than white space, comments and the semicolon.
func ScanInput(text string) (n int, stop Stop, begun bool) {
	s := NewScanner(text)
	for {
		before := s.Pos
		t, err := s.Next()
		switch {
		case s.Unterminated:
			return s.Pos.Offset, StopOpen, begun
		case err != nil && s.Pos == before:
			s.Take(Invalid, 1)
		case err == nil && t.EOF():
			return len(text), StopEnd, begun
		case t.Type == Punct && t.Value == ";":
			return s.Pos.Offset, StopSemicolon, begun
		case t.Type == Invalid && t.Value == `\`:
			return t.Pos.Offset, StopBackslash, begun
		case t.Type == Punct && t.Value == ":" && variable(text[s.Pos.Offset:]):
			return t.Pos.Offset, StopVariable, begun
		}
		begun = true
	}
}

// variable reports whether what follows a colon may name a variable.
func variable(text string) bool {
	if text == "" {
		return false
	}
	c, _ := utf8.DecodeRuneInString(text)
	return c == '\'' || c == '"' || strings.HasPrefix(text, "{?") || ast.NamePart(c)
}
