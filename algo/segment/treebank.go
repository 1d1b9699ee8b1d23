package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// treebankWords cuts a chunk as the Penn Treebank does: punctuation at both ends and inside,
// clitics, fused words (can|not), and signs of currency and percent; hyphens, slashes and
// ampersands inside a word stay.
func treebankWords(text string, start, end int, r *Result) {
	if n := len("'t"); fused(text[start:end]) == n && text[start] == '\'' {
		r.Tokens = append(r.Tokens, Span{int32(start), int32(start + n)}, Span{int32(start + n), int32(end)})
		return
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

// inner cuts the punctuation inside a word, and clitics.
func inner(text string, start, end int, r *Result) {
	from := start
	for i := start; i < end && !r.ended(); {
		n := mark(text[i:end])
		if n == 0 {
			_, w := utf8.DecodeRuneInString(text[i:end])
			i += w
			continue
		}
		if i > from {
			treebankWord(text, Span{int32(from), int32(i)}, r)
		}
		r.Tokens = append(r.Tokens, Span{int32(i), int32(i + n)})
		i += n
		from = i
	}
	if from < end {
		treebankWord(text, Span{int32(from), int32(end)}, r)
	}
}

// mark returns the length of a token of punctuation inside a word, or 0. Commas and colons
// before a digit belong to numbers and times.
func mark(rest string) int {
	switch {
	case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "..."):
		return len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	case strings.HasPrefix(rest, "…"), strings.HasPrefix(rest, "—"):
		return len("…")
	case strings.IndexByte("()[]{}\";#$%?!", rest[0]) >= 0:
		return 1
	case (rest[0] == ',' || rest[0] == ':') && (len(rest) == 1 || rest[1] < '0' || rest[1] > '9'):
		return 1
	}
	return 0
}

// treebankWord appends a word, cut where two are fused or before its clitic.
func treebankWord(text string, s Span, r *Result) {
	if n := fused(text[s.Start:s.End]); n > 0 {
		mid := s.Start + int32(n)
		r.Tokens = append(r.Tokens, Span{s.Start, mid}, Span{mid, s.End})
		return
	}
	contraction(text, s, r)
}

// fused returns the length of the first of two words written as one, or 0.
func fused(w string) int {
	if len(w) < 4 || len(w) > 6 {
		return 0
	}
	switch strings.ToLower(w) {
	case "'tis", "'twas":
		return len("'t")
	case "cannot", "gonna", "gotta", "wanna", "gimme", "lemme":
		return 3
	}
	return 0
}

// opening returns the length of a token of punctuation at the start of a word, or 0.
func opening(w string) int {
	switch {
	case strings.HasPrefix(w, "``"), strings.HasPrefix(w, "''"), strings.HasPrefix(w, "--"):
		return 2
	}
	c, n := utf8.DecodeRuneInString(w)
	if n == len(w) || !strings.ContainsRune("\"'`([{<«“‘„¿¡$£€#@&*…—–", c) {
		return 0
	}
	if c == '\'' && len(w) <= len("'ll") && clitic("x"+w) == len(w) {
		return 0
	}
	return n
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
	if n == len(w) || c == '.' && abbreviation(w[:len(w)-1]) {
		return 0
	}
	if strings.ContainsRune("\"'`)]}>»”’,;:?!.%…—–", c) || unicode.Is(unicode.Pf, c) {
		return n
	}
	return 0
}
