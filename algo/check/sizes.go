package check

import (
	"fmt"
	"slices"
	"strings"

	"parlance/algo/text"
)

// sizes looks for empty and huge documents. It keeps the size of every document, and the
// names of the largest.
type sizes struct {
	c       *Checker
	bytes   []int32
	largest []large
}

type large struct {
	ordinal, bytes int
	id             string
}

func newSizes(c *Checker, _ int) detector { return &sizes{c: c} }

func (s *sizes) add(d *view) {
	s.bytes = append(s.bytes, int32(len(d.Text)))
	if strings.TrimSpace(d.Text) == "" {
		s.c.report("empty-document", d, "", "the document has no text; delete it, or look at how it was loaded")
		return
	}
	if l := d.Layer("sentences"); l == nil || l.N == 0 {
		s.c.report("no-sentences", d, "", "the document has %s of text and no sentences", count(len(d.Text), "byte", "bytes"))
	}
	if d.n == 0 {
		s.c.report("no-tokens", d, "", "the document has %s of text and no tokens", count(len(d.Text), "byte", "bytes"))
	}
	if s.c.Limit == 0 {
		return
	}
	s.largest = append(s.largest, large{s.c.ordinal, len(d.Text), d.ID})
	if len(s.largest) >= 4*s.c.Limit+64 {
		s.prune()
	}
}

// prune keeps the largest documents.
func (s *sizes) prune() {
	slices.SortStableFunc(s.largest, func(a, b large) int { return b.bytes - a.bytes })
	s.largest = s.largest[:min(len(s.largest), s.c.Limit)]
}

func (s *sizes) finish() bool {
	if len(s.bytes) == 0 {
		return false
	}
	sorted := slices.Clone(s.bytes)
	slices.Sort(sorted)
	usual := int(sorted[(len(sorted)*999+999)/1000-1])
	bound := min(s.c.Size, 10*max(usual, 1))
	s.prune()
	huge := 0
	for _, b := range s.bytes {
		if int(b) > bound {
			huge++
		}
	}
	for i := range huge {
		s.c.note("huge-document", i, func() Finding {
			l := s.largest[i]
			return Finding{Document: l.id,
				Message: text.Countf("the text has %d {byte|bytes}, 99.9 percent of the texts have at most %d; cut it into "+
					"documents",
					l.bytes, usual)}
		})
	}
	return false
}

// sentences looks at the sentences layer and its tokens.
type sentences struct{ c *Checker }

func newSentences(c *Checker, _ int) detector { return &sentences{c} }

func (s *sentences) finish() bool { return false }

func (s *sentences) add(d *view) {
	if s.c.reads("tokens") || s.c.reads("sentences") {
		s.long(d)
	}
	l := d.Layer("sentences")
	if l == nil || !s.c.reads("sentences") {
		return
	}
	number, start, end := ints(l, "sent"), ints(l, "char_start"), ints(l, "char_end")
	if number == nil || start == nil || end == nil {
		return
	}
	if at, msg := disorder(d, l, number, start, end); msg != "" {
		s.c.report("sentence-order", d, "sentences "+sentPlace(number[at]), "%s", msg)
	}
}

func (s *sentences) long(d *view) {
	for k := 1; k < len(d.bounds); k++ {
		if n := int(d.bounds[k] - d.bounds[k-1]); n > s.c.Sentence {
			s.c.report("long-sentence", d, "sentences "+sentPlace(int32(k)),
				"the sentence has %d tokens; is a boundary missing?", n)
		}
	}
}

// disorder returns the first sentence that is wrong and why.
func disorder(d *view, l *text.Layer, number, start, end []int32) (int, string) {
	for i := range l.N {
		switch {
		case number[i] != int32(i+1):
			return i, fmt.Sprintf("sentences are numbered 1, 2, … in order; row %d is not", i+1)
		case start[i] < 0 || start[i] > end[i] || int(end[i]) > len(d.Text):
			return i, "the sentence lies outside the text"
		case i > 0 && start[i] < end[i-1]:
			return i, "the sentence begins before the one above ends"
		}
		from, to, ok := d.sentence(number[i])
		if !ok || from == to || d.start == nil || d.end == nil {
			continue
		}
		if d.start[from] < start[i] || d.end[to-1] > end[i] {
			return i, "the tokens of the sentence reach beyond it"
		}
	}
	return 0, ""
}
