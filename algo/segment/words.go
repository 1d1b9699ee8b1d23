package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// unicodeWords cuts a chunk without white space at the word boundaries of UAX #29, and then
// mends what its rules cannot know.
func unicodeWords(text string, start, end int, r *Result) {
	for start < end {
		if n := address(text[start:end]); n > 0 {
			r.Tokens = append(r.Tokens, Span{int32(start), int32(start + n)})
			start += n
			continue
		}
		break
	}
	if start == end {
		return
	}
	first := len(r.Tokens)
	it := words.FromString(text[start:end])
	for it.Next() {
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
		if last := text[a.Start:a.End]; strings.Trim(last, next) == "" {
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
	at := strings.LastIndexAny(w, "'’")
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

// address returns the length of a URL or e-mail address at the start of a chunk, without
// the punctuation that follows it, or 0.
func address(chunk string) int {
	low := chunk
	scheme := strings.Index(low, "://")
	switch {
	case scheme > 0 && letters(low[:scheme]) && len(low) > scheme+3:
	case strings.HasPrefix(low, "www.") && strings.Count(low, ".") > 1:
	default:
		return mail(chunk)
	}
	return len(strings.TrimRight(chunk, ".,;:!?'\")]}>»”’"))
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// mail returns the length of an e-mail address at the start of a chunk, or 0.
func mail(chunk string) int {
	at := strings.IndexByte(chunk, '@')
	if at <= 0 {
		return 0
	}
	for i := range at {
		if !addressByte(chunk[i]) {
			return 0
		}
	}
	end := at + 1
	for end < len(chunk) && (addressByte(chunk[end]) && chunk[end] != '+') {
		end++
	}
	host := strings.TrimRight(chunk[at+1:end], ".-_")
	if dot := strings.LastIndexByte(host, '.'); dot <= 0 || len(host)-dot < 3 {
		return 0
	}
	return at + 1 + len(host)
}

func addressByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(".-_+", c) >= 0
}

// treebankWords cuts a chunk as the Penn Treebank does: punctuation at both ends, clitics,
// and signs of currency and percent; hyphens and slashes inside stay.
func treebankWords(text string, start, end int, r *Result) {
	if n := address(text[start:end]); n > 0 {
		r.Tokens = append(r.Tokens, Span{int32(start), int32(start + n)})
		start += n
	}
	for start < end {
		n := opening(text[start:end])
		if n == 0 {
			break
		}
		r.Tokens = append(r.Tokens, Span{int32(start), int32(start + n)})
		start += n
	}
	var tail []Span
	for start < end {
		n := closing(text[start:end])
		if n == 0 {
			break
		}
		tail = append(tail, Span{int32(end - n), int32(end)})
		end -= n
	}
	if start < end {
		inner(text, start, end, r)
	}
	for i := len(tail) - 1; i >= 0; i-- {
		r.Tokens = append(r.Tokens, tail[i])
	}
}

// inner cuts dashes, ellipses and brackets inside a word, and its clitic.
func inner(text string, start, end int, r *Result) {
	from := start
	for i := start; i < end; {
		n := 0
		switch rest := text[i:end]; {
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "..."):
			n = len(rest) - len(strings.TrimLeft(rest, rest[:1]))
		case strings.HasPrefix(rest, "…"), strings.HasPrefix(rest, "—"):
			n = len("…")
		case strings.IndexByte("()[]{}\"", rest[0]) >= 0:
			n = 1
		}
		if n == 0 {
			_, w := utf8.DecodeRuneInString(text[i:end])
			i += w
			continue
		}
		if i > from {
			contraction(text, Span{int32(from), int32(i)}, r)
		}
		r.Tokens = append(r.Tokens, Span{int32(i), int32(i + n)})
		i += n
		from = i
	}
	if from < end {
		contraction(text, Span{int32(from), int32(end)}, r)
	}
}

// opening returns the length of a token of punctuation at the start of a word, or 0.
func opening(w string) int {
	switch {
	case strings.HasPrefix(w, "``"), strings.HasPrefix(w, "''"), strings.HasPrefix(w, "--"):
		return 2
	}
	c, n := utf8.DecodeRuneInString(w)
	if strings.ContainsRune("\"'`([{<«“‘„¿¡$£€#@&*…—–", c) && n < len(w) {
		if c == '\'' && clitic("x"+w) == len(w) {
			return 0
		}
		return n
	}
	return 0
}

// closing returns the length of a token of punctuation at the end of a word, or 0.
func closing(w string) int {
	switch {
	case strings.HasSuffix(w, "''"), strings.HasSuffix(w, "``"):
		return 2
	case strings.HasSuffix(w, "..."):
		return len(w) - len(strings.TrimRight(w, "."))
	}
	c, n := utf8.DecodeLastRuneInString(w)
	if c == '.' && n < len(w) && abbreviation(w[:len(w)-1]) {
		return 0
	}
	if n < len(w) && (strings.ContainsRune("\"'`)]}>»”’,;:?!.%…—–", c) || unicode.Is(unicode.Pf, c)) {
		if c == '\'' && strings.HasSuffix(strings.ToLower(w), "s'") {
			return n
		}
		return n
	}
	return 0
}
