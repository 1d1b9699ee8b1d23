package crf

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"parlance/algo/bio"
	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/tagger"
	"parlance/algo/text"
)

// pool keeps decoders for concurrent use.
type pool struct {
	target    tagger.Target
	rules     *chain.Constraints // nil if unconstrained
	continues map[string][]uint16
	chain     *chain.Model
	free      *sync.Pool
}

// worker annotates one document after the other.
type worker struct {
	extract *feature.Extractor
	forms   *tagger.FormScores // of what extract leaves out, may be nil
	decode  *chain.Decoder
	plain   *chain.Decoder // without constraints, for sentences that they leave no labelling
	rows    feature.Rows
	names   []string
	spans   []text.Span
}

func (p *pool) prepare(m *model, t tagger.Target) error {
	p.target, p.chain, p.continues, p.free = t, m.Chain, map[string][]uint16{}, &sync.Pool{}
	if m.opt.Constrained && t.Spans() {
		p.rules = t.Scheme.Constraints(m.Labels)
	}
	for _, l := range m.Labels {
		if _, what := bio.Split(l); what != "" && p.continues[what] == nil {
			p.continues[what] = bio.Continuing(m.Labels, what)
		}
	}
	d, err := m.Chain.NewDecoder(p.rules)
	if err != nil {
		return err
	}
	plain, err := m.Chain.NewDecoder(nil)
	if err != nil {
		return err
	}
	p.free.Put(&worker{decode: d, plain: plain})
	p.free.New = func() any { return &worker{decode: d.Clone(), plain: plain.Clone()} }
	return nil
}

// Annotate labels every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if run.NBest > 1 && !m.pool.target.Spans() {
		return fmt.Errorf("crf gives the n best labellings of spans only; tokens.%s has one label a token", m.pool.target.Column)
	}
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.document(ctx, w, d, run); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	if w.extract == nil {
		if w.extract, err = feature.NewExtractor(m.Alphabet, res); err == nil {
			w.forms = tagger.NewFormScores(m.Chain, w.extract)
		}
		return err
	}
	return w.extract.Bind(res)
}

// sentence loads the sentence of items [from, to) and returns the decoder to ask.
func (w *worker) sentence(from, to int) (*chain.Decoder, []uint16, error) {
	s := chain.Sequence{AttrOffsets: w.rows.Offsets[from : to+1], Attrs: w.rows.Attrs}
	add := func(scores []float64) { w.forms.Add(from, to, scores) }
	w.decode.LoadAnd(s, add)
	best, _, err := w.decode.Viterbi()
	if !errors.Is(err, chain.ErrNoPath) {
		return w.decode, best, err
	}
	w.plain.LoadAnd(s, add)
	best, _, err = w.plain.Viterbi()
	return w.plain, best, err
}

func (m *model) document(ctx context.Context, w *worker, d *text.Document, run *kind.Run) error {
	w.rows.Reset()
	if err := w.extract.ExtractUntil(ctx, d, &w.rows); err != nil {
		return err
	}
	res := m.pool.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		dec, best, err := w.sentence(int(bounds[s-1]), int(bounds[s]))
		if err != nil {
			return err
		}
		switch {
		case !m.pool.target.Spans():
			m.tags(res, dec, best, run.Prob)
		case run.NBest > 1:
			if err := m.paths(w, res, dec, int32(s), run.NBest); err != nil {
				return err
			}
		default:
			m.spans(w, res, dec, int32(s), best, run.Prob)
		}
	}
	res.Set(run.Prob || run.NBest > 1, run.NBest > 1)
	return nil
}

// tags adds the labels of a sentence with their marginals.
func (m *model) tags(res *tagger.Result, dec *chain.Decoder, best []uint16, prob bool) {
	for t, l := range best {
		p := 0.0
		if prob {
			p = dec.Marginal(t, int(l))
		}
		res.Tag(m.Labels[l], p)
	}
}

func (m *model) decoded(w *worker, sent int32, labels []uint16) []text.Span {
	w.names = w.names[:0]
	for _, l := range labels {
		w.names = append(w.names, m.Labels[l])
	}
	w.spans = m.pool.target.Scheme.Decode(w.spans[:0], sent, w.names)
	return w.spans
}

// spans adds the spans of a sentence with their marginals: that of the span, exactly so long.
func (m *model) spans(w *worker, res *tagger.Result, dec *chain.Decoder, sent int32, best []uint16, prob bool) {
	for _, s := range m.decoded(w, sent, best) {
		p := 0.0
		if prob {
			p = dec.SpanProb(int(s.First-1), best[s.First-1:s.Last], m.pool.continues[s.Label])
		}
		res.Span(s, p, 1)
	}
}

// paths adds the spans of the n best labellings, each with the probability of its labelling.
func (m *model) paths(w *worker, res *tagger.Result, dec *chain.Decoder, sent int32, n int) error {
	best, err := dec.NBest(n)
	if err != nil {
		return err
	}
	for i, p := range best {
		prob := dec.Prob(p.Labels)
		for _, s := range m.decoded(w, sent, p.Labels) {
			res.Span(s, prob, int32(i+1))
		}
	}
	return nil
}
