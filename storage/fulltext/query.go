// Package fulltext is what full-text search is made of: the language of queries, lists of
// postings, boolean evaluation and the scores of BM25. It knows no file.
//
// A query is words, which must all occur, "phrases" of tokens that follow each other, -word for
// what must not occur, OR or | between alternatives, parentheses, and prefix* for all terms that
// begin so. AND between words says what is meant anyway.
package fulltext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is a fault of a query.
type SyntaxError struct {
	Char int // where, in code points from 1
	Msg  string
	Hint string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at character %d of the query", e.Msg, e.Char)
}

// Bounds of queries: how deep parentheses and exclusions nest, and words and phrases.
const (
	maxDepth = 100
	maxWords = 10_000
)

// Query is a parsed query whose words are not yet cut into tokens.
type Query struct {
	source string
	root   *syntax
}

// syntax is a node of a parsed query.
type syntax struct {
	kind   syntaxKind
	text   string // of words, prefixes and phrases
	at     int    // byte offset of those
	inputs []*syntax
}

type syntaxKind uint8

const (
	word syntaxKind = iota
	prefix
	phrase
	both
	either
	without
)

type queryParser struct {
	s     string
	at    int
	depth int
	words int
}

// Parse reads a query; errors are *SyntaxError.
func Parse(s string) (*Query, error) {
	p := &queryParser{s: s}
	if p.space(); p.at == len(s) {
		return nil, p.fail(0, "write words, \"a phrase\", -excluded, one OR another, prefix*", "an empty query")
	}
	root, err := p.either()
	if err != nil {
		return nil, err
	}
	if p.at < len(s) { // only ) ends a query before its end
		return nil, p.fail(p.at, "remove it, or open a parenthesis before it", ") closes nothing")
	}
	return &Query{s, root}, nil
}

func (p *queryParser) fail(at int, hint, format string, args ...any) error {
	return fault(p.s, at, hint, format, args...)
}

func fault(s string, at int, hint, format string, args ...any) error {
	return &SyntaxError{Char: utf8.RuneCountInString(s[:at]) + 1, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (p *queryParser) space() {
	for p.at < len(p.s) {
		r, w := utf8.DecodeRuneInString(p.s[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += w
	}
}

// keyword takes a word in capitals, if it stands here.
func (p *queryParser) keyword(k string) bool {
	if !strings.HasPrefix(p.s[p.at:], k) || p.wordEnd() != p.at+len(k) {
		return false
	}
	p.at += len(k)
	p.space()
	return true
}

// or takes OR or |, if it stands here.
func (p *queryParser) or() bool {
	if strings.HasPrefix(p.s[p.at:], "|") {
		p.at++
		p.space()
		return true
	}
	return p.keyword("OR")
}

// wordEnd is where the word that begins here ends.
func (p *queryParser) wordEnd() int {
	n := strings.IndexFunc(p.s[p.at:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"()|`, r) })
	if n < 0 {
		return len(p.s)
	}
	return p.at + n
}

// either = both { OR both }
func (p *queryParser) either() (*syntax, error) {
	var list []*syntax
	for {
		x, err := p.both()
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		if !p.or() {
			return joined(either, list), nil
		}
	}
}

func joined(k syntaxKind, list []*syntax) *syntax {
	if len(list) == 1 {
		return list[0]
	}
	return &syntax{kind: k, inputs: list}
}

// both = unary { [AND] unary }
func (p *queryParser) both() (*syntax, error) {
	var list []*syntax
	for {
		x, err := p.unary()
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		p.space()
		if p.keyword("AND") {
			continue
		}
		before := p.at
		if p.at == len(p.s) || p.s[p.at] == ')' || p.or() {
			p.at = before
			return joined(both, list), nil
		}
	}
}

// unary = -unary | ( either ) | "phrase" | word | prefix*
func (p *queryParser) unary() (*syntax, error) {
	at := p.at
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(at, "", "more than %d parentheses within each other", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.words++; p.words > maxWords {
		return nil, p.fail(at, "", "more than %d words", maxWords)
	}
	switch {
	case at == len(p.s):
		return nil, p.fail(at, "write a word after it, or remove it",
			"OR and AND stand between two words, the second is missing")
	case p.s[at] == '-':
		return p.excluded()
	case p.s[at] == '(':
		p.at++
		p.space()
		x, err := p.either()
		if err != nil {
			return nil, err
		}
		if p.at == len(p.s) {
			return nil, p.fail(at, "write ) where it ends", "( is not closed")
		}
		p.at++
		return x, nil
	case p.s[at] == ')':
		return nil, p.fail(at, "write a word before it", "a word is missing before )")
	case p.s[at] == '"':
		return p.quoted()
	}
	if p.or() || p.keyword("AND") {
		return nil, p.fail(at, "write a word before it; quote it to search for the word itself",
			"OR and AND stand between two words, the first is missing")
	}
	return p.bare()
}

func (p *queryParser) excluded() (*syntax, error) {
	at := p.at
	p.at++
	if r, _ := utf8.DecodeRuneInString(p.s[p.at:]); p.at == len(p.s) || unicode.IsSpace(r) ||
		strings.ContainsRune("-)|", r) {
		return nil, p.fail(at, "write -word without a space, or quote it",
			"- excludes the word that follows it, and none does")
	}
	x, err := p.unary()
	if err != nil {
		return nil, err
	}
	return &syntax{kind: without, inputs: []*syntax{x}}, nil
}

func (p *queryParser) quoted() (*syntax, error) {
	at := p.at
	n := strings.IndexByte(p.s[at+1:], '"')
	if n < 0 {
		return nil, p.fail(at, `write " where the phrase ends`, "the phrase is not closed")
	}
	p.at = at + 1 + n + 1
	text := p.s[at+1 : p.at-1]
	if strings.TrimSpace(text) == "" {
		return nil, p.fail(at, "write words between the quotes", "an empty phrase")
	}
	return &syntax{kind: phrase, text: text, at: at}, nil
}

func (p *queryParser) bare() (*syntax, error) {
	at := p.at
	p.at = p.wordEnd()
	text := p.s[at:p.at]
	star := strings.IndexByte(text, '*')
	switch {
	case star < 0:
		return &syntax{kind: word, text: text, at: at}, nil
	case star == 0:
		return nil, p.fail(at, "write the beginning of a word before *, or quote it", "* follows nothing")
	case star < len(text)-1:
		return nil, p.fail(at+star, "write prefix*, or quote the word", "* stands only at the end of a word")
	}
	return &syntax{kind: prefix, text: text[:star], at: at}, nil
}
