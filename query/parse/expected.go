package parse

import (
	"bytes"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
	"parlance/query/lex"
)

// maxProbed bounds the tokens before a place for which the expected tokens are found out: participle then writes a
// trace of the whole parse.
const maxProbed = 150

// expectation is what the grammar accepts at a place.
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

// probe is a token that the grammar accepts nowhere.
const probe = "\x00"

// expected returns what may follow the tokens, which have no EOF. It returns nothing if the grammar does not accept
// them or they are too many. It puts the probe behind them: participle then tries everything that may stand there, and
// its trace names what it tried.
func expected(tokens []lexer.Token) (e expectation) {
	if len(tokens) > maxProbed {
		return e
	}
	if _, err := build(withEOF(tokens)); err == nil {
		e.end = true
	}
	direct, ahead := attemptsAfter(tokens)
	for name := range direct.types {
		e.add(name)
	}
	for name := range ahead.types {
		if !direct.types[name] && e.allows(tokens, examples[name]) {
			e.add(name)
		}
	}
	for _, word := range suffixSigns {
		ahead.words[word] = ahead.types["Suffix"] || ahead.words[word]
	}
	for word := range ahead.words {
		if e.lists(word) && !direct.words[word] && e.allows(tokens, word) {
			direct.words[word] = true
		}
	}
	for word := range direct.words {
		switch {
		case !ast.NameStart(rune(word[0])):
			e.signs = append(e.signs, word)
		case e.lists(word):
			e.words = append(e.words, word)
		}
	}
	for class, words := range classes {
		if direct.types[class] && (class == "Operator" || class == "Left" || class == "Constant") {
			e.words = append(e.words, words...)
		}
	}
	if direct.types["Keyword"] {
		e.words = append(e.words, reserved()...)
	}
	slices.Sort(e.words)
	e.words = slices.Compact(e.words)
	slices.Sort(e.signs)
	return e
}

// examples has a token of each type that expectations name.
var examples = map[string]string{"Name": "x", "String": "'x'", "Number": "1", "Param": "$1", "Version": "@1",
	"Operator": "<"}

// classes has the words of types of token.
var classes = map[string][]string{"Operator": {"AND", "BETWEEN", "ILIKE", "LIKE", "OR"}, "Left": {"LEFT"},
	"Constant": {"FALSE", "NULL", "TRUE"}}

// suffixSigns are the signs with which a suffix of an operand begins.
var suffixSigns = []string{"::", "["}

// add notes that a token of a type is accepted.
func (e *expectation) add(name string) {
	switch name {
	case "Name":
		e.name = true
	case "String":
		e.text = true
	case "Number":
		e.number = true
	case "Param":
		e.param = true
	case "Version":
		e.version = true
	case "Operator":
		e.operator = true
	}
}

// lists reports whether a word or sign is listed. Where a name is accepted, every word is, so only reserved ones are
// listed.
func (e *expectation) lists(word string) bool {
	return !e.name || ast.Reserved(word) || !ast.NameStart(rune(word[0]))
}

// allows reports whether the grammar accepts a text, which is one token, behind the tokens.
func (e *expectation) allows(tokens []lexer.Token, text string) bool {
	if text == "" {
		return false
	}
	t, err := lex.NewScanner(text).Next()
	return err == nil && accepts(append(slices.Clip(tokens), classify([]lexer.Token{t})...))
}

// accepts reports whether the grammar accepts the tokens as the start of a statement.
func accepts(tokens []lexer.Token) bool {
	direct, _ := attemptsAfter(tokens)
	if len(direct.words)+len(direct.types) > 0 {
		return true
	}
	_, err := build(withEOF(tokens))
	return err == nil
}

// withEOF returns the tokens with more of them and EOF behind.
func withEOF(tokens []lexer.Token, more ...lexer.Token) []lexer.Token {
	return slices.Concat(tokens, more, []lexer.Token{lexer.EOFToken(lexer.Position{})})
}

