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
// U+FFFD. It costs up to twice what strings.ToLower does (BenchmarkFold).
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s)
}

func foldRune(r rune) rune {
	if unicode.SimpleFold(r) == r {
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
