package hmm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// symbols numbers what the states emit: words, and for words seen less than least times the
// first that is frequent enough of their shape with the last two characters, their shape, and ?.
type symbols struct {
	names []string
	ids   map[string]uint32
}

// marked sets the symbols of shapes apart from words, which hold no tab.
const marked = "\t"

// fallbacks are the symbols that stand for a rare word, the most specific first.
func fallbacks(word string) [3]string {
	shape := marked + shapeOf(word)
	return [3]string{shape + "…" + ending(word), shape, marked + "?"}
}

// shapeOf writes runs of capitals as X, of small letters as x, of digits as 9 and others as they
// are, each run once.
func shapeOf(word string) string {
	var b strings.Builder
	last := rune(-1)
	for _, c := range word {
		switch {
		case unicode.IsUpper(c):
			c = 'X'
		case unicode.IsLetter(c):
			c = 'x'
		case unicode.IsDigit(c):
			c = '9'
		}
		if c != last {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}

// ending is the last two characters in lower case.
func ending(word string) string {
	at := len(word)
	for range 2 {
		_, w := utf8.DecodeLastRuneInString(word[:at])
		at -= w
	}
	return strings.ToLower(word[at:])
}

// newSymbols numbers the symbols of counted words, in their order.
func newSymbols(words []string, count map[string]int, least int) *symbols {
	s := &symbols{ids: map[string]uint32{}}
	shapes := map[string]int{}
	var order []string
	for _, w := range words {
		if count[w] >= least {
			s.add(w)
			continue
		}
		for _, f := range fallbacks(w) {
			if shapes[f] == 0 {
				order = append(order, f)
			}
			shapes[f] += count[w]
		}
	}
	for _, f := range order {
		if shapes[f] >= least {
			s.add(f)
		}
	}
	return s
}

func (s *symbols) add(name string) {
	if _, ok := s.ids[name]; !ok {
		s.ids[strings.Clone(name)] = uint32(len(s.names))
		s.names = append(s.names, strings.Clone(name))
	}
}

// of is the symbol of a word, or unknown.
func (s *symbols) of(word string) uint32 {
	if id, ok := s.ids[word]; ok {
		return id
	}
	for _, f := range fallbacks(word) {
		if id, ok := s.ids[f]; ok {
			return id
		}
	}
	return unknown
}

// name is a symbol for people: shapes in angle brackets.
func (s *symbols) name(id uint32) string {
	if id == unknown {
		return "<unknown>"
	}
	if shape, ok := strings.CutPrefix(s.names[id], marked); ok {
		return "<" + shape + ">"
	}
	return s.names[id]
}
