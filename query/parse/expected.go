package parse

import (
	"regexp"
	"slices"
	"sort"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// maxProbed bounds the tokens before a place for which what may stand there is
// found out, since that parses them once for each candidate.
const maxProbed = 150

// candidates lists one token for all that the grammar tells apart: reserved
// words, other words and signs, and one example of each other type of token.
var candidates = sync.OnceValue(func() (out struct{ reserved, words, signs, types []lexer.Token }) {
	literals := map[string]bool{}
	for _, match := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(EBNF(), -1) {
		literals[match[1]] = true
	}
	sorted := make([]string, 0, len(literals))
	for text := range literals {
		sorted = append(sorted, text)
	}
	sort.Strings(sorted)
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
	prefix := make([]lexer.Token, len(tokens), len(tokens)+2)
	for i, t := range tokens {
		t.Pos.Offset = i
		prefix[i] = t
	}
	allowed := func(t lexer.Token) bool {
		t.Pos.Offset = len(tokens)
		return reach(append(prefix, t)) > len(tokens)
	}
	_, err := attempt(grammar(), prefix)
	e.end = err == nil
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

// reach returns the number of tokens that the grammar gets over: up to the
// furthest fault. The tokens have their index as offset, and no EOF.
func reach(tokens []lexer.Token) int {
	furthest := 0
	for _, p := range []*parser{grammar(), strict()} {
		at, err := attempt(p, tokens)
		if err == nil {
			return len(tokens)
		}
		furthest = max(furthest, at)
	}
	return furthest
}

// attempt parses tokens that have their index as offset and no EOF, and
// returns the index of the fault.
func attempt(p *parser, tokens []lexer.Token) (int, error) {
	eof := lexer.EOFToken(lexer.Position{Offset: len(tokens)})
	peeking, err := lexer.Upgrade(&stream{append(slices.Clip(tokens), eof)})
	if err != nil {
		return 0, err
	}
	if _, err = p.ParseFromLexer(peeking); err == nil {
		return len(tokens), nil
	}
	if located, ok := err.(participle.Error); ok {
		return located.Position().Offset, err
	}
	return 0, err
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
	if len(tokens) > maxProbed || reachOf(tokens) < len(tokens) {
		return nil, false
	}
	e := expected(tokens)
	return e.words, e.name
}

// reachOf is reach for tokens with their own offsets.
func reachOf(tokens []lexer.Token) int {
	indexed := slices.Clone(tokens)
	for i := range indexed {
		indexed[i].Pos.Offset = i
	}
	return reach(indexed)
}
