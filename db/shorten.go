package db

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds in bytes of what an error says: of a word in it, which may be a name that it quotes, and of all.
const (
	longestWord    = 300
	longestMessage = 4000
)

// shortened is a message without the middle of long words, and without its own middle where it is long still.
func shortened(s string) string {
	if len(s) <= longestWord {
		return s
	}
	var b strings.Builder
	for s != "" && b.Len() <= 2*longestMessage {
		n := strings.IndexFunc(s, unicode.IsSpace)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(withoutMiddle(s[:n], longestWord))
		_, blank := utf8.DecodeRuneInString(s[n:])
		b.WriteString(s[n : n+blank])
		s = s[n+blank:]
	}
	return withoutMiddle(b.String()+withoutMiddle(s, longestMessage), longestMessage)
}

// withoutMiddle is a text of at most n bytes and an ellipsis: of a longer one the first two thirds and the last
// third.
func withoutMiddle(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := most*2/3, len(s)-most/3
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "…" + s[tail:]
}
