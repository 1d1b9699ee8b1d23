package lex

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/ast"
)

// Types of token.
const (
	Keyword     lexer.TokenType = iota + 1 // reserved word; Value in upper case
	Ident                                  // other word; Value with ASCII letters in upper case
	Quoted                                 // "name"; Value with its quotes
	String                                 // 'text'; Value with its quotes
	Number                                 // 12, 1.5, .5, 1e-3
	Param                                  // $1, ?
	Version                                // @4, @production, @"alias"
	Operator                               // comparison, arithmetic, matching
	Punct                                  // ( ) ] , . ; =>
	Suffix                                 // :: and [, and . and COLLATE where they follow an operand
	Quantifier                             // ANY, SOME or ALL after a comparison and before a parenthesis
	Array                                  // ARRAY before [ or a select
	SelectParen                            // the second parenthesis of ((SELECT …) UNION …)
	Form                                   // a normal form of Unicode before NORMALIZED, in place of both words
	Typed                                  // the name of a type before a string: DATE '2026-11-21'
	Literals                               // literals with commas between them, in IN (…) or a row of VALUES
	Rows                                   // rows of literals with commas between them, behind VALUES
	Sign                                   // an operator that may stand before an operand, where perhaps none ends
	Constant                               // NULL, TRUE and FALSE
	Left                                   // LEFT before no JOIN, which is a name
	Cast                                   // CAST before (… AS …)
	Call                                   // ( behind a name
	StarDot                                // . behind a name and before no other
	Unknown                                // a character that starts nothing
)

// Symbols gives the names by which the grammar calls the types of token.
var Symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Keyword": Keyword, "Name": Ident,
	"String": String, "Number": Number, "Param": Param, "Version": Version,
	"Operator": Operator, "Punct": Punct,
	"SelectParen": SelectParen, "Suffix": Suffix, "Quantifier": Quantifier, "Array": Array, "Typed": Typed, "Form": Form,
	"Sign": Sign, "Constant": Constant, "Left": Left, "Cast": Cast, "Call": Call, "StarDot": StarDot,
	"Literals": Literals, "Rows": Rows,
}

type operator struct {
	text string
	typ  lexer.TokenType
}

// operators lists the operators and punctuation, longer ones before their
// prefixes.
var operators = []operator{
	{"!~~*", Operator}, {"!~~", Operator}, {"~~*", Operator}, {"!~*", Operator}, {"->>", Operator}, {"#>>", Operator},
	{"||/", Operator}, {"|/", Operator}, {"^@", Operator}, {"#-", Operator},
	{"~~", Operator}, {"#>", Operator}, {"<@", Operator}, {"&&", Operator},
	{"=>", Punct}, {"::", Suffix}, {":", Punct},
	{"<<", Operator}, {">>", Operator}, {"<=", Operator}, {">=", Operator}, {"<>", Operator}, {"!=", Operator},
	{"!~", Operator}, {"~*", Operator}, {"||", Operator}, {"->", Operator},
	{"(", Punct}, {")", Punct}, {"[", Suffix}, {"]", Punct}, {",", Punct}, {".", Punct}, {";", Punct},
	{"=", Operator}, {"<", Operator}, {">", Operator}, {"~", Operator},
	{"+", Operator}, {"-", Operator}, {"*", Operator}, {"/", Operator},
	{"%", Operator}, {"&", Operator}, {"|", Operator}, {"#", Operator}, {"^", Operator},
}

// operatorsOf are the operators by their first byte.
var operatorsOf = func() (of [128][]operator) {
	for _, op := range operators {
		of[op.text[0]] = append(of[op.text[0]], op)
	}
	return of
}()

// Scanner cuts a text into tokens, leaving out white space and comments.
type Scanner struct {
	text string
	Pos  lexer.Position // of the next character
	Open bool           // a string, quoted name or comment has no end

	upper strings.Builder // words in upper case, several in one piece of memory
}

func NewScanner(text string) *Scanner {
	return &Scanner{text: text, Pos: lexer.Position{Line: 1, Column: 1}}
}

