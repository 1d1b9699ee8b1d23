package lex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// escaped returns E'…', a string with backslash escapes, as the plain string that it stands
// for: the rest of the parser knows no second kind.
func (s *Scanner) escaped() (lexer.Token, error) {
	rest := s.text[s.Pos.Offset:]
	end := escapedEnd(rest)
	if end < 0 {
		return lexer.Token{}, s.unfinished("string", "end it with '")
	}
	text, ok := unescape(rest[len("E'") : end-1])
	if !ok {
		return lexer.Token{}, SyntaxError(s.Pos, "this string has an escape that stands for no character",
			`escapes are \b \f \n \r \t \\ \' \nnn \xhh \uhhhh and \Uhhhhhhhh`)
	}
	t := s.Take(String, end)
	t.Value = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	return t, nil
}

// escapedEnd returns the length of the string E'…' that text starts with, -1 without an end.
func escapedEnd(text string) int {
	for i := len("E'"); i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		case text[i] == '\'':
			return i + 1
		}
	}
	return -1
}

// plainEscapes are the escapes that a letter names; other characters stand for themselves.
var plainEscapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape replaces escapes and doubled quotes; ok is false for no character or no UTF-8.
func unescape(s string) (out string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\'' {
			i++
		}
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if c, plain := plainEscapes[s[i]]; plain {
			b.WriteByte(c)
			continue
		}
		n, known := coded(&b, s[i:])
		if !known {
			return "", false
		}
		i += n - 1
	}
	return b.String(), utf8.ValidString(b.String()) && !strings.ContainsRune(b.String(), 0)
}

// coded writes the character that follows a backslash, perhaps by its number, and returns the
// bytes that tell it.
func coded(b *strings.Builder, s string) (n int, ok bool) {
	switch c := s[0]; {
	case c == 'u':
		return byCode(b, s, 4)
	case c == 'U':
		return byCode(b, s, 8)
	case c == 'x' && digitsOf(s[1:], 16, 2) > 0:
		n = digitsOf(s[1:], 16, 2)
		x, _ := strconv.ParseUint(s[1:1+n], 16, 8)
		b.WriteByte(byte(x))
		return 1 + n, true
	case '0' <= c && c <= '7':
		n = digitsOf(s, 8, 3)
		x, err := strconv.ParseUint(s[:n], 8, 8)
		b.WriteByte(byte(x))
		return n, err == nil
	}
	b.WriteByte(s[0])
	return 1, true
}

// byCode writes the character with the code point that n digits give.
func byCode(b *strings.Builder, s string, n int) (int, bool) {
	if digitsOf(s[1:], 16, n) < n {
		return 0, false
	}
	x, err := strconv.ParseUint(s[1:1+n], 16, 32)
	if err != nil || x > utf8.MaxRune || !utf8.ValidRune(rune(x)) {
		return 0, false
	}
	b.WriteRune(rune(x))
	return 1 + n, true
}

// digitsOf counts the digits of a base that s starts with, at most most.
func digitsOf(s string, base, most int) int {
	n := 0
	for n < most && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	return n
}