// attempts are the words, signs and types of token with which a parse has compared the probe.
type attempts struct{ words, types map[string]bool }

func newAttempts() attempts { return attempts{words: map[string]bool{}, types: map[string]bool{}} }

// attemptsAfter returns what the grammar tries behind tokens: direct to accept it, ahead in lookahead groups.
func attemptsAfter(tokens []lexer.Token) (direct, ahead attempts) {
	var trace bytes.Buffer
	_, _ = build(withEOF(tokens, lexer.Token{Type: lex.Invalid, Value: probe}), participle.Trace(&trace))
	return attemptsInTrace(trace.String())
}

// attemptsInTrace reads a trace of participle. Its lines are indented by the depth in the grammar and hold a token and
// the node that it is compared with.
func attemptsInTrace(trace string) (direct, ahead attempts) {
	direct, ahead = newAttempts(), newAttempts()
	// the indentation of the group that looks ahead, whether a token is in it, what it has tried
	group, begun, within := -1, false, newAttempts()
	for line := range strings.Lines(trace) {
		node := strings.TrimLeft(line, " ")
		depth := len(line) - len(node)
		if group >= 0 && depth <= group {
			// it has failed, so what it tried is wanted; else it is one of what may not follow
			if depth < group || begun {
				maps.Copy(ahead.words, within.words)
				maps.Copy(ahead.types, within.types)
			}
			group, within = -1, newAttempts()
		}
		token, err := strconv.QuotedPrefix(node)
		if err != nil {
			continue
		}
		node = strings.TrimSpace(node[len(token):])
		switch {
		case node == "lookaheadGroup{}" && group < 0:
			group, begun = depth, token != quotedProbe
		case token != quotedProbe:
		case group < 0:
			direct.add(node)
		default:
			within.add(node)
		}
	}
	return direct, ahead
}

var quotedProbe = strconv.Quote(probe)

// add notes the word or type of a node, if it is one.
func (t attempts) add(node string) {
	if rest, ok := strings.CutPrefix(node, "literal{"); ok {
		if word, err := strconv.QuotedPrefix(rest); err == nil {
			word, _ = strconv.Unquote(word)
			t.words[word] = true
		}
	}
	if rest, ok := strings.CutPrefix(node, "reference{"); ok {
		t.types[strings.TrimSuffix(rest, "}")] = true
	}
}

// grammarWords returns the words of the grammar.
var grammarWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, quoted := range literalsOfEBNF.FindAllString(EBNF(), -1) {
		words[strings.Trim(quoted, `"`)] = true
	}
	return words
})

// reserved returns the reserved words of the grammar.
var reserved = sync.OnceValue(func() []string {
	words := maps.Clone(grammarWords())
	maps.DeleteFunc(words, func(word string, _ bool) bool { return !ast.Reserved(word) })
	for _, more := range classes {
		for _, word := range more {
			words[word] = true
		}
	}
	return slices.Sorted(maps.Keys(words))
})

var literalsOfEBNF = regexp.MustCompile(`"[A-Z]+"`)

// faultPlace returns the number of tokens before the one where the grammar gets no further, for err of participle. That
// may tell of a token before, where an alternative begins that goes wrong further on.
func faultPlace(tokens []lexer.Token, err error) int {
	at := placeOf(tokens, err)
	for at < len(tokens) && at < maxProbed && accepts(tokens[:at+1]) {
		at++
	}
	return at
}

// placeOf returns the number of tokens before the one that err is about.
func placeOf(tokens []lexer.Token, err error) int {
	var fault participle.Error
	if !errors.As(err, &fault) {
		return len(tokens)
	}
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) && unexpected.Unexpected.EOF() {
		return len(tokens)
	}
	for i, t := range tokens {
		if t.Pos == fault.Position() && (unexpected == nil || unexpected.Unexpected.Value == t.Value) {
			return i
		}
	}
	return len(tokens)
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
	e := expected(tokens[:len(tokens)-1])
	return e.words, e.name
}
