package metrics

import (
	"context"
	"slices"

	"parlance/algo/text"
)

// Spans scores a span layer as conlleval does: a span counts where sentence, both ends and
// label agree. The unit is the sentence.
type Spans struct {
	opt    Options
	layer  string
	tally  tally
	pairs  confusion
	tokens *spanTokens // nil where only spans count
}

// NewSpans returns a scorer of the layer.
func NewSpans(layer string, opt Options) *Spans {
	s := &Spans{opt: opt, layer: layer, tally: newTally(), pairs: confusion{}}
	if opt.SpanTokens && len(opt.Only) == 0 { // a breakdown tells spans apart
		s.tokens = &spanTokens{parent: opt.Taxonomy}
	}
	return s
}

type place struct{ sent, first, last int32 }

// Add scores the documents of a unit.
func (s *Spans) Add(_ context.Context, gold, predicted []*text.Document) error {
	return each(gold, predicted, s.document)
}

// document scores one document.
func (s *Spans) document(gold, predicted *text.Document) error {
	bounds := gold.SentenceTokens()
	g, p := s.opt.spans(spansOf(gold, s.layer), bounds), s.opt.spans(spansOf(predicted, s.layer), bounds)
	sentences := int32(len(bounds) - 1)
	for _, x := range append(append([]text.Span{}, g...), p...) {
		sentences = max(sentences, x.Sent)
	}
	i, k := 0, 0
	for sent := int32(0); sent <= sentences; sent++ {
		a, b := i, k
		for i < len(g) && g[i].Sent <= sent {
			i++
		}
		for k < len(p) && p[k].Sent <= sent {
			k++
		}
		if sent == 0 && i == a && k == b {
			continue // only spans that touch no token have no sentence
		}
		s.sentence(g[a:i], p[b:k])
		if s.tokens != nil {
			n := 0
			if sent > 0 && int(sent) < len(bounds) {
				n = int(bounds[sent] - bounds[sent-1])
			}
			s.tokens.sentence(n, g[a:i], p[b:k])
		}
		s.tally.units++
	}
	s.tally.document()
	return nil
}

func spansOf(d *text.Document, layer string) []text.Span {
	l := d.Layer(layer)
	if l == nil {
		return nil
	}
	all := l.Spans()
	if l.Rank == nil {
		return all
	}
	var best []text.Span
	for i, r := range l.Rank {
		if r == 1 {
			best = append(best, all[i])
		}
	}
	return best
}

// sentence counts the spans of one sentence.
func (s *Spans) sentence(gold, predicted []text.Span) {
	left := map[text.Span]int{}
	at := map[place]string{}
	for _, p := range predicted {
		left[p]++
	}
	for _, g := range gold {
		at[place{g.Sent, g.First, g.Last}] = g.Label
		if left[g] > 0 {
			left[g]--
			s.tally.at(g.Label)[0]++
			s.pairs[[2]string{g.Label, g.Label}]++
		} else {
			s.tally.at(g.Label)[2]++
		}
	}
	matched := map[place]bool{}
	for _, p := range predicted {
		if left[p] == 0 {
			matched[place{p.Sent, p.First, p.Last}] = true
			continue
		}
		left[p]--
		s.tally.at(p.Label)[1]++
		pl := place{p.Sent, p.First, p.Last}
		s.pairs[[2]string{at[pl], p.Label}]++
		matched[pl] = true
	}
	for _, g := range gold {
		if pl := (place{g.Sent, g.First, g.Last}); !matched[pl] {
			s.pairs[[2]string{g.Label, ""}]++
		}
	}
}

// Metrics returns precision, recall, f1 and macro_f1 over all, then by label.
func (s *Spans) Metrics() []Metric {
	out := s.tally.prf(s.opt.beta(1))
	out[2].Main = true
	if s.tokens != nil {
		all := 4 // those over all labels
		out = slices.Insert(out, all, s.tokens.metrics(s.tally.ends, s.opt.beta(1))...)
	}
	return out
}

// Confusion pairs spans with the same ends; others stand beside "".
func (s *Spans) Confusion() []Cell { return s.pairs.cells() }
