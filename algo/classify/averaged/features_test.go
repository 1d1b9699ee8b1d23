package averaged

import (
	"slices"
	"testing"
)

// TestCharacters: n-grams of characters stand in the marks of a word; single characters at its ends are left out, and
// the end of the text has none.
func TestCharacters(t *testing.T) {
	m := &Model{Head: Head{MinN: 1, MaxN: 2, Bucket: 10, PruneSize: -1, Prefix: "__label__"}, words: map[string]int32{}}
	r := rows{m: m, named: true}
	r.read("é a__label__ __label__x")
	want := []string{"<é", "é", "é>", "<a", "a", "a_"}
	if got := r.names[:6]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(r.hashes) != 3 { // é, a__label__ and the end
		t.Errorf("%d tokens", len(r.hashes))
	}
}
