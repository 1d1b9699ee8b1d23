package lex

import "testing"

// TestWordLengths: a name has letters, digits and _, and begins with a letter or _; letters are those of any script.
func TestWordLengths(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a b": "a", "a1_x$ b": "a1_x", "_a-b": "_a", "1a": "", "$a": "", " a": "", "a.b": "a",
		"'a'": "", "é": "é", "été b": "été", "aé": "aé", "aé b": "aé", "ab日本c, d": "ab日本c", "日本 x": "日本", "x→y": "x",
		"→y": "", "aé1é2-é": "aé1é2", "a̦b": "a̦b", "éa→b": "éa", "xyzé→é": "xyzé", "abé\u0301c d": "abé\u0301c",
		"é\u0301": "é\u0301", "\u0301a": "", "a\u0301": "a\u0301", "٣a": "", "a٣": "a٣",
	} {
		if got := text[:word(text)]; got != want {
			t.Errorf("%q begins with the name %q, want %q", text, got, want)
		}
	}
}
