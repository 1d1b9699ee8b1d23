package lex

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// tag returns the length of $$ or $tag$ that text starts with, 0 if it starts with neither.
func tag(text string) int {
	n := word(text[1:])
	if 1+n < len(text) && text[1+n] == '$' {
		return n + 2
	}
	return 0
}

// dollarQuoted returns $tag$…$tag$, whose delimiter has n bytes, as the plain string that it stands for.
func (s *Scanner) dollarQuoted(n int) (lexer.Token, error) {
	rest := s.text[s.Pos.Offset:]
	length := strings.Index(rest[n:], rest[:n])
	if length < 0 {
		return lexer.Token{}, s.unfinished("string", "end it with "+rest[:n])
	}
	t := s.Take(String, n+length+n)
	t.Value = "'" + strings.ReplaceAll(rest[n:n+length], "'", "''") + "'"
	return t, nil
}
