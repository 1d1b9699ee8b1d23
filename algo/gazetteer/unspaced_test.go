package gazetteer

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestUnspacedAnyCut: a phrase without blanks matches its characters however both are cut, but no part of a word.
func TestUnspacedAnyCut(t *testing.T) {
	cut := func(t *rapid.T, s string) (out []string) {
		word := ""
		for _, r := range s {
			if word += string(r); rapid.Bool().Draw(t, "cut") {
				out, word = append(out, word), ""
			}
		}
		if word != "" {
			out = append(out, word)
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		phrase := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"南", "京", "ก", "の"}), 1, 6).Draw(t, "phrase"), "")
		trie := New(Options{}, []Entry{{cut(t, phrase), []string{"X"}}})
		forms := cut(t, phrase)
		if n, labels := trie.Match(append(forms, "城"), 0); n != len(forms) || len(labels) != 1 {
			t.Fatalf("%q of %q: %d tokens %q", phrase, forms, n, labels)
		}
		forms[len(forms)-1] += "城"
		if n, _ := trie.Match(forms, 0); n != 0 {
			t.Fatalf("%q ends inside a word of %q", phrase, forms)
		}
	})
}

// TestUnspacedMixed: letters within such a word are spelled too; words of other scripts stay whole.
func TestUnspacedMixed(t *testing.T) {
	trie := New(Options{Case: "lower"}, []Entry{{[]string{"T恤"}, []string{"X"}}, {[]string{"ab"}, []string{"Y"}}})
	for _, c := range []struct {
		forms string
		want  int
	}{{"T 恤", 2}, {"t恤", 1}, {"ab", 1}, {"a b", 0}, {"T", 0}} {
		if n, _ := trie.Match(strings.Fields(c.forms), 0); n != c.want {
			t.Errorf("%q: %d tokens, want %d", c.forms, n, c.want)
		}
	}
}
