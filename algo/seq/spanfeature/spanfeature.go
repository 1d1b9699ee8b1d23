// Package spanfeature has features of labelled spans of a sentence as a whole, to choose among labellings (after
// Collins 2002, "Ranking algorithms for named-entity extraction").
//
// A feature says that something occurs in a labelling at least once. A Set names the families that are looked for:
//
//	texts     a label with all words of its span
//	shapes    a label with the shapes of all words: Xx for Capitals, x, X, 0, and signs as they are
//	tags      a label with the tags of all words
//	ends      a label with the first word, the last one, and its ending of three characters
//	around    a label with the word before the span, that after it, and both
//	borders   a label with the word before and the first one, and with the last one and that after
//	inner     a label with each word of the span, and with two next to each other
//	lengths   a label with the number of words
//	pairs     the labels of two neighbouring spans, with what stands between them if that is three words at most
//	repeats   words that stand twice: both times in spans, with which labels, or once in one
//	outside   words with a capital or a digit that no span has, with the word before
//	counts    how many spans of a label there are
package spanfeature

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parlance/algo/text"
)

// Names are those of the families.
func Names() []string {
	return []string{"texts", "shapes", "tags", "ends", "around", "borders", "inner", "lengths", "pairs", "repeats",
		"outside",
		"counts"}
}

// Set is the families that are looked for.
type Set struct{ on map[string]bool }

// New returns the set of some families.
func New(names []string) (*Set, error) {
	s := &Set{on: map[string]bool{}}
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("%q is no family of features; they are %s", name, strings.Join(Names(), ", "))
		}
		s.on[name] = true
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("a family of features is wanted: %s", strings.Join(Names(), ", "))
	}
	return s, nil
}

// Extractor finds the features of labellings. It belongs to one goroutine.
type Extractor struct {
	set    *Set
	visit  func(name []byte)
	buf    []byte
	words  []string // lower case
	shapes []string
	tags   []string
}

// NewExtractor returns one for a set.
func NewExtractor(set *Set) *Extractor { return &Extractor{set: set} }

// Spans yields the features of spans in reading order over words, some more than once; tags may be nil. A name is valid
// until visit returns. Cost follows the words.
func (x *Extractor) Spans(spans []text.Span, words, tags []string, visit func(name []byte)) {
	x.visit, x.tags = visit, tags
	x.words, x.shapes = x.words[:0], x.shapes[:0]
	for _, w := range words {
		x.words, x.shapes = append(x.words, strings.ToLower(w)), append(x.shapes, shape(w))
	}
	for i, s := range spans {
		if s.First < 1 || int(s.Last) > len(words) || s.Last < s.First {
			continue
		}
		x.span(s)
		if i > 0 && x.set.on["pairs"] {
			x.pair(spans[i-1], s)
		}
	}
	x.whole(spans)
}

// shape has one sign for each run of letters of a case, or of digits.
func shape(w string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range w {
		c := r
		switch {
		case unicode.IsUpper(r):
			c = 'X'
		case unicode.IsLetter(r):
			c = 'x'
		case unicode.IsDigit(r):
			c = '0'
		}
		if c != last {
			b.WriteRune(c)
		}
		last = c
	}
	return b.String()
}

// emit yields a feature of some parts, if its family is looked for.
func (x *Extractor) emit(family string, parts ...string) {
	if !x.set.on[family] {
		return
	}
	x.buf = append(x.buf[:0], family...)
	for _, s := range parts {
		x.buf = append(x.buf, ' ')
		x.buf = append(x.buf, s...)
	}
	x.visit(x.buf)
}

// at is a word by its place from 0, a sign before and after the sentence.
func (x *Extractor) at(i int) string {
	switch {
	case i < 0:
		return "<s>"
	case i >= len(x.words):
		return "</s>"
	}
	return x.words[i]
}

// span has the features of one span.
func (x *Extractor) span(s text.Span) {
	a, z := int(s.First)-1, int(s.Last)
	x.emit("texts", s.Label, strings.Join(x.words[a:z], " "))
	x.emit("shapes", s.Label, strings.Join(x.shapes[a:z], " "))
	if z <= len(x.tags) {
		x.emit("tags", s.Label, strings.Join(x.tags[a:z], " "))
	}
	first, last := x.words[a], x.words[z-1]
	x.emit("ends", s.Label, "first", first)
	x.emit("ends", s.Label, "last", last)
	runes := []rune(last)
	x.emit("ends", s.Label, "ending", string(runes[max(0, len(runes)-3):]))
	x.emit("around", s.Label, "before", x.at(a-1))
	x.emit("around", s.Label, "after", x.at(z))
	x.emit("around", s.Label, "before", x.at(a-1), "after", x.at(z))
	x.emit("borders", s.Label, "begin", x.at(a-1), first)
	x.emit("borders", s.Label, "end", last, x.at(z))
	for i := a; i < z; i++ {
		x.emit("inner", s.Label, x.words[i])
		if i > a {
			x.emit("inner", s.Label, x.words[i-1], x.words[i])
		}
	}
	x.emit("lengths", s.Label, strconv.Itoa(min(z-a, 8)))
}

// between is how many words may stand between spans that are told with them.
const between = 3

// pair has the features of two neighbouring spans.
func (x *Extractor) pair(a, b text.Span) {
	x.emit("pairs", a.Label, b.Label)
	if from, to := int(a.Last), int(b.First)-1; from <= to && to-from <= between {
		x.emit("pairs", a.Label, strings.Join(x.words[from:to], " "), b.Label)
	}
}

// whole has the features of all spans together.
func (x *Extractor) whole(spans []text.Span) {
	labels := make([]string, len(x.words))
	for i := range labels {
		labels[i] = "O"
	}
	counts := map[string]int{}
	var order []string
	for _, s := range spans {
		if counts[s.Label]++; counts[s.Label] == 1 {
			order = append(order, s.Label)
		}
		for i := max(0, int(s.First)-1); i < min(len(labels), int(s.Last)); i++ {
			labels[i] = s.Label
		}
	}
	slices.Sort(order)
	for _, l := range order {
		x.emit("counts", l, strconv.Itoa(min(counts[l], 6)))
	}
	if len(spans) == 0 {
		x.emit("counts", "none")
	}
	before := map[string]int{}
	for i, w := range x.words {
		telling := strings.ContainsAny(x.shapes[i], "X0")
		if telling && labels[i] == "O" {
			x.emit("outside", w)
			x.emit("outside", x.at(i-1), x.shapes[i])
		}
		if j, ok := before[w]; ok && telling {
			x.emit("repeats", labels[j], labels[i])
		}
		before[w] = i
	}
}
