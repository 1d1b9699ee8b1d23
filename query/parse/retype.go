package parse

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/lex"
)

// retype gives words and signs whose meaning their neighbours tell types of their own, so that
// the grammar need not look ahead for them at each operand. OPERATOR(schema.~) becomes one token.
func retype(tokens []lexer.Token) []lexer.Token {
	markSelects(tokens)
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		if tokens[i].Value == "INTERVAL" && tokens[i].Type == lex.Ident && tokens[0].Value != "SET" {
			tokens = fields(tokens, i+1)
		}
		t, before, after := tokens[i], lexer.Token{}, lexer.Token{}
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if i+1 < len(tokens) {
			after = tokens[i+1]
		}
		switch {
		case t.Type == lex.Punct:
			if t.Value == "." && field(out) {
				t.Type = lex.Suffix
			}
		case t.Type != lex.Ident:
		case (before.Value == "IS" || before.Value == "NOT") && t.Value == "NORMALIZED":
			t.Type, t.Value = lex.Form, "NFC"
		case (before.Value == "IS" || before.Value == "NOT") && forms[t.Value] && after.Value == "NORMALIZED":
			t.Type = lex.Form
			i++
		case t.Value == "NORMALIZE" && after.Value == "(" && before.Value != ".":
			quoteForm(tokens[i+2:])
		case t.Value == "ALL" && before.Value == "LIMIT":
			t.Type, t.Value = lex.Keyword, "NULL"
		case t.Value == "AT" && after.Value == "TIME" && len(tokens) > i+2 && tokens[i+2].Value == "ZONE" && operandEnd(before):
			t.Type, t.Value = lex.Operator, "AT TIME ZONE"
			i += 2
		case t.Value == "ESCAPE" && (after.Type == lex.String || after.Type == lex.Param) && operandEnd(before):
			t.Type = lex.Operator
		case t.Value == "OPERATOR" && after.Value == "(":
			if op, n := qualified(tokens[i+2:]); n > 0 {
				t.Type, t.Value = lex.Operator, op
				i += 1 + n
			}
		case (t.Value == "ANY" || t.Value == "SOME" || t.Value == "ALL") && after.Value == "(":
			if before.Type == lex.Operator || before.Value == "LIKE" || before.Value == "ILIKE" {
				t.Type = lex.Quantifier
			}
		case literalTypes[t.Value] && after.Type == lex.String && before.Value != "." && !operandEnd(before):
			out = append(slices.Clip(out), after, lexer.Token{Type: lex.Suffix, Value: "::", Pos: t.Pos})
			i++
		case between[t.Value].Value != "" && after.Value == "(" && before.Value != ".":
			separate(tokens[i+2:], words[t.Value], between[t.Value])
		case t.Value == "ARRAY" && before.Value != "." && (after.Value == "[" || after.Value == "(" && (opensSelect(tokens[i+2]) || tokens[i+2].Type == lex.SelectParen)):
			t.Type = lex.Array
		case typed[t.Value] && before.Value != ".":
			var n int
			t, n = retypeTyped(t, tokens[i+1:])
			i += n
		case t.Value == "COLLATE" && (after.Type == lex.Quoted || collations[after.Value]) && operandEnd(before):
			t.Type = lex.Suffix
		}
		out = append(out, t)
	}
	return classify(out)
}

// signs are the operators that may stand before an operand.
var signs = map[string]bool{"+": true, "-": true, "~": true, "@": true, "|/": true, "||/": true}

// classify gives tokens the types by which the grammar tells operands and operators, in place of many alternatives.
func classify(tokens []lexer.Token) []lexer.Token {
	for i := range tokens {
		t, before, after := &tokens[i], lexer.Token{}, lexer.Token{}
		if i > 0 {
			before = tokens[i-1]
		}
		if i+1 < len(tokens) {
			after = tokens[i+1]
		}
		switch t.Type {
		case lex.Operator:
			if signs[t.Value] && !namesOrConstant(before) {
				t.Type = lex.Sign
			}
		case lex.Quoted:
			t.Type = lex.Ident
		case lex.Ident:
			if t.Value == "CAST" && after.Value == "(" && before.Value != "." && !beginsSelect(tokens[i+2:]) && castsAt(tokens[i+2:]) {
				t.Type = lex.Cast
			}
		case lex.Keyword:
			switch t.Value {
			case "AND", "OR", "LIKE", "ILIKE", "BETWEEN":
				if operandEnd(before) {
					t.Type = lex.Operator
				}
			case "NULL", "TRUE", "FALSE":
				t.Type = lex.Constant
			case "LEFT":
				if after.Value != "JOIN" && after.Value != "OUTER" {
					t.Type = lex.Left
				}
			}
		case lex.Punct:
			named := before.Type == lex.Ident || before.Type == lex.Left
			switch {
			case t.Value == "(" && named:
				t.Type = lex.Call
			case t.Value == "." && named && after.Type != lex.Ident && after.Type != lex.Quoted && after.Value != "LEFT":
				t.Type = lex.StarDot
			}
		}
	}
	return tokens
}

