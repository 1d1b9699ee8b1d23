package edit

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

func TestDistancesByHand(t *testing.T) {
	for _, c := range []struct {
		a, b         string
		plain, swaps int
	}{{"", "", 0, 0}, {"", "abc", 3, 3}, {"kitten", "sitting", 3, 3}, {"centre", "center", 2, 1}, {"ca", "abc", 3, 3},
		{"abcd", "badc", 3, 2}, {"colour", "color", 1, 1}} {
		if d, err := Levenshtein(context.Background(), []byte(c.a), []byte(c.b)); d != c.plain || err != nil {
			t.Errorf("%s to %s: %d, want %d", c.a, c.b, d, c.plain)
		}
		if d := Damerau([]rune(c.a), []rune(c.b)); d != c.swaps {
			t.Errorf("%s to %s with exchanges: %d, want %d", c.a, c.b, d, c.swaps)
		}
	}
}

// recursive is the definition written out.
func recursive(a, b string, swaps bool) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	cost := recursive(a[:i], b[:j], swaps)
	if a[i] != b[j] {
		cost++
	}
	cost = min(cost, recursive(a[:i], b, swaps)+1, recursive(a, b[:j], swaps)+1)
	if swaps && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		cost = min(cost, recursive(a[:i-1], b[:j-1], swaps)+1)
	}
	return cost
}

func TestDistancesBruteForce(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		got, err := Levenshtein(context.Background(), []byte(a), []byte(b))
		if want := recursive(a, b, false); got != want || err != nil {
			t.Fatalf("%q to %q: %d, want %d", a, b, got, want)
		}
		if got, want := Damerau([]byte(a), []byte(b)), recursive(a, b, true); got != want {
			t.Fatalf("%q to %q with exchanges: %d, want %d", a, b, got, want)
		}
	})
}
