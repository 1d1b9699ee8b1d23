package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s as it is compared without regard to case: two texts fold to the same if and only if Unicode's simple
// case folding makes them equal, as strings.EqualFold and (?i) of regular expressions have it (CaseFolding.txt, status
// C and S). Letters become small: K of kelvin is k, ſ is s, and ς is σ. İ and ı of Turkish stay as they are, and ß does
// not become ss: the number of characters never changes, though that of bytes may. Bytes that are no UTF-8 become
// U+FFFD where s has other letters than those of ASCII.
func Fold(s string) string {
	ascii, capital := true, false
	for i := range len(s) {
		c := s[i]
		ascii = ascii && c < utf8.RuneSelf
		capital = capital || 'A' <= c && c <= 'Z'
	}
	if ascii && !capital {
		return s
	}
	return strings.Map(FoldRune, s)
}

// FoldRune folds a character as Fold does.
func FoldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case unicode.SimpleFold(r) == r:
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