// namesOrConstant reports whether a token that has its type is an operand wherever it stands.
func namesOrConstant(t lexer.Token) bool {
	switch t.Type {
	case lex.Ident:
		return !grammarWords()[t.Value]
	case lex.String, lex.Number, lex.Param, lex.Constant:
		return true
	}
	return false
}

// castsAt reports whether AS stands among tokens before the parenthesis that closes them, or none closes them.
func castsAt(tokens []lexer.Token) bool {
	depth := 0
	for _, t := range tokens {
		switch {
		case t.Type == lex.String || t.Type == lex.Quoted:
		case t.Value == "(":
			depth++
		case t.Value == ")" && depth == 0:
			return false
		case t.Value == ")":
			depth--
		case t.Value == "AS" && depth == 0:
			return true
		}
	}
	return true
}

// retypeTyped marks the name of a type before a string, as in TIMESTAMP WITH TIME ZONE '…'. It
// returns how many of rest, the tokens after t, name the zone.
func retypeTyped(t lexer.Token, rest []lexer.Token) (lexer.Token, int) {
	n := zone(t, rest)
	if n >= len(rest) || rest[n].Type != lex.String {
		return t, 0
	}
	t.Type = lex.Typed
	if n > 0 && t.Value == "TIMESTAMP" && rest[0].Value == "WITH" {
		t.Value = "TIMESTAMPTZ"
	}
	return t, n
}

// followers are what may stand after a select in parentheses that itself begins a select.
var followers = map[string]bool{"UNION": true, "INTERSECT": true, "EXCEPT": true, "ORDER": true, "LIMIT": true, "OFFSET": true, "FETCH": true, ")": true}

// markSelects gives parentheses that follow another one a type of their own where they begin a select,
// ((SELECT …) UNION …), for which the grammar would have to look ahead to their end.
func markSelects(tokens []lexer.Token) {
	nested := false
	for i := 1; i < len(tokens) && !nested; i++ {
		nested = tokens[i].Value == "(" && tokens[i-1].Value == "("
	}
	if !nested {
		return
	}
	var closing []int // places of the parentheses that are closed further on
	for i := len(tokens) - 1; i > 0; i-- {
		t := tokens[i]
		if t.Type != lex.Punct {
			continue
		}
		switch {
		case t.Value == ")":
			closing = append(closing, i)
		case t.Value == "(" && len(closing) > 0:
			end := closing[len(closing)-1]
			closing = closing[:len(closing)-1]
			inner := tokens[i+1].Type == lex.SelectParen || beginsSelect(tokens[i+1:])
			if inner && tokens[i-1].Value == "(" && end+1 < len(tokens) && followers[tokens[end+1].Value] {
				tokens[i].Type = lex.SelectParen
			}
		}
	}
}

// beginsSelect reports whether a select begins with the tokens.
func beginsSelect(tokens []lexer.Token) bool {
	if tokens[0].Type == lex.String || tokens[0].Type == lex.Quoted || !opensSelect(tokens[0]) {
		return false
	}
	after := lexer.Token{}
	if len(tokens) > 1 {
		after = tokens[1]
	}
	switch tokens[0].Value {
	case "VALUES":
		return after.Value == "(" || after.Type == lex.Rows
	case "TABLE":
		return after.Type == lex.Ident || after.Type == lex.Quoted
	}
	return true
}

// words separate the first two arguments of calls of standard SQL: position(x IN text), overlay(text PLACING x FROM 2);
// between is what the grammar reads in their place.
var (
	words   = map[string]string{"POSITION": "IN", "OVERLAY": "PLACING"}
	between = map[string]lexer.Token{"POSITION": {Type: lex.Keyword, Value: "FROM"}, "OVERLAY": {Type: lex.Punct, Value: ","}}
)

// separate replaces a word among the tokens behind the parenthesis of its call.
func separate(tokens []lexer.Token, word string, by lexer.Token) {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.Value == "(" && (t.Type == lex.Punct || t.Type == lex.SelectParen):
			depth++
		case t.Value == ")" && t.Type == lex.Punct:
			depth--
		case depth == 0 && t.Value == word && t.Type != lex.String && t.Type != lex.Quoted:
			tokens[i].Type, tokens[i].Value = by.Type, by.Value
			return
		}
		if depth < 0 {
			return
		}
	}
}

// forms are the normal forms of Unicode.
var forms = map[string]bool{"NFC": true, "NFD": true, "NFKC": true, "NFKD": true}

