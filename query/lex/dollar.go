package lex

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// dollarTag returns the length of $$ or $tag$ at the start of text, 0 if there is neither.
func dollarTag(text string) int {
	n := word(text[1:])
	if 1+n < len(text) && text[1+n] == '$' {
		return n + 2
	}
	return 0
}

// dollarQuoted scans $tag$…$tag$, whose delimiter has n bytes, and returns the plain string that it stands for.
func (s *Scanner) dollarQuoted(n int) (lexer.Token, error) {
	rest := s.text[s.Pos.Offset:]
	length := strings.Index(rest[n:], rest[:n])
	if length < 0 {
		return lexer.Token{}, s.unterminated("string", "end it with "+rest[:n])
	}
	t := s.Take(String, n+length+n)
	t.Value = "'" + strings.ReplaceAll(rest[n:n+length], "'", "''") + "'"
	return t, nil
}
