package logic

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says what is wrong with the text of a formula, and where.
type Error struct {
	Pos  int // 1-based character
	Msg  string
	Hint string // what would be right, or ""
}

func (e *Error) Error() string {
	s := fmt.Sprintf("formula, character %d: %s", e.Pos, e.Msg)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// token is a word, a sign or the end. kind is the sign or keyword itself, "name" or "end".
type token struct {
	kind, text string
	quoted     bool
	at         int // 1-based character
}

// describe names the token in messages.
func (t token) describe() string {
	switch t.kind {
	case "end":
		return "the end"
	case "name":
		return "'" + t.text + "'"
	}
	return "'" + t.kind + "'"
}

// lexer cuts a text into tokens.
type lexer struct {
	rest string
	at   int // 1-based character where rest begins
}

// signs in the order in which they are tried.
var signs = []string{"<=>", "=>", "(", ")", ",", ":"}

// elsewhere are signs of other languages of logic, and how they are written here.
var elsewhere = []struct{ sign, write string }{
	{"<->", "<=>"}, {"<-", "=>, with the condition on the left"}, {"->", "=>"},
	{":-", "=>, with the condition on the left"},
	{"&", "and"}, {"∧", "and"}, {"|", "or"}, {"∨", "or"}, {"⊕", "xor"}, {"^", "and"}, {"~", "not"},
	{"!", "not"}, {"¬", "not"},
	{"→", "=>"}, {"⇒", "=>"}, {"↔", "<=>"}, {"⇔", "<=>"}, {"∀", "forall"}, {"<=", "=> or <=>"}, {"=", "=> or <=>"},
}

func (l *lexer) skip(bytes int) string {
	s := l.rest[:bytes]
	l.rest = l.rest[bytes:]
	l.at += utf8.RuneCountInString(s)
	return s
}

func (l *lexer) next() (token, error) {
	l.skip(len(l.rest) - len(strings.TrimLeftFunc(l.rest, unicode.IsSpace)))
	at := l.at
	if l.rest == "" {
		return token{kind: "end", at: at}, nil
	}
	if strings.HasPrefix(l.rest, ":-") {
		return token{}, l.foreign(at)
	}
	for _, s := range signs {
		if strings.HasPrefix(l.rest, s) {
			l.skip(len(s))
			return token{kind: s, at: at}, nil
		}
	}
	if l.rest[0] == '\'' || l.rest[0] == '"' {
		return l.quoted(at)
	}
	if r, _ := utf8.DecodeRuneInString(l.rest); r == utf8.RuneError || !starts(r) {
		return token{}, l.foreign(at)
	}
	end := strings.IndexFunc(l.rest, func(r rune) bool { return !inside(r) })
	if end < 0 {
		end = len(l.rest)
	}
	word := l.rest[:end]
	if strings.HasSuffix(word, "-") && strings.HasPrefix(l.rest[end:], ">") && len(word) > 1 {
		word = word[:len(word)-1] // a->b
	}
	l.skip(len(word))
	if k := keyword(word); k != "" {
		return token{kind: k, text: word, at: at}, nil
	}
	return token{kind: "name", text: word, at: at}, nil
}

// quoted reads a name in quotes, the quote doubled inside.
func (l *lexer) quoted(at int) (token, error) {
	mark := l.rest[:1]
	var b strings.Builder
	l.skip(1)
	for {
		i := strings.Index(l.rest, mark)
		if i < 0 {
			return token{}, &Error{at, "the quote is not closed", "a quote within a name is doubled"}
		}
		b.WriteString(l.skip(i))
		l.skip(1)
		if !strings.HasPrefix(l.rest, mark) {
			break
		}
		b.WriteString(l.skip(1))
	}
	name := b.String()
	if name == "" {
		return token{}, &Error{at, "the name is empty", ""}
	}
	if !utf8.ValidString(name) {
		return token{}, &Error{at, "the name is not UTF-8", ""}
	}
	return token{kind: "name", text: name, quoted: true, at: at}, nil
}

// foreign is the error of a sign that the language does not have.
func (l *lexer) foreign(at int) error {
	for _, n := range elsewhere {
		if strings.HasPrefix(l.rest, n.sign) {
			return &Error{at, fmt.Sprintf("unknown sign %q", n.sign), "write " + n.write}
		}
	}
	r, _ := utf8.DecodeRuneInString(l.rest)
	return &Error{at, fmt.Sprintf("unknown sign %q", r), "names with such signs stand in quotes"}
}
