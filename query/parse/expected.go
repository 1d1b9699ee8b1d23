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

// maxProbed bounds the tokens before a place for which what may stand there is found out, since that writes down how they
// are parsed.
const maxProbed = 150

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

// probe is a token that no grammar takes.
const probe = "\x00"

// expected finds out what may follow the tokens, which have no EOF; nothing where the grammar does not take them or they are too
// many. A token that nothing takes is put behind them: the grammar tries there all that may stand there, and participle's
// trace names it.
func expected(tokens []lexer.Token) (e expectation) {
	if len(tokens) > maxProbed {
		return e
	}
	if _, err := build(closed(tokens)); err == nil {
		e.end = true
	}
	direct, ahead := triedBehind(tokens)
	for name := range direct.types {
		e.add(name)
	}
	for name := range ahead.types {
		if !direct.types[name] && e.allows(tokens, examples[name]) {
			e.add(name)
		}
	}
	for _, word := range signsOfSuffixes {
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

// examples are tokens of the types that expectations name.
var examples = map[string]string{"Name": "x", "String": "'x'", "Number": "1", "Param": "$1", "Version": "@1", "Operator": "<"}

// classes are the words of types of token.
var classes = map[string][]string{"Operator": {"AND", "BETWEEN", "ILIKE", "LIKE", "OR"}, "Left": {"LEFT"}, "Constant": {"FALSE", "NULL", "TRUE"}}

// signsOfSuffixes begin what may follow an operand.
var signsOfSuffixes = []string{"::", "["}

// add notes that a token of a type may stand.
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

// lists reports whether a word or sign is named: where a name may stand, only reserved words are.
func (e *expectation) lists(word string) bool {
	return !e.name || ast.Reserved(word) || !ast.NameStart(rune(word[0]))
}

// allows reports whether a text that is one token may follow the tokens.
func (e *expectation) allows(tokens []lexer.Token, text string) bool {
	if text == "" {
		return false
	}
	t, err := lex.NewScanner(text).Next()
	return err == nil && takes(append(slices.Clip(tokens), classify([]lexer.Token{t})...))
}

// takes reports whether the grammar takes the tokens so far.
func takes(tokens []lexer.Token) bool {
	direct, _ := triedBehind(tokens)
	if len(direct.words)+len(direct.types) > 0 {
		return true
	}
	_, err := build(closed(tokens))
	return err == nil
}

// closed returns tokens with others and EOF behind them.
func closed(tokens []lexer.Token, more ...lexer.Token) []lexer.Token {
	return slices.Concat(tokens, more, []lexer.Token{lexer.EOFToken(lexer.Position{})})
}

// tried are words, signs and types of token that a parse has compared with the probe.
type tried struct{ words, types map[string]bool }

func newTried() tried { return tried{words: map[string]bool{}, types: map[string]bool{}} }

// triedBehind is what the grammar tries behind tokens: to take it, and only to look ahead for it.
func triedBehind(tokens []lexer.Token) (direct, ahead tried) {
	var trace bytes.Buffer
	_, _ = build(closed(tokens, lexer.Token{Type: lex.Unknown, Value: probe}), participle.Trace(&trace))
	return triedBy(trace.String())
}

// triedBy reads a trace of participle, whose lines are indented by their depth in the grammar and hold a token and the node
// that is to match it.
func triedBy(trace string) (direct, ahead tried) {
	direct, ahead = newTried(), newTried()
	group, begun, within := -1, false, newTried() // the indentation of the group that looks ahead, whether a token is in it, what it has tried
	for line := range strings.Lines(trace) {
		node := strings.TrimLeft(line, " ")
		depth := len(line) - len(node)
		if group >= 0 && depth <= group {
			if depth < group || begun { // it has failed, so what it tried is wanted; else it is one of what may not follow
				maps.Copy(ahead.words, within.words)
				maps.Copy(ahead.types, within.types)
			}
			group, within = -1, newTried()
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
func (t tried) add(node string) {
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

// faultPlace returns the number of tokens before the one where the grammar gets no further, for err of participle. That may tell
// of a token before, where an alternative begins that goes wrong further on.
func faultPlace(tokens []lexer.Token, err error) int {
	at := placeOf(tokens, err)
	for at < len(tokens) && at < maxProbed && takes(tokens[:at+1]) {
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
