package text

import (
	"slices"
	"testing"
)

// TestFields keeps no-break and ideographic spaces in words.
func TestFields(t *testing.T) {
	got := Fields("\t1\u00a0000  a\u3000b\r\nc\u202fd ")
	if want := []string{"1\u00a0000", "a\u3000b", "c\u202fd"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Trim(" \u00a0a\u3000\n"); got != "\u00a0a\u3000" {
		t.Errorf("%q", got)
	}
}
