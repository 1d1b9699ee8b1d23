package jsonfn

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestQuotedAsEncodingJSON: a text is quoted as the standard library does without escapes for HTML.
func TestQuotedAsEncodingJSON(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "\"", "\\", "/", "<", "\x00", "\x1f", "\b\f\n\r\t", "\x7f", "\u2028", "\u2029",
		"\ufffd", "\xff", "\xe2\x80", "𝒳", "\xed\xa0\x80"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "") + rapid.String().Draw(t, "text")
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got, want := quoted(s), strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	})
}
