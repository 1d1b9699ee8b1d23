package metrics

import (
	"context"

	"parlance/algo/text"
)

// Sentences scores the boundaries between sentences by the characters before them, white space aside; the end of a
// document is given and does not count. whole_… are sentences with both ends right, as the shared task of CoNLL
// 2018 counts them. The unit is the document.
type Sentences struct {
	opt        Options
	boundaries Units
	whole      Units
}

// NewSentences returns a scorer of the sentences layer.
func NewSentences(opt Options) *Sentences { return &Sentences{opt: opt} }

// Add scores the documents of a unit.
func (s *Sentences) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document; one without gold sentences does not count.
func (s *Sentences) document(gold, predicted *text.Document) error {
	if err := sameCharacters(gold, predicted); err != nil {
		return err
	}
	g, p := sentencesOf(gold), sentencesOf(predicted)
	if len(g) == 0 {
		return nil
	}
	s.whole.Add(agree(g, p)...)
	s.boundaries.Add(agree(ends(g), ends(p))...)
	return nil
}

func sentencesOf(d *text.Document) []word {
	l := d.Layer(text.Sentences.Name)
	if l == nil {
		return nil
	}
	at, start, end := places(d.Text), l.Ints("char_start"), l.Ints("char_end")
	var out []word
	for i := range l.N {
		if w := (word{at[start[i]], at[end[i]]}); w.first < w.last {
			out = append(out, w)
		}
	}
	return out
}

// ends are the ends of all but the last.
func ends(list []word) []int32 {
	var out []int32
	for i := range max(len(list), 1) - 1 {
		out = append(out, list[i].last)
	}
	return out
}

// Metrics returns precision, recall and F of boundaries, then of whole sentences.
func (s *Sentences) Metrics() []Metric {
	beta := s.opt.beta(1)
	out := append(prf(All, s.boundaries, nil, beta), prefixed("whole_", prf(All, s.whole, nil, beta))...)
	out[2].Main = true
	return out
}

// Confusion is empty: sentences have no labels.
func (s *Sentences) Confusion() []Cell { return nil }
