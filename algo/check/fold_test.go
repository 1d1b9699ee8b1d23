package check

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestFold compares with the words of a text, character by character.
func TestFold(t *testing.T) {
	lower := func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{" ", "\t", "\n", "\u00a0", "\u2003", "\u0085", "a", "Zed", "Ä", "ß", "İ", "K", "word", "\x00",
		"\x1c", "\x80", "\xff\xfe", "漢字", "ſ", "Q-7", "  ", "\x7f"}
	for range 20000 {
		s := ""
		for range rng.IntN(8) {
			s += pieces[rng.IntN(len(pieces))]
		}
		want := strings.Map(lower, strings.Join(strings.Fields(s), " "))
		got, n := fold([]byte("before"), s)
		if string(got) != "before"+want || n != utf8.RuneCountInString(want) {
			t.Fatalf("%q folds to %q of %d characters, want %q of %d", s, got[6:], n, want, utf8.RuneCountInString(want))
		}
	}
}
