package pairrelation

import (
	"slices"
	"testing"
)

// TestTerms: where terms are cut into words, and which are written without spaces.
func TestTerms(t *testing.T) {
	for text, want := range map[string]struct {
		words []string
		dense bool
	}{
		"Data-Base/x_y": {[]string{"data", "base", "x", "y"}, false}, "  tree ": {[]string{"tree"}, false},
		"日本語": {[]string{"日本語"}, true}, "日本 語": {[]string{"日本", "語"}, false}, "コーヒー・カップ": {[]string{"コーヒー",
			"カップ"}, false}, "コーヒー": {[]string{"コーヒー"}, true}, "": {nil, false}, "ไทย": {[]string{"ไทย"}, true},
		"ﬁsh": {[]string{"fish"}, false}, "a–b": {[]string{"a", "b"}, false},
	} {
		if got := newTerm(text); !slices.Equal(got.words, want.words) || got.dense != want.dense {
			t.Errorf("%q: words %q, without spaces %v", text, got.words, got.dense)
		}
	}
}