// quoteForm makes a string of the form that ends the arguments of normalize(text, NFC).
func quoteForm(tokens []lexer.Token) {
	depth := 0
	for i := 0; i+2 < len(tokens) && depth >= 0; i++ {
		switch t := tokens[i]; {
		case t.Value == "(" && (t.Type == lex.Punct || t.Type == lex.SelectParen):
			depth++
		case t.Value == ")" && t.Type == lex.Punct:
			depth--
		case depth == 0 && t.Value == "," && forms[tokens[i+1].Value] && tokens[i+2].Value == ")":
			tokens[i+1].Type, tokens[i+1].Value = lex.String, "'"+tokens[i+1].Value+"'"
			return
		}
	}
}

// literalTypes are the types of which DATE '2026-11-21' is a constant: it is read as '2026-11-21'::DATE.
var literalTypes = map[string]bool{"DATE": true, "TIME": true, "TIMESTAMP": true, "TIMESTAMPTZ": true, "INTERVAL": true,
	"INT": true, "INTEGER": true, "BIGINT": true, "SMALLINT": true, "INT2": true, "INT4": true, "INT8": true, "FLOAT4": true, "FLOAT8": true, "REAL": true,
	"NUMERIC": true, "DECIMAL": true, "BOOL": true, "BOOLEAN": true, "BYTEA": true, "JSON": true, "JSONB": true, "UUID": true, "VARCHAR": true}

// units are the fields of intervals.
var units = map[string]bool{"YEAR": true, "MONTH": true, "DAY": true, "HOUR": true, "MINUTE": true, "SECOND": true}

// fields takes the words out that say how the string at a place is an interval: '1' YEAR is '1 year', '1:30' MINUTE TO SECOND
// is '0:1:30', and other fields say no more than the string.
func fields(tokens []lexer.Token, at int) []lexer.Token {
	if at+1 >= len(tokens) || tokens[at].Type != lex.String || !units[tokens[at+1].Value] || tokens[at+1].Type != lex.Ident {
		return tokens
	}
	text, unit, n := strings.Trim(tokens[at].Value, "'"), tokens[at+1].Value, 1
	switch {
	case at+3 < len(tokens) && tokens[at+2].Value == "TO" && units[tokens[at+3].Value]:
		n = 3
		if unit == "MINUTE" && strings.Count(text, ":") == 1 {
			text = "0:" + text
		}
	case strings.Trim(text, "+-.0123456789 ") == "":
		text += " " + strings.ToLower(unit)
	default:
		return tokens
	}
	tokens[at].Value = "'" + text + "'"
	return slices.Delete(tokens, at+1, at+1+n)
}

// qualified returns the operator that the tokens after OPERATOR( name, and their number up to
// the parenthesis; 0 for none. Operators lie in pg_catalog.
func qualified(tokens []lexer.Token) (string, int) {
	n := 0
	if len(tokens) > 3 && tokens[0].Value == "PG_CATALOG" && tokens[1].Value == "." {
		n = 2
	}
	if len(tokens) > n+1 && tokens[n].Type == lex.Operator && tokens[n+1].Value == ")" {
		return tokens[n].Value, n + 2
	}
	return "", 0
}

// typed are the types whose name may stand before a string, as standard SQL writes dates and times.
var typed = map[string]bool{"DATE": true, "TIME": true, "TIMESTAMP": true, "TIMESTAMPTZ": true, "INTERVAL": true}

// zone is the number of tokens of WITH TIME ZONE and the like after a type: times have a zone
// anyway.
func zone(t lexer.Token, after []lexer.Token) int {
	if t.Value != "TIME" && t.Value != "TIMESTAMP" || len(after) < 3 {
		return 0
	}
	if (after[0].Value == "WITH" || after[0].Value == "WITHOUT") && after[1].Value == "TIME" && after[2].Value == "ZONE" {
		return 3
	}
	return 0
}

// collations are the words that follow COLLATE; other names of collations are quoted.
var collations = map[string]bool{"PG_CATALOG": true, "DEFAULT": true, "C": true, "POSIX": true, "UCS_BASIC": true}

func opensSelect(t lexer.Token) bool {
	return t.Value == "SELECT" || t.Value == "WITH" || t.Value == "VALUES" || t.Value == "TABLE"
}

// opensOperand reports whether an operand may begin with t, and none end before it.
func opensOperand(t lexer.Token) bool {
	return t.Value == "-" || t.Value == "+" || t.Type != lex.Operator && t.Value != "AND" && t.Value != "."
}

// operandEnd reports whether an operand may end with t.
func operandEnd(t lexer.Token) bool {
	switch t.Type {
	case lex.Ident, lex.Quoted, lex.String, lex.Number, lex.Param:
		return true
	}
	switch t.Value {
	case ")", "]", "NULL", "TRUE", "FALSE", "END":
		return true
	}
	return false
}

// field reports whether a dot behind these tokens is followed by a field of a row.
func field(before []lexer.Token) bool {
	n := len(before)
	if n == 0 {
		return false
	}
	last := before[n-1].Value
	return last == ")" || last == "]" || n > 1 && before[n-2].Type == lex.Suffix && before[n-2].Value == "."
}
