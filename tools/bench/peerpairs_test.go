package main

import (
	"slices"
	"testing"
)

// TestCharacters: words stay whole, Chinese is cut.
func TestCharacters(t *testing.T) {
	got := characters("Two men's 嗨,你好2次。")
	if want := []string{"two", "men's", "嗨", ",", "你", "好", "2", "次", "。"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
