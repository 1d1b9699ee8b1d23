package candidates

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// bracketsOf are spans as what is scored.
func bracketsOf(spans []text.Span) []constituent.Bracket {
	out := make([]constituent.Bracket, len(spans))
	for i, s := range spans {
		out[i] = constituent.Bracket{Label: s.Label, First: int(s.First) - 1, Last: int(s.Last)}
	}
	return out
}

// goldSpans are the spans of the sentences of a document that has the layer.
func (o *Options) goldSpans(d *text.Document) map[int][]constituent.Bracket {
	out := map[int][]constituent.Bracket{}
	l := d.Layer(o.Layer)
	if l == nil {
		return out
	}
	bounds := d.SentenceTokens()
	for i := 1; i < len(bounds); i++ {
		if bounds[i] > bounds[i-1] {
			out[i] = []constituent.Bracket{}
		}
	}
	for _, s := range spansOf(l) {
		out[int(s.span.Sent)] = append(out[int(s.span.Sent)], bracketsOf([]text.Span{s.span})...)
	}
	return out
}

// rankedSpan is a row of a layer of spans.
type rankedSpan struct {
	span text.Span
	rank int
	prob float64
}

func spansOf(l *text.Layer) []rankedSpan {
	sent, first, last, labels := l.Ints("sent"), l.Ints("tok_start"), l.Ints("tok_end"), l.Strs("label")
	if sent == nil || first == nil || last == nil || labels == nil {
		return nil
	}
	out := make([]rankedSpan, l.N)
	for i := range out {
		out[i] = rankedSpan{text.Span{Sent: sent[i], First: first[i], Last: last[i], Label: labels[i]}, 1, math.NaN()}
		if l.Rank != nil {
			out[i].rank = int(l.Rank[i])
		}
		if l.Prob != nil {
			out[i].prob = l.Prob[i]
		}
	}
	return out
}

// labellings lists the n best labellings of the sentences of a document.
func (o *Options) labellings(ctx context.Context, d *text.Document, base kind.Trained) ([]*Sentence, error) {
	ranked, err := o.parse(ctx, d, base, o.Count)
	if err != nil {
		return nil, err
	}
	toks := ranked.Layer(text.Tokens.Name)
	l := ranked.Layer(o.Layer)
	if toks == nil || l == nil {
		return nil, nil
	}
	bySentence := map[int32][]rankedSpan{}
	for _, s := range spansOf(l) {
		bySentence[s.span.Sent] = append(bySentence[s.span.Sent], s)
	}
	forms, tags := toks.Strs("form"), toks.Strs(o.Tags)
	bounds := ranked.SentenceTokens()
	var out []*Sentence
	for i := 1; i < len(bounds); i++ {
		if bounds[i] == bounds[i-1] {
			continue
		}
		x := &Sentence{Sentence: &constituent.Sentence{Number: i}}
		for row := int(bounds[i-1]); row < int(bounds[i]); row++ {
			form, tag := "", ""
			if forms != nil {
				form = forms[row]
			}
			if tags != nil {
				tag = tags[row]
			}
			x.Rows, x.Words, x.Tags = append(x.Rows, row), append(x.Words, form), append(x.Tags, tag)
		}
		x.List = o.listed(bySentence[int32(i)])
		out = append(out, x)
	}
	return out, nil
}

// listed makes candidates of the rows of a sentence. A labelling without spans has no rows: it is the first rank that
// has none, and takes the probability that the others leave, between those of its neighbours.
func (o *Options) listed(rows []rankedSpan) []Candidate {
	list := make([]Candidate, o.Count)
	have := make([]bool, o.Count)
	prob := make([]float64, o.Count)
	left := 1.0
	for _, r := range rows {
		k := r.rank - 1
		if k < 0 || k >= o.Count {
			continue
		}
		if !have[k] {
			have[k], prob[k] = true, r.prob
			left -= r.prob
		}
		list[k].Spans = append(list[k].Spans, r.span)
	}
	var out []Candidate
	empty := false
	for k := range list {
		if !have[k] {
			if empty {
				continue
			}
			empty = true
			prob[k] = math.Max(left, 1e-9)
			if k > 0 {
				prob[k] = math.Min(prob[k], prob[k-1])
			}
			if k+1 < o.Count && have[k+1] {
				prob[k] = math.Max(prob[k], prob[k+1])
			}
		}
		c := list[k]
		c.Log = math.Log(prob[k])
		if c.known = !math.IsNaN(c.Log) && !math.IsInf(c.Log, 0); !c.known && k > 0 {
			continue
		}
		if !c.known {
			c.Log = 0
		}
		c.Answer = len(out) == 0
		out = append(out, c)
	}
	return out
}

// SpanWriter gathers the spans of a document.
type SpanWriter struct {
	Probs, Ranks bool
	d            *text.Document
	def          *text.LayerDef
	spans        []text.Span
	prob         []float64
	rank         []int32
}

// SpanWriter returns one for a document.
func (o *Options) SpanWriter(d *text.Document, probs, ranks bool) *SpanWriter {
	return &SpanWriter{Probs: probs, Ranks: ranks, d: d, def: o.def()}
}

// Sentence adds the k best labellings of a sentence. prob of a span is the sum of the shares of the labellings that
// have it; with k over 1, that of the labelling.
func (w *SpanWriter) Sentence(list []Scored, k int) {
	shares := map[text.Span]float64{}
	if k == 1 {
		for _, c := range list {
			for _, s := range c.Spans {
				shares[s] += c.Prob
			}
		}
	}
	for i, c := range list[:min(k, len(list))] {
		for _, s := range c.Spans {
			p := c.Prob
			if k == 1 {
				p = math.Min(1, shares[s])
			}
			w.spans, w.prob, w.rank = append(w.spans, s), append(w.prob, p), append(w.rank, int32(i+1))
		}
	}
}

// Set gives the document the layer.
func (w *SpanWriter) Set() {
	l := w.d.SpanLayer(w.def, w.spans)
	if w.Probs {
		l.Prob = append([]float64{}, w.prob...)
	}
	if w.Ranks {
		l.Rank = append([]int32{}, w.rank...)
	}
	w.d.SetLayer(l)
}

// Text writes a candidate: a tree in brackets, or its spans.
func (c *Candidate) Text(words []string) string {
	if c.Tree != nil {
		return c.Tree.Text(words)
	}
	out := ""
	for i, s := range c.Spans {
		if i > 0 {
			out += ", "
		}
		for t := s.First; t <= s.Last && int(t) <= len(words); t++ {
			out += words[t-1] + " "
		}
		out += s.Label
	}
	return out
}
