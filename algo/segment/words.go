package segment

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// unicodeWords cuts a chunk without white space at the word boundaries of UAX #29, and then
// mends what its rules cannot know.
func unicodeWords(text string, start, end int, r *Result) {
	first := len(r.Tokens)
	if n := fixed(text[start:end]); n > 0 {
		r.Tokens = append(r.Tokens, Span{int32(start), int32(start + n)})
		if start += n; start == end {
			return
		}
		first++
	}
	it := words.FromString(text[start:end])
	for it.Next() && !r.ended() {
		s := Span{int32(start + it.Start()), int32(start + it.End())}
		if n := len(r.Tokens); n > first && joins(text, r.Tokens[n-1], s) {
			r.Tokens[n-1].End = s.End
			continue
		}
		contraction(text, s, r)
	}
}

// joins reports whether two neighbouring spans are one token: a run of one punctuation
// mark, or an abbreviation and its full stop.
func joins(text string, a, b Span) bool {
	if a.End != b.Start {
		return false
	}
	next := text[b.Start:b.End]
	switch next {
	case ".", "!", "?", "-", "*", "=", "_", "`", "'":
		// What begins and ends with one of these marks is a run of it.
		if text[a.Start] == next[0] && text[a.End-1] == next[0] {
			return true
		}
	}
	return next == "." && abbreviation(text[a.Start:a.End])
}

// contraction appends a word, cut before its clitic: do|n't, it|'s, they|'ll.
func contraction(text string, s Span, r *Result) {
	w := text[s.Start:s.End]
	if n := clitic(w); n > 0 && n < len(w) {
		mid := s.End - int32(n)
		r.Tokens = append(r.Tokens, Span{s.Start, mid}, Span{mid, s.End})
		return
	}
	r.Tokens = append(r.Tokens, s)
}

// clitic returns the length in bytes of an English clitic at the end of a word, or 0.
func clitic(w string) int {
	at := len(w) - 1
	for at > 0 && w[at] != '\'' && (w[at] != "’"[0] || !strings.HasPrefix(w[at:], "’")) {
		at--
	}
	if at <= 0 {
		return 0
	}
	_, width := utf8.DecodeRuneInString(w[at:])
	switch strings.ToLower(w[at+width:]) {
	case "s", "d", "m", "ll", "re", "ve":
		return len(w) - at
	case "t":
		if w[at-1] == 'n' || w[at-1] == 'N' {
			return len(w) - at + 1
		}
	}
	return 0
}
