package tagger

import (
	"parlance/algo/text"
)

// Result gathers what a model found in one document.
type Result struct {
	t     Target
	doc   *text.Document
	spans []text.Span
	prob  []float64
	rank  []int32
	tags  []string
}

// NewResult begins the result of a document.
func (t Target) NewResult(d *text.Document) *Result { return &Result{t: t, doc: d} }

// Span adds a span; rank is 0 unless n best are wanted. prob is ignored unless asked for.
func (r *Result) Span(s text.Span, prob float64, rank int32) {
	r.spans, r.prob, r.rank = append(r.spans, s), append(r.prob, prob), append(r.rank, rank)
}

// Tag adds the label of the next token.
func (r *Result) Tag(label string, prob float64) {
	r.tags, r.prob = append(r.tags, label), append(r.prob, prob)
}

// Set puts the layer into the document; prob and ranks tell which hidden columns are wanted.
func (r *Result) Set(prob, ranks bool) {
	var l *text.Layer
	if r.t.Spans() {
		l = r.doc.SpanLayer(r.t.Layer, r.spans)
		if ranks {
			l.Rank = r.rank
		}
	} else {
		old := r.doc.Layer("tokens")
		if old == nil {
			return
		}
		c := *old
		c.Cols = append([]text.Col{}, old.Cols...)
		c.SetStrs(r.t.Column, r.tags)
		l = &c
	}
	l.Prob = nil
	if prob {
		l.Prob = r.prob
	}
	r.doc.SetLayer(l)
}
