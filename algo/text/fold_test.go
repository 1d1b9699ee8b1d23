package text

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestFoldRune: characters fold to the same if and only if Unicode's simple folding says that they are the same.
func TestFoldRune(t *testing.T) {
	members := map[rune][]rune{}
	for r := range rune(unicode.MaxRune + 1) {
		folded := foldRune(r)
		members[folded] = append(members[folded], r)
		if again := foldRune(folded); again != folded {
			t.Errorf("%q folds to %q, and that to %q", r, folded, again)
		}
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			if foldRune(o) != folded {
				t.Errorf("%q folds to %q, and %q, which is the same, to %q", r, folded, o, foldRune(o))
			}
		}
	}
	for folded, list := range members {
		for _, r := range list {
			if !strings.EqualFold(string(r), string(folded)) && r != unicode.ReplacementChar && (r < 0xd800 || r > 0xdfff) {
				t.Errorf("%q folds to %q, which is another letter", r, folded)
			}
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"abc", "abc"}, {"ABC z", "abc z"}, {"\u212aelvin", "kelvin"},
		{"Wa\u017f", "was"}, {"ΣΊΣΥΦΟΣ", "σίσυφοσ"}, {"σίσυφος", "σίσυφοσ"},
		{"STRASSE ẞ", "strasse ß"}, {"İI ı", "İi ı"}, {"µ", "μ"},
		{"1\x00-", "1\x00-"}, {"\xffA", "\ufffda"}} {
		if got := Fold(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringOf(rapid.SampledFrom([]rune("aAkK\u212asSſσςΣßẞiIİıµμ")))
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		if got, want := Fold(a) == Fold(b), strings.EqualFold(a, b); got != want {
			t.Errorf("%q and %q: %t, want %t", a, b, got, want)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	for name, s := range map[string]string{"small": "university", "capital": "University", "other": "Universität"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Fold(s)
			}
		})
		b.Run(name+" ToLower", func(b *testing.B) {
			for b.Loop() {
				strings.ToLower(s)
			}
		})
	}
}
