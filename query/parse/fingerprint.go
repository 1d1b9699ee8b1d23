package parse

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"parlance/query/lex"
)

// maxDigits is the number of digits up to which a number fits an int64 for sure.
const maxDigits = 18

// placeholders stand for literals in a fingerprint.
const (
	placeText    = '\x01'
	placeInteger = '\x02' // of at most maxDigits
	placeNumber  = '\x03'
	placeList    = '\x04' // literals with commas between them
	placeRows    = '\x05'
)

// Fingerprint returns what statements have in common that differ in literals alone, their number in lists, blanks and comments:
// their tokens, with placeholders for literals by their sort. They have one form. It holds until Release.
func (s *Scanned) Fingerprint() []byte {
	b := s.fingerprint[:0]
	if cap(b) == 0 {
		b = make([]byte, 0, len(s.tokens)+min(len(s.text), 16*len(s.tokens)))
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		switch p := placeholder(t); {
		case p != 0 && !s.fixed(i):
			b = append(b, p)
		case t.Type == lex.Ident || t.Type == lex.Keyword || t.Type == lex.Version:
			b = append(b, s.text[t.Pos.Offset:t.Pos.Offset+len(t.Value)]...)
		default:
			b = append(b, t.Value...)
		}
		b = append(b, 0)
	}
	s.fingerprint = b
	return b
}

// placeholder is what stands for a token in a fingerprint, 0 for the token itself.
func placeholder(t *lexer.Token) byte {
	switch t.Type {
	case lex.String:
		return placeText
	case lex.Number:
		if isInteger(t.Value) {
			return placeInteger
		}
		return placeNumber
	case lex.Literals:
		return placeList
	case lex.Rows:
		return placeRows
	}
	return 0
}

// isInteger reports whether a number is whole and not too long.
func isInteger(number string) bool {
	return len(number) <= maxDigits && lex.Digits(number) == len(number)
}

// Len returns the number of tokens.
func (s *Scanned) Len() int { return len(s.tokens) }

// AdHoc reports whether the statement has an ad-hoc text that begins with a literal: f(TEXT '…').
func (s *Scanned) AdHoc() bool {
	for i := 1; i+1 < len(s.tokens); i++ {
		if s.adHoc(i) && s.tokens[i+1].Type == lex.String {
			return true
		}
	}
	return false
}

// adHoc reports whether the token at i is the word before an ad-hoc text.
func (s *Scanned) adHoc(i int) bool {
	return s.tokens[i].Type == lex.Ident && s.tokens[i].Value == "TEXT" && i > 0 && isSign(&s.tokens[i-1], "(")
}

// Join makes one text of each ad-hoc text that is a chain of literals, f(TEXT 'a' || 7 || 'b'): such chains of any length have one
// fingerprint.
func (s *Scanned) Join() {
	if s.lists != nil {
		return // their places would move
	}
	kept := 0
	for i := 0; i < len(s.tokens); i++ {
		if kept < i {
			s.tokens[kept] = s.tokens[i]
		}
		kept++
		if s.adHoc(i) {
			if text, n := s.chain(i + 1); n > 1 {
				joined := s.tokens[i+1]
				joined.Value = text
				s.tokens[kept] = joined
				kept++
				i += n
			}
		}
	}
	clear(s.tokens[kept:])
	s.tokens = s.tokens[:kept]
}

// chain returns the text that the literals at a place are together, and the number of their tokens; 0 where something else than a
// comma or parenthesis follows them.
func (s *Scanned) chain(i int) (string, int) {
	start := i
	if s.tokens[i].Type != lex.String || s.tokens[i+1].Value != "||" {
		return "", 0
	}
	var b strings.Builder
	b.Grow(min(s.tokens[len(s.tokens)-1].Pos.Offset-s.tokens[i].Pos.Offset, 1<<10))
	for ; ; i++ {
		switch t := &s.tokens[i]; {
		case t.Type == lex.String && b.Len() == 0:
			b.WriteString(t.Value[:len(t.Value)-1])
		case t.Type == lex.String:
			b.WriteString(t.Value[1 : len(t.Value)-1])
		case t.Type == lex.Number && isInteger(t.Value) && (t.Value == "0" || t.Value[0] != '0'):
			b.WriteString(t.Value)
		default:
			return "", 0
		}
		i++
		switch t := &s.tokens[i]; {
		case isSign(t, ")"), isSign(t, ","):
			b.WriteByte('\'')
			return b.String(), i - start
		case t.Value != "||" || t.Type != lex.Operator:
			return "", 0
		}
	}
}
