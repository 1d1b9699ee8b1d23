package confusion

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The labels of spelling: as written, and words that differ by one letter, or by two that are exchanged.
const (
	AsWritten = iota
	OneLetter
)

// Distances are the labels of the module spelling.
var Distances = []string{"written", "one"}

// Speller finds words that are spelt like one that nobody knows.
type Speller struct {
	Known func(word string) float64 // how common a word is in native text
	found map[string][]Option
}

// Bounds of spelling: a word is unknown that is rarer than maxUnknown, and a correction is minKnown times as common or
// more. At most maxSpellings are looked at.
const (
	maxUnknown   = 3
	minKnown     = 10
	maxSpellings = 5
	maxSpelled   = 18 // letters of a word that is looked at
)

// FindSpelling finds words in lower case, or at the start of the sentence, that native text hardly has, and similar
// words that it has.
func FindSpelling(s *Sentence, sp *Speller) []Candidate {
	var out []Candidate
	for i, w := range s.Lower {
		if len(w) < 4 || len(w) > maxSpelled || !ascii(w) || s.Forms[i] != w && (i > 0 || s.Forms[i] != Title(w)) ||
			sp.Known(w) >= maxUnknown {
			continue
		}
		c := Candidate{Slot: i, SlotEnd: i + 1, Source: AsWritten, Fill: w}
		for _, o := range sp.options(w) {
			o.Edit = Edit{i, i + 1, As(o.Fill, s.Forms[i])}
			c.Options = append(c.Options, o)
		}
		if len(c.Options) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func ascii(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' || r >= utf8.RuneSelf })
}

// maxKept bounds the words whose spellings are kept.
const maxKept = 1 << 14

// options are the words that differ by one letter, the most common first.
func (sp *Speller) options(w string) []Option {
	if o, ok := sp.found[w]; ok {
		return o
	}
	type word struct {
		fill  string
		count float64
	}
	var list []word
	seen, least := map[string]bool{w: true}, minKnown*max(1, sp.Known(w))
	near(w, func(x string) {
		if n := sp.Known(x); n >= least && len(x) > 1 && !seen[x] {
			seen[x] = true
			list = append(list, word{x, n})
		}
	})
	slices.SortFunc(list, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.fill, b.fill))
	})
	var out []Option
	for _, x := range list[:min(len(list), maxSpellings)] {
		out = append(out, Option{Label: OneLetter, Fill: x.fill})
	}
	if sp.found == nil || len(sp.found) >= maxKept {
		sp.found = map[string][]Option{}
	}
	sp.found[strings.Clone(w)] = out
	return out
}

// near yields the words that one letter makes of a word: left out, put in, changed, or exchanged with the next.
func near(w string, yield func(string)) {
	b := make([]byte, 0, len(w)+1)
	for i := 0; i <= len(w); i++ {
		if i < len(w) {
			yield(string(append(append(b[:0], w[:i]...), w[i+1:]...)))
		}
		if i+1 < len(w) && w[i] != w[i+1] {
			yield(string(append(append(append(b[:0], w[:i]...), w[i+1], w[i]), w[i+2:]...)))
		}
		for c := byte('a'); c <= 'z'; c++ {
			yield(string(append(append(append(b[:0], w[:i]...), c), w[i:]...)))
			if i < len(w) && c != w[i] {
				yield(string(append(append(append(b[:0], w[:i]...), c), w[i+1:]...)))
			}
		}
	}
}
