package parse

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/lex"
)

// disambiguate gives words and signs whose meaning depends on their neighbours token types of their own. Without it, the
// grammar would have to look ahead at each operand. OPERATOR(schema.~) becomes one token.
func disambiguate(tokens []lexer.Token) []lexer.Token {
	markSelects(tokens)
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t, before := tokens[i], lexer.Token{}
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		switch {
		case t.Type == lex.Punct:
			if t.Value == "." && startsField(out) {
				t.Type = lex.Suffix
			}
		case t.Type == lex.Ident:
			if t.Value == "INTERVAL" && tokens[0].Value != "SET" {
				tokens = intervalFields(tokens, i+1)
			}
			if after := next(tokens[i+1:]); literalTypes[t.Value] && after.Type == lex.String && before.Value != "." &&
				!operandEnd(before) {
				out = append(slices.Clip(out), after, lexer.Token{Type: lex.Suffix, Value: "::", Pos: t.Pos})
				i++
				break
			}
			var n int
			t, n = wordInContext(t, before, tokens[i+1:])
			i += n
		}
		out = append(out, t)
	}
	return classify(out)
}

// next returns the first of some tokens, the zero token for none.
func next(tokens []lexer.Token) lexer.Token {
	if len(tokens) == 0 {
		return lexer.Token{}
	}
	return tokens[0]
}

// wordInContext returns the token that a word is between the token before it and the rest behind it, and how many tokens
// of the rest belong to it. It may change tokens of the rest that stand within the parentheses of a call.
func wordInContext(t, before lexer.Token, rest []lexer.Token) (lexer.Token, int) {
	after := next(rest)
	called := after.Value == "(" && before.Value != "."
	switch {
	case (before.Value == "IS" || before.Value == "NOT") && t.Value == "NORMALIZED":
		t.Type, t.Value = lex.NormalForm, "NFC"
	case (before.Value == "IS" || before.Value == "NOT") && normalForms[t.Value] && after.Value == "NORMALIZED":
		t.Type = lex.NormalForm
		return t, 1
	case t.Value == "NORMALIZE" && called:
		quoteNormalForm(rest[1:])
	case t.Value == "ALL" && before.Value == "LIMIT":
		t.Type, t.Value = lex.Keyword, "NULL"
	case t.Value == "AT" && after.Value == "TIME" && len(rest) > 1 && rest[1].Value == "ZONE" && operandEnd(before):
		t.Type, t.Value = lex.Operator, "AT TIME ZONE"
		return t, 2
	case t.Value == "ESCAPE" && (after.Type == lex.String || after.Type == lex.Param) && operandEnd(before):
		t.Type = lex.Operator
	case t.Value == "OPERATOR" && after.Value == "(":
		if op, n := qualifiedOperator(rest[1:]); n > 0 {
			t.Type, t.Value = lex.Operator, op
			return t, 1 + n
		}
	case (t.Value == "ANY" || t.Value == "SOME" || t.Value == "ALL") && after.Value == "(":
		if before.Type == lex.Operator || before.Value == "LIKE" || before.Value == "ILIKE" {
			t.Type = lex.Quantifier
		}
	case replacements[t.Value].Value != "" && called:
		replaceKeyword(rest[1:], separators[t.Value], replacements[t.Value])
	case t.Value == "ARRAY" && before.Value != ".":
		if after.Value == "[" || after.Value == "(" && (opensSelect(rest[1]) || rest[1].Type == lex.SelectParen) {
			t.Type = lex.Array
		}
	case temporalTypes[t.Value] && before.Value != ".":
		return typedLiteral(t, rest)
	case t.Value == "COLLATE" && (after.Type == lex.Quoted || collations[after.Value]) && operandEnd(before):
		t.Type = lex.Suffix
	}
	return t, 0
}

// prefixOperators are the operators that may stand before an operand.
var prefixOperators = map[string]bool{"+": true, "-": true, "~": true, "@": true, "|/": true, "||/": true}

