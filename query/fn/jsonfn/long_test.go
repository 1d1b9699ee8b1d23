package jsonfn

import (
	"strings"
	"testing"

	"parlance/query/fn"
)

// TestQuotedWithin quotes long texts piece by piece, and makes the same of them as of short ones.
func TestQuotedWithin(t *testing.T) {
	for _, piece := range []string{"plain text ", "a \"quote\"\\, a line\n and 文字 "} {
		s := strings.Repeat(piece, 2*fn.ChunkBytes/len(piece)+3)
		got, err := quotedWithin(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := quoted(s); err != nil || got != want {
			t.Errorf("%d bytes of %q: %d, want %d; %v", len(s), piece, len(got), len(want), err)
		}
	}
}
