package stem

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestStem: forms of a word have a stem in common, by the examples that describe the stemmers.
func TestOf(t *testing.T) {
	for language, forms := range map[string][]string{
		"english": {"arrive", "arrives", "arrived", "arriving"},
		"german":  {"jahr", "jahre", "jahren", "jahres"},
		"french":  {"continue", "continuer", "continuait"},
		"spanish": {"gato", "gatos", "gata"},
		"russian": {"книга", "книги", "книгу"},
	} {
		for _, f := range forms {
			if a, b := Of(language, forms[0]), Of(language, f); a != b || a == "" {
				t.Errorf("%s: %s has the stem %s, %s has %s", language, forms[0], a, f, b)
			}
		}
	}
	long := strings.Repeat("running ", 13)
	for _, c := range [][3]string{{"english", "refunds", "refund"}, {"", "refunds", "refunds"},
		{"latin", "refunds", "refunds"}, {"english", "", ""}, {"english", "\xffs", "\xffs"}, {"english", long, long}} {
		if got := Of(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q has the stem %q, want %q", c[0], c[1], got, c[2])
		}
	}
	if l := Languages(); len(l) != 17 || !slices.IsSorted(l) || !slices.Contains(l, "english") {
		t.Errorf("languages: %v", l)
	}
}

// TestStemsOfAnything: no stemmer fails on letters of any script and on what are no letters, and all give text.
func TestOfsOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	letters := []rune("aeiouyāäöüßéèçñstndrlmğşİıabcxqz'’-0 книгавшиеся كتابون தமிழ்நூல் ﷺ\u0301\u0000😀中")
	for range 200 {
		var w []rune
		for range rng.IntN(14) {
			w = append(w, letters[rng.IntN(len(letters))])
		}
		for _, l := range Languages() {
			if s := Of(l, string(w)); !utf8.ValidString(s) {
				t.Fatalf("%s: %q has the stem %q", l, string(w), s)
			}
		}
	}
}
