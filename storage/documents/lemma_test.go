package documents

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLemmaEdits brings lemmas back from their edits.
func TestLemmaEdits(t *testing.T) {
	piece := rapid.SampledFrom([]string{"", "a", "s", "ä", "日", "\xff", "\x00", "run", strings.Repeat("x", wholeLemma-1)})
	rapid.Check(t, func(t *rapid.T) {
		form := piece.Draw(t, "form") + piece.Draw(t, "form")
		lemma := piece.Draw(t, "lemma") + piece.Draw(t, "lemma")
		if got, ok := decodeEdit(edit(form, lemma)).apply(form); !ok || got != lemma {
			t.Fatalf("lemma %q of %q comes back as %q", lemma, form, got)
		}
	})
}
