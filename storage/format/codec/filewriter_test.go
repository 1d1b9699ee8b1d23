package codec

import "testing"

// TestFileName: what of an id cannot stand in the name of a file is written in hexadecimal digits.
func TestFileName(t *testing.T) {
	for id, want := range map[string]string{"a b:1": "a b:1", "50%": "50%", "a/50%": "a%2F50%25", "..": "%2E.",
		".\n": "%2E%0A"} {
		if got := fileName(id); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
	}
}
