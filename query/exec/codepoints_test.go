package exec

import (
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestAppendCodePoints counts each offset from the start; offsets come in any order, and those beyond the text, as
// damaged rows have them, count as its end.
func TestAppendCodePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("a é🍞\u0301"))).Draw(t, "text")
		ends := []int32{int32(len(s)), int32(len(s)) + 1, int32(len(s)) + 100}
		for i := range s {
			ends = append(ends, int32(i))
		}
		offsets := rapid.SliceOf(rapid.SampledFrom(ends)).Draw(t, "offsets")
		want := []int64{-7}
		for _, o := range offsets {
			want = append(want, int64(utf8.RuneCountInString(s[:min(int(o), len(s))])))
		}
		if got := AppendCodePoints([]int64{-7}, s, offsets); !slices.Equal(got, want) {
			t.Fatalf("%q %v: %v, want %v", s, offsets, got, want)
		}
	})
}
