package parse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/algo/edit"
	"parlance/query/ast"
	"parlance/query/lex"
)

// maxListed is the number of alternatives that an error names.
const maxListed = 8

// fault returns the syntax error of tokens, EOF last, that the grammar refuses with err:
// what was found, what may stand there, and perhaps what was meant.
func fault(tokens []lexer.Token, text string, err error) error {
	tokens = tokens[:len(tokens)-1]
	at := faultPlace(tokens, err)
	out := &ast.Error{Code: ast.CodeSyntax, Msg: "the statement ends too early", Pos: endOf(text)}
	found := lexer.Token{}
	if at < len(tokens) {
		found = tokens[at]
		out.Pos = lex.Position(found.Pos)
		out.Msg = "unexpected " + quote(found, text)
		if at > 0 && tokens[at-1].Value == "PASSWORD" { // messages reach logs
			out.Msg = "the password is no string"
		}
	}
	e := expected(tokens[:at])
	if list := e.list(); list != "" {
		out.Msg += ", expected " + list
	}
	out.Hint = hint(tokens, at, found, e, text)
	return out
}

// endOf returns the place behind the last character that is not white space.
func endOf(text string) ast.Pos {
	s := lex.NewScanner(text)
	s.Advance(len(strings.TrimRight(text, " \t\r\n;")))
	return lex.Position(s.Pos)
}

// quote returns the token as it stands in the text, shortened.
func quote(t lexer.Token, text string) string {
	const longest = 40
	length := len(t.Value)
	if text[t.Pos.Offset] == '?' {
		length = len("?") // its Value is the number it was given
	}
	word := text[t.Pos.Offset:min(t.Pos.Offset+length, len(text))] // the Value of a string may be longer than its text
	if runes := []rune(word); len(runes) > longest {
		word = string(runes[:longest]) + "…"
	}
	return word
}

// startsExpression lists the words and signs that stand for "an expression".
var startsExpression = []string{"(", "+", "-", "CASE", "CAST", "EXISTS", "FALSE", "LEFT", "NOT", "NULL", "TRUE", "~",
	"@", "|/", "||/"}

// continuesExpression lists those that stand for "an operator".
var continuesExpression = []string{"%", "*", "+", "-", "/", "::", "=", "AND", "BETWEEN", "ILIKE", "IN", "IS", "LIKE",
	"NOT", "OR", ">", "<", "(", "[", ".", "~", "@", "|/", "||/"}

// list returns the alternatives in words.
func (e expectation) list() string {
	words := slices.Concat(e.words, e.signs)
	var out []string
	drop := func(some []string) {
		words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(some, w) })
	}
	contains := func(word string) bool { return slices.Contains(words, word) }
	switch {
	case contains("INSERT") && contains("UPDATE"):
		return "a statement"
	case e.name && e.text && contains("THEN"):
		return "a value" // of an option: any word is a name
	case e.name && contains("THEN"):
		return "a name"
	case e.text && e.number && e.name && contains("CASE"):
		out = append(out, "an expression")
		drop(startsExpression)
	case e.operator:
		out = append(out, "an operator")
		drop(continuesExpression)
	default:
		for _, kind := range []struct {
			allowed bool
			name    string
		}{{e.name, "a name"}, {e.text, "a string"}, {e.number, "a number"}, {e.param, "a parameter"}} {
			if kind.allowed {
				out = append(out, kind.name)
			}
		}
	}
	for _, word := range words {
		if !ast.NameStart(rune(word[0])) {
			word = "“" + word + "”"
		}
		out = append(out, word)
	}
	if e.end {
		out = append(out, "the end")
	}
	if len(out) > maxListed {
		return strings.Join(out[:maxListed], ", ") + ", …"
	}
	if n := len(out); n > 1 {
		return strings.Join(out[:n-1], ", ") + " or " + out[n-1]
	}
	return strings.Join(out, "")
}

// hint returns what may have been meant at the fault, or else by the word
// before it, which passed for a name there.
func hint(tokens []lexer.Token, at int, found lexer.Token, e expectation, text string) string {
	if isWord(found) {
		if word := nearest(found.Value, e.words); word != "" {
			return "did you mean " + word + "?"
		}
	}
	if at > 0 && isWord(tokens[at-1]) {
		before := tokens[at-1]
		if word := nearest(before.Value, expected(tokens[:at-1]).words); word != "" {
			return fmt.Sprintf("did you mean %s instead of %s?", word, quote(before, text))
		}
	}
	if (isWord(found) || found.Value == "AS") && followsModels(tokens[:at]) {
		return "an alias stands before USING: docs.entities e USING ner"
	}
	if (found.Value == "INSERT" || found.Value == "UPDATE" || found.Value == "DELETE") && at > 1 &&
		tokens[at-1].Value == "(" && tokens[at-2].Value == "AS" {
		return "WITH holds selects: run the " + found.Value +
			" … RETURNING before, in one transaction block with the select"
	}
	switch found.Value {
	case "GROUPS":
		return "the frame of a window counts ROWS, or for RANGE distances of the key"
	case "EXCLUDE":
		return "the frame of a window has all rows between its ends"
	}
	if locks(tokens, at) {
		return "rows are not locked: in a block that begins with BEGIN ISOLATION LEVEL SERIALIZABLE, a change that " +
			"others come before fails with 40001, and the block is run again"
	}
	clause := slices.Contains([]string{"SELECT", "FROM", "WHERE"}, found.Value)
	if ast.Reserved(found.Value) && e.name && !clause {
		return fmt.Sprintf("%s is a reserved word: as a name, write \"%s\"", found.Value, quote(found, text))
	}
	return ""
}

// locks reports whether FOR UPDATE, FOR SHARE and the like of PostgreSQL stand about a place; FOR may have been taken
// for an alias.
func locks(tokens []lexer.Token, at int) bool {
	if at > 0 && tokens[at-1].Value == "FOR" {
		at--
	}
	if tokens[0].Value != "SELECT" && tokens[0].Value != "WITH" || at+1 >= len(tokens) || tokens[at].Value != "FOR" {
		return false
	}
	return slices.Contains([]string{"UPDATE", "SHARE", "NO", "KEY"}, tokens[at+1].Value)
}

// isWord reports whether a token is a word that is not reserved.
func isWord(t lexer.Token) bool { return t.Type == lex.Ident && t.Value[0] != '"' }

// followsModels reports whether tokens end with the models that annotate a relation: FROM docs.entities USING ner.
func followsModels(tokens []lexer.Token) bool {
	for i := len(tokens) - 1; i > 0; i-- {
		switch t := tokens[i]; {
		case t.Value == "USING":
			return i < len(tokens)-1 && isWord(tokens[i-1])
		case !isWord(t) && t.Type != lex.Version && t.Value != ",":
			return false
		}
	}
	return false
}

// nearest returns the word at the least edit distance, at most 2 and less than
// half its length; empty if there is none or the word itself is one.
func nearest(word string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		if w == word {
			return ""
		}
		if d := edit.Damerau([]byte(word), []byte(w)); d < least && 2*d < len(w) {
			best, least = w, d
		}
	}
	return best
}