// classify gives operators, constants and some signs types of their own, so that the grammar has one alternative for
// each kind of operand and operator instead of one for each word.
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
			if prefixOperators[t.Value] && !isNameOrConstant(before) {
				t.Type = lex.Prefix
			}
		case lex.Quoted:
			t.Type = lex.Ident
		case lex.Ident:
			if t.Value == "CAST" && after.Value == "(" && before.Value != "." && !beginsSelect(tokens[i+2:]) &&
				hasAs(tokens[i+2:]) {
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
					t.Type = lex.LeftName
				}
			}
		case lex.Punct:
			named := before.Type == lex.Ident || before.Type == lex.LeftName
			switch {
			case t.Value == "(" && named:
				t.Type = lex.CallParen
			case t.Value == "." && named && after.Type != lex.Ident && after.Type != lex.Quoted &&
				after.Value != "LEFT":
				t.Type = lex.DotStar
			}
		}
	}
	return tokens
}

// isNameOrConstant reports whether a token is an operand wherever it stands: a constant, a parameter, or a name that is
// no word of the grammar.
func isNameOrConstant(t lexer.Token) bool {
	switch t.Type {
	case lex.Ident:
		return !grammarWords()[t.Value]
	case lex.String, lex.Number, lex.Param, lex.Constant:
		return true
	}
	return false
}

// hasAs reports whether AS stands before the parenthesis that closes the tokens. It also says yes if none closes them,
// so that the error is about CAST.
func hasAs(tokens []lexer.Token) bool {
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

// typedLiteral recognises the name of a type before a string, as in TIMESTAMP WITH TIME ZONE '…'. It returns how many
// of the tokens behind the name say something about the zone.
func typedLiteral(t lexer.Token, rest []lexer.Token) (lexer.Token, int) {
	n := timeZoneTokens(t, rest)
	if n >= len(rest) || rest[n].Type != lex.String {
		return t, 0
	}
	t.Type = lex.TypedLiteral
	if n > 0 && t.Value == "TIMESTAMP" && rest[0].Value == "WITH" {
		t.Value = "TIMESTAMPTZ"
	}
	return t, n
}

// afterNestedSelect are the words that may follow a select in parentheses at the start of another select.
var afterNestedSelect = map[string]bool{"UNION": true, "INTERSECT": true, "EXCEPT": true, "ORDER": true, "LIMIT": true,
	"OFFSET": true, "FETCH": true, ")": true}

// markSelects gives the second parenthesis of ((SELECT …) UNION …) a type of its own. Otherwise the grammar would have
// to look ahead to the closing parenthesis to tell it from ((SELECT …) + 1).
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
			if inner && tokens[i-1].Value == "(" && end+1 < len(tokens) && afterNestedSelect[tokens[end+1].Value] {
				tokens[i].Type = lex.SelectParen
			}
		}
	}
}

// beginsSelect reports whether the tokens begin with a select.
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
		return after.Value == "(" || after.Type == lex.RowList
	case "TABLE":
		return after.Type == lex.Ident || after.Type == lex.Quoted
	}
	return true
}

// Calls of standard SQL separate their first two arguments by words: position(x IN text), overlay(text PLACING x FROM
// 2). They are replaced by what the grammar reads.
var (
	separators   = map[string]string{"POSITION": "IN", "OVERLAY": "PLACING"}
	replacements = map[string]lexer.Token{"POSITION": {Type: lex.Keyword, Value: "FROM"},
		"OVERLAY": {Type: lex.Punct, Value: ","}}
)

