package ast

import (
	"slices"
	"strings"
	"unicode"
)

// reserved lists the words that are names only when quoted.
var reserved = map[string]bool{
	"SELECT": true, "FROM": true, "WHERE": true, "USING": true, "WITH": true, "ON": true, "AS": true,
	"JOIN": true, "LEFT": true, "INNER": true, "CROSS": true, "GROUP": true, "HAVING": true,
	"ORDER": true, "LIMIT": true, "OFFSET": true, "UNION": true, "VALIDATE": true, "AND": true,
	"OR": true, "NOT": true, "IN": true, "IS": true, "LIKE": true, "ILIKE": true, "BETWEEN": true,
	"CASE": true, "WHEN": true, "THEN": true, "ELSE": true, "END": true, "NULL": true, "TRUE": true,
	"FALSE": true, "DISTINCT": true, "EXISTS": true,
}

// longestReserved bounds the words that Reserved has to look up.
const longestReserved = len("VALIDATE")

// letterBits are those of a letter that tell which one it is, in any case.
const letterBits = 1<<5 - 1

// reservedLengths has a bit for each length of the reserved words that begin with a letter: most other words have
// another one.
var reservedLengths = func() (of [letterBits + 1]uint16) {
	for word := range reserved {
		of[word[0]&letterBits] |= 1 << len(word)
	}
	return of
}()

// Reserved reports whether word, in any case, is a reserved word.
func Reserved(word string) bool {
	if len(word) < 2 || len(word) > longestReserved || reservedLengths[word[0]&letterBits]&(1<<len(word)) == 0 {
		return false
	}
	var upper [longestReserved]byte
	for i := range len(word) {
		c := word[i]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	return reserved[string(upper[:len(word)])]
}

// ReservedWords returns the reserved words in upper case, in no fixed order.
func ReservedWords() []string {
	words := make([]string, 0, len(reserved))
	for word := range reserved {
		words = append(words, word)
	}
	return words
}

// NameStart reports whether r may start an unquoted name.
func NameStart(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > unicode.MaxASCII && unicode.IsLetter(r)
}

// NamePart reports whether r may follow the start of an unquoted name.
func NamePart(r rune) bool {
	return NameStart(r) || '0' <= r && r <= '9' ||
		r > unicode.MaxASCII && (unicode.IsNumber(r) || unicode.IsMark(r))
}

// plain reports whether name consists of the characters of an unquoted name.
func plain(name string) bool {
	for i, r := range name {
		if i == 0 && !NameStart(r) || !NamePart(r) {
			return false
		}
	}
	return name != ""
}

// QuoteName returns name as it is written in a statement: in double quotes
// where it is reserved or has other characters than letters, digits and _.
func QuoteName(name string) string {
	if plain(name) && !Reserved(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// QuoteText returns text as a string literal.
func QuoteText(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// version returns text as it follows a name: @4, @production, @"an alias".
func version(text string) string {
	if text == "" {
		return ""
	}
	for _, r := range text {
		if !NamePart(r) {
			return `@"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
	}
	return "@" + text
}

// dotted returns the parts as a name with dots, each quoted where needed.
func dotted(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(QuoteName(part))
	}
	return b.String()
}

// setting returns a setting's name, quoted where its words are not plain. The
// dots of a qualified setting belong to its name.
func setting(name string) string {
	parts := strings.Split(name, ".")
	if name == "" || slices.Contains(parts, "") {
		return QuoteName(name)
	}
	return dotted(parts...)
}
