package segmenter

import (
	"strings"
	"unicode/utf8"
)

// Lengths of sentences in characters: from softLength on a sentence ends at the next sign, at hardLength anywhere.
const (
	softLength = 300
	hardLength = 600
)

const (
	terminators = "。！？!?…｡"
	closers     = "”’」』）〉》】〕)]\"'"
)

// sentences yields the byte ranges of sentences of text[from:to]: up to a line end or behind 。！？ and the closing
// signs that follow them. A full stop of the Latin script ends none, for it stands in numbers and names. may tells
// whether a sentence may end at an offset; nil is anywhere.
func sentences(text string, from, to int, may func(at int) bool, yield func(from, to int) bool) bool {
	begin, length, ended := from, 0, false
	for at := from; at < to; {
		r, n := utf8.DecodeRuneInString(text[at:to])
		closing := strings.ContainsRune(closers, r)
		stop := strings.ContainsRune(terminators, r)
		over := length >= hardLength || length >= softLength && typeOf(r) == typeSymbol && !closing
		if at > begin && (ended && !closing && !stop || over || r == '\n' || r == '\r') && (may == nil || may(at)) {
			if !yield(begin, at) {
				return false
			}
			begin, length = at, 0
		}
		ended = stop || ended && closing
		length++
		at += n
	}
	return begin == to || yield(begin, to)
}