// replaceKeyword replaces the first such word among the arguments of a call. The tokens begin behind its parenthesis.
func replaceKeyword(tokens []lexer.Token, word string, by lexer.Token) {
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

// normalForms are the normal forms of Unicode.
var normalForms = map[string]bool{"NFC": true, "NFD": true, "NFKC": true, "NFKD": true}

// quoteNormalForm turns the last argument of normalize(text, NFC) into a string.
func quoteNormalForm(tokens []lexer.Token) {
	depth := 0
	for i := 0; i+2 < len(tokens) && depth >= 0; i++ {
		switch t := tokens[i]; {
		case t.Value == "(" && (t.Type == lex.Punct || t.Type == lex.SelectParen):
			depth++
		case t.Value == ")" && t.Type == lex.Punct:
			depth--
		case depth == 0 && t.Value == "," && normalForms[tokens[i+1].Value] && tokens[i+2].Value == ")":
			tokens[i+1].Type, tokens[i+1].Value = lex.String, "'"+tokens[i+1].Value+"'"
			return
		}
	}
}

// literalTypes are the types that may stand before a string: DATE '2026-11-21' is read as '2026-11-21'::DATE.
var literalTypes = map[string]bool{"DATE": true, "TIME": true, "TIMESTAMP": true, "TIMESTAMPTZ": true, "INTERVAL": true,
	"INT": true, "INTEGER": true, "BIGINT": true, "SMALLINT": true, "INT2": true, "INT4": true, "INT8": true,
	"FLOAT4": true, "FLOAT8": true, "REAL": true,
	"NUMERIC": true, "DECIMAL": true, "BOOL": true, "BOOLEAN": true, "BYTEA": true, "JSON": true, "JSONB": true,
	"UUID": true, "VARCHAR": true}

// units are the words for the parts of intervals.
var units = map[string]bool{"YEAR": true, "MONTH": true, "DAY": true, "HOUR": true, "MINUTE": true, "SECOND": true}

// intervalFields removes the units behind the string of an interval, and changes the string to say the same: '1' YEAR
// becomes '1 year', '1:30' MINUTE TO SECOND becomes '0:1:30'. Other units say no more than the string does.
func intervalFields(tokens []lexer.Token, at int) []lexer.Token {
	if at+1 >= len(tokens) || tokens[at].Type != lex.String || !units[tokens[at+1].Value] ||
		tokens[at+1].Type != lex.Ident {
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

// qualifiedOperator returns the operator that follows OPERATOR( and the number of its tokens up to the closing
// parenthesis; 0 if there is none. Operators belong to the schema pg_catalog.
func qualifiedOperator(tokens []lexer.Token) (string, int) {
	n := 0
	if len(tokens) > 3 && tokens[0].Value == "PG_CATALOG" && tokens[1].Value == "." {
		n = 2
	}
	if len(tokens) > n+1 && tokens[n].Type == lex.Operator && tokens[n+1].Value == ")" {
		return tokens[n].Value, n + 2
	}
	return "", 0
}

// temporalTypes are the types of standard SQL that may stand before a string.
var temporalTypes = map[string]bool{"DATE": true, "TIME": true, "TIMESTAMP": true, "TIMESTAMPTZ": true, "INTERVAL": true}

// timeZoneTokens returns the number of tokens of WITH TIME ZONE or WITHOUT TIME ZONE behind a type. They change nothing
// but the name of the type: all times are in UTC.
func timeZoneTokens(t lexer.Token, after []lexer.Token) int {
	if t.Value != "TIME" && t.Value != "TIMESTAMP" || len(after) < 3 {
		return 0
	}
	if (after[0].Value == "WITH" || after[0].Value == "WITHOUT") && after[1].Value == "TIME" &&
		after[2].Value == "ZONE" {
		return 3
	}
	return 0
}

// collations are the words that follow COLLATE; other names of collations are quoted.
var collations = map[string]bool{"PG_CATALOG": true, "DEFAULT": true, "C": true, "POSIX": true, "UCS_BASIC": true}

func opensSelect(t lexer.Token) bool {
	return t.Value == "SELECT" || t.Value == "WITH" || t.Value == "VALUES" || t.Value == "TABLE"
}

// opensOperand reports whether an operand may begin with t.
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

// startsField reports whether a dot behind these tokens is followed by a field of a row: (x).name.
func startsField(before []lexer.Token) bool {
	n := len(before)
	if n == 0 {
		return false
	}
	last := before[n-1].Value
	return last == ")" || last == "]" || n > 1 && before[n-2].Type == lex.Suffix && before[n-2].Value == "."
}
