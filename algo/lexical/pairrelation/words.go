package pairrelation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// term is a term in the forms that rules compare.
type term struct {
	text   string   // as it is given, composed (NFKC)
	lower  string   // in lower case
	words  []string // lower case, cut at white space, hyphens and slashes
	normal string   // one for all variants of spelling
	dense  bool     // written without spaces: each letter is a morpheme
}

// newTerm prepares a term, in O(length).
func newTerm(s string) *term {
	t := &term{text: strings.TrimSpace(norm.NFKC.String(s))}
	t.lower = strings.ToLower(t.text)
	t.words = strings.FieldsFunc(t.lower, boundary)
	t.dense = len(t.words) < 2 && strings.ContainsFunc(t.lower, unspaced)
	t.normal = normalForm(t.words)
	return t
}

func boundary(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '/' || r == '_' || r == '・'
}

// unspaced reports letters of scripts that put no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// longVowel prolongs a vowel in Katakana.
const longVowel = 'ー'

// normalForm joins the words as American English spells them, without long vowel marks and with
// Hiragana as Katakana.
func normalForm(words []string) string {
	var b strings.Builder
	for _, w := range words {
		for _, r := range american(w) {
			switch {
			case r == longVowel || r == '\'' || r == '’' || r == '.':
			case r >= 'ぁ' && r <= 'ゖ':
				b.WriteRune(r - 'ぁ' + 'ァ')
			default:
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// wellFormed reports whether a term has a letter, no control character and matching brackets.
func wellFormed(s string) bool {
	letter := false
	var open []rune
	for _, r := range s {
		switch {
		case unicode.IsControl(r) || r == utf8.RuneError:
			return false
		case unicode.IsLetter(r):
			letter = true
		case closing(r) != 0:
			open = append(open, closing(r))
		case strings.ContainsRune(")]}」』】〉》", r):
			if len(open) == 0 || open[len(open)-1] != r {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return letter && len(open) == 0
}

// closing returns the bracket that closes an opening one, else 0.
func closing(r rune) rune {
	const pairs = "()[]{}「」『』【】〈〉《》"
	i := strings.IndexRune(pairs, r)
	if i < 0 || strings.ContainsRune(")]}」』】〉》", r) {
		return 0
	}
	next, _ := utf8.DecodeRuneInString(pairs[i+utf8.RuneLen(r):])
	return next
}

// morphemes returns what a term is made of: its words without function words, or its letters.
func (t *term) morphemes(function map[string]bool) []string {
	if t.dense {
		return strings.Split(t.lower, "")
	}
	var out []string
	for _, w := range t.words {
		if !function[w] {
			out = append(out, w)
		}
	}
	return out
}

// commonMorpheme reports whether two terms begin or end with the same morpheme.
func commonMorpheme(a, b *term, function map[string]bool) bool {
	x, y := a.morphemes(function), b.morphemes(function)
	if len(x) == 0 || len(y) == 0 || len(x) == 1 && len(y) == 1 && !a.dense {
		return false
	}
	return x[0] == y[0] || x[len(x)-1] == y[len(y)-1]
}

// headed reports whether the second term is the first one with a modifier: its last words, those
// before "of", or, where no spaces are written, its last letters.
func headed(general, special *term) bool {
	if special.dense {
		return general.dense && general.lower != special.lower && general.lower != "" &&
			strings.HasSuffix(special.lower, general.lower)
	}
	for i, w := range special.words {
		if w == "of" && i > 0 && i+1 < len(special.words) {
			return endsIn(special.words[:i], general.words, true)
		}
	}
	return endsIn(special.words, general.words, false)
}

// endsIn reports whether words end in others, and are more unless they may be the same.
func endsIn(words, last []string, same bool) bool {
	extra := len(words) - len(last)
	if len(last) == 0 || extra < 0 || extra == 0 && !same {
		return false
	}
	for i, w := range last {
		if words[extra+i] != w {
			return false
		}
	}
	return true
}

// commonPrefix and commonSuffix count letters.
func commonPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