// Next returns the next token, an EOF token at the end. Its errors are
// *ast.Error: a string, quoted name or comment without an end, an empty quoted
// name, a number or parameter run into a word.
func (s *Scanner) Next() (lexer.Token, error) {
	if err := s.skipSpace(); err != nil {
		return lexer.Token{}, err
	}
	rest := s.text[s.Pos.Offset:]
	if rest == "" {
		return lexer.EOFToken(s.Pos), nil
	}
	c := rest[0]
	switch {
	case c == '\'':
		return s.delimited(String, 0, '\'', "string")
	case c == '"':
		return s.quoted(Quoted, 0)
	case '0' <= c && c <= '9', c == '.' && len(rest) > 1 && digit(rest[1]):
		return s.number()
	case c == '$':
		if n := tag(rest); n > 0 {
			return s.dollarQuoted(n)
		}
		return s.param()
	case c == '?':
		return s.mark(), nil
	case c == '@':
		return s.version()
	}
	if len(rest) > 1 && rest[1] == '\'' && (c == 'E' || c == 'e') {
		return s.escaped()
	}
	if n := word(rest); n > 0 {
		return s.word(n), nil
	}
	for _, op := range operatorsOf[c&0x7f] {
		if strings.HasPrefix(rest, op.text) {
			return s.Take(op.typ, len(op.text)), nil
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	return s.Take(Unknown, n), nil
}

// Take returns the next n bytes as a token.
func (s *Scanner) Take(typ lexer.TokenType, n int) lexer.Token {
	t := lexer.Token{Type: typ, Value: s.text[s.Pos.Offset : s.Pos.Offset+n], Pos: s.Pos}
	s.Advance(n)
	return t
}

// Advance moves over n bytes.
func (s *Scanner) Advance(n int) {
	over := s.text[s.Pos.Offset : s.Pos.Offset+n]
	s.Pos.Offset += n
	if strings.IndexByte(over, '\n') >= 0 {
		s.Pos.Line += strings.Count(over, "\n")
		s.Pos.Column = 1
		over = over[strings.LastIndexByte(over, '\n')+1:]
	}
	s.Pos.Column += utf8.RuneCountInString(over)
}

// skipSpace moves over white space and comments; /* */ comments nest.
func (s *Scanner) skipSpace() error {
	for {
		rest := s.text[s.Pos.Offset:]
		if n := blanks(rest); n > 0 {
			s.Advance(n)
			rest = rest[n:]
		}
		if rest == "" || rest[0] > ' ' && rest[0] < utf8.RuneSelf && rest[0] != '-' && rest[0] != '/' {
			return nil
		}
		blank := len(rest) - len(strings.TrimLeft(rest, " \t\r\n\f\v\u00a0\ufeff"))
		switch {
		case blank > 0:
			s.Advance(blank)
		case strings.HasPrefix(rest, "--"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.Advance(end)
		case strings.HasPrefix(rest, "/*"):
			n := commentLength(rest)
			if n < 0 {
				return s.unfinished("comment", "end it with */")
			}
			s.Advance(n)
		default:
			return nil
		}
	}
}

// blanks returns the number of blanks that s starts with.
func blanks(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\n' || s[n] == '\t' || s[n] == '\r') {
		n++
	}
	return n
}

// commentLength returns the length of the comment that text starts with, or -1
// if it has no end.
func commentLength(text string) int {
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// delimited returns the token that starts skip bytes ahead with a delimiter and
// ends with one; a doubled delimiter stands for itself.
func (s *Scanner) delimited(typ lexer.TokenType, skip int, delimiter byte, what string) (lexer.Token, error) {
	rest := s.text[s.Pos.Offset:]
	for i := skip + 1; ; {
		n := strings.IndexByte(rest[i:], delimiter)
		if n < 0 {
			return lexer.Token{}, s.unfinished(what, "end it with "+string(delimiter))
		}
		if i += n + 1; i == len(rest) || rest[i] != delimiter {
			return s.Take(typ, i), nil
		}
		i++
	}
}

// quoted returns a name in double quotes that starts skip bytes ahead.
func (s *Scanner) quoted(typ lexer.TokenType, skip int) (lexer.Token, error) {
	t, err := s.delimited(typ, skip, '"', "quoted name")
	if err == nil && len(t.Value) == skip+len(`""`) {
		err = SyntaxError(t.Pos, "a quoted name is empty", "")
	}
	return t, err
}

func (s *Scanner) unfinished(what, hint string) error {
	s.Open = true
	return &ast.Error{Pos: Position(s.Pos), Code: ast.CodeSyntax, Msg: "this " + what + " has no end", Hint: hint}
}

// number returns digits [. digits] [e [sign] digits] or . digits …
func (s *Scanner) number() (lexer.Token, error) {
	rest := s.text[s.Pos.Offset:]
	n := Digits(rest)
	if n < len(rest) && rest[n] == '.' {
		n++
		n += Digits(rest[n:])
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		exponent := n + 1
		if exponent < len(rest) && (rest[exponent] == '+' || rest[exponent] == '-') {
			exponent++
		}
		if d := Digits(rest[exponent:]); d > 0 {
			n = exponent + d
		}
	}
	if word(rest[n:]) > 0 {
		return lexer.Token{}, SyntaxError(s.Pos, "the number "+rest[:n]+" runs into a word",
			"put a space between them, or the name in double quotes")
	}
	return s.Take(Number, n), nil
}

// param returns a parameter with a number.
func (s *Scanner) param() (lexer.Token, error) {
	rest := s.text[s.Pos.Offset+1:]
	n := Digits(rest)
	if n == 0 || rest[0] == '0' || n > len("65535") || word(rest[n:]) > 0 {
		return lexer.Token{}, SyntaxError(s.Pos, "$ does not start a parameter", "parameters are $1, $2, …")
	}
	return s.Take(Param, 1+n), nil
}

// mark returns a parameter without a number, or ?, ?| or ?& where a constant text, a parameter with a number or an array
// follows, before which no parameter can stand.
func (s *Scanner) mark() lexer.Token {
	rest := s.text[s.Pos.Offset:]
	n := 1
	if len(rest) > 1 && (rest[1] == '|' || rest[1] == '&') {
		n++
	}
	after := strings.TrimLeft(rest[n:], " \t\r\n")
	const array = "ARRAY"
	switch {
	case strings.HasPrefix(after, "'"), len(after) > 1 && after[0] == '$' && digit(after[1]),
		len(after) > len(array) && strings.EqualFold(after[:len(array)], array) && word(after) == len(array) && strings.ContainsRune("[( ", rune(after[len(array)])):
		return s.Take(Operator, n)
	}
	return s.Take(Param, 1)
}

// version returns @ with a number, an alias or a quoted alias.
func (s *Scanner) version() (lexer.Token, error) {
	rest := s.text[s.Pos.Offset+1:]
	if strings.HasPrefix(rest, ">") {
		return s.Take(Operator, len("@>")), nil
	}
	if strings.HasPrefix(rest, `"`) {
		return s.quoted(Version, 1)
	}
	n := strings.IndexFunc(rest, func(r rune) bool { return !ast.NamePart(r) })
	if n < 0 {
		n = len(rest)
	}
	if n == 0 && (s.Pos.Offset == 0 || !nameEnd(s.text[:s.Pos.Offset])) {
		return s.Take(Operator, len("@")), nil
	}
	if n == 0 {
		return lexer.Token{}, SyntaxError(s.Pos, "no version follows @", "write name@4 or name@alias")
	}
	return s.Take(Version, 1+n), nil
}

// nameEnd reports whether a name ends with the text, so that a version may follow.
func nameEnd(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r == '"' || ast.NamePart(r)
}

// word returns the next n bytes as a reserved word or an identifier. Its Value
// is in upper case, so that words compare without regard to case; converter.name
// takes the original from the text.
func (s *Scanner) word(n int) lexer.Token {
	t := s.Take(Ident, n)
	if ast.Reserved(t.Value) {
		t.Type = Keyword
	}
	for i := range len(t.Value) {
		if c := t.Value[i]; 'a' <= c && c <= 'z' {
			t.Value = s.inUpper(t.Value)
			break
		}
	}
	return t
}

// upperBytes is the length of the memory for words in upper case.
const upperBytes = 64

// inUpper returns the word with ASCII letters in upper case, at the same length.
func (s *Scanner) inUpper(word string) string {
	if s.upper.Cap()-s.upper.Len() < len(word) {
		s.upper = strings.Builder{}
		s.upper.Grow(max(upperBytes, len(word)))
	}
	from := s.upper.Len()
	for i := range len(word) {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		s.upper.WriteByte(c)
	}
	return s.upper.String()[from:]
}

// word returns the length of the unquoted name that text starts with.
func word(text string) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf && asciiName[text[n]] {
		n++
	}
	if n > 0 && digit(text[0]) {
		return 0
	}
	if n == len(text) || text[n] < utf8.RuneSelf {
		return n
	}
	for i, r := range text[n:] {
		if n+i == 0 && !ast.NameStart(r) || !ast.NamePart(r) {
			return n + i
		}
	}
	return len(text)
}

// asciiName tells the ASCII characters that may be part of a name.
var asciiName = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		is[c] = ast.NamePart(rune(c))
	}
	return is
}()

// Digits returns the number of digits that text starts with.
func Digits(text string) int {
	n := 0
	for n < len(text) && digit(text[n]) {
		n++
	}
	return n
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// Position returns p as the tree holds it.
func Position(p lexer.Position) ast.Pos {
	return ast.Pos{Line: p.Line, Col: p.Column, Offset: p.Offset}
}

func SyntaxError(p lexer.Position, msg, hint string) error {
	return &ast.Error{Pos: Position(p), Code: ast.CodeSyntax, Msg: msg, Hint: hint}
}
