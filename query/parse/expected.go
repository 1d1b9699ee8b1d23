package parse

import (
	"maps"
	"slices"
	"sort"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
)

// maxProbed bounds the tokens before a place for which what may stand there is
// found out, since that parses them once for each candidate.
const maxProbed = 150

// candidates lists one token for all that the grammar tells apart: reserved
// words, other words and signs, and one example of each other type of token.
var candidates = sync.OnceValue(func() (out struct{ reserved, words, signs, types []lexer.Token }) {
	sorted := slices.Sorted(maps.Keys(productions().words))
	for _, text := range sorted {
		t, err := newScanner(text).next()
		switch {
		case err != nil:
		case t.Type == tokenKeyword:
			out.reserved = append(out.reserved, t)
		case t.Type == tokenIdent:
			out.words = append(out.words, t)
		default:
			out.signs = append(out.signs, t)
		}
	}
	for _, text := range []string{"x", `"x"`, "'x'", "1", "$1", "@1", "<"} {
		if t, err := newScanner(text).next(); err == nil {
			out.types = append(out.types, t)
		}
	}
	return out
})

// expectation is what may stand at a place.
type expectation struct {
	words    []string // keywords, sorted; only reserved ones where a name may stand
	signs    []string // punctuation and operators, sorted
	name     bool
	text     bool // a string
	number   bool
	param    bool
	version  bool
	operator bool // any comparison
	end      bool // the end of the statement
}

// expected finds out what may follow the tokens, which have no EOF.
func expected(tokens []lexer.Token) (e expectation) {
	if len(tokens) > maxProbed {
		return e
	}
	tokens = slices.Clip(tokens)
	allowed := func(t lexer.Token) bool { return reach(append(tokens, t)) > len(tokens) }
	_, e.end = descend(append(tokens, lexer.EOFToken(lexer.Position{})))
	for _, t := range candidates().types {
		flag := map[lexer.TokenType]*bool{tokenIdent: &e.name, tokenQuoted: &e.name, tokenString: &e.text,
			tokenNumber: &e.number, tokenParam: &e.param, tokenVersion: &e.version, tokenOperator: &e.operator}[t.Type]
		*flag = *flag || allowed(t)
	}
	words := candidates().reserved
	if !e.name {
		words = slices.Concat(words, candidates().words)
	}
	for _, t := range words {
		if allowed(t) {
			e.words = append(e.words, t.Value)
		}
	}
	for _, t := range candidates().signs {
		if allowed(t) {
			e.signs = append(e.signs, t.Value)
		}
	}
	sort.Strings(e.words)
	return e
}

// reach returns the number of tokens, which have no EOF, that the grammar gets over: up to the furthest
// fault. Without lookahead the first alternative that matches a token is taken, which refuses some
// statements, but knows better where the faulty ones go wrong.
func reach(tokens []lexer.Token) int {
	tokens = append(slices.Clip(tokens), lexer.EOFToken(lexer.Position{}))
	furthest := 0
	for _, ahead := range []int{lookahead, 0} {
		d := newDescent(tokens, ahead)
		if d.run() {
			return len(tokens) - 1
		}
		furthest = max(furthest, d.furthest)
	}
	return furthest
}

// Next returns the keywords that may follow text, which ends before a new
// token, and whether a name may. Where one may, only reserved words are listed.
// It serves completion, takes milliseconds, and knows nothing of long or faulty
// texts.
func Next(text string) (words []string, name bool) {
	tokens, err := tokenize(text)
	if err != nil || len(tokens) == 0 {
		return nil, false
	}
	tokens = tokens[:len(tokens)-1]
	if len(tokens) > maxProbed || reach(tokens) < len(tokens) {
		return nil, false
	}
	e := expected(tokens)
	return e.words, e.name
}
