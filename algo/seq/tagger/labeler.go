package tagger

import (
	"context"
	"errors"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/text"
)

// Search answers questions about the labels of one sentence after the other, as chain.Decoder does.
type Search interface {
	// LoadAnd scores a sequence and lets add, unless nil, add to the scores, at token·labels + label.
	LoadAnd(s chain.Sequence, add func(scores []float64))
	Viterbi() ([]uint16, float64, error)
	NBest(n int) ([]chain.Path, error)
	Prob(labels []uint16) float64
	Marginal(t, label int) float64
	SpanProb(start int, labels, continued []uint16) float64
	// Around calls add with the weights of the labels around token t that differ between two labels
	// of it: a name with the number of a label for each %s, and the difference.
	Around(labels []uint16, t, own, other int, add func(name string, around []uint16, diff float64))
}

// Labeler labels the tokens of documents by a chain, for concurrent use. Probabilities are those of
// p(y|x) ∝ exp(score/T), whatever the weights were trained for; T is 1 unless Temper says otherwise.
type Labeler struct {
	kind        string
	trained     *Trained
	attributes  Attributes
	target      Target
	rules       *chain.Constraints
	continues   map[string][]uint16
	plain       func() *worker // at temperature 1
	free        *sync.Pool
	temperature float64
}

// searches are what makes searches under the constraints of the labels, and without any.
type searches struct{ ruled, free func() Search }

// worker annotates one document after the other.
type worker struct {
	source    Source
	decode    Search
	plain     Search // without constraints, for sentences that they leave no labelling
	soft      Search // at the temperature, nil at 1; plainSoft is without constraints
	plainSoft Search
	rows      feature.Rows
	names     []string
	spans     []text.Span
}

// NewLabeler prepares labelling; kind is for messages. With constrained, spans keep to their scheme.
// search returns what makes searches under constraints, nil for none; NewSearch is one.
func NewLabeler(kind string, m *Trained, t Target, constrained bool,
	search func(*chain.Constraints) (func() Search, error)) (*Labeler, error) {
	return NewLabelerOf(kind, m, ofTemplates{m}, t, constrained, search)
}

// NewLabelerOf does so for attributes that come from elsewhere than templates: the alphabet of m may be nil.
func NewLabelerOf(kind string, m *Trained, a Attributes, t Target, constrained bool,
	search func(*chain.Constraints) (func() Search, error)) (*Labeler, error) {
	p := &Labeler{kind: kind, trained: m, attributes: a, target: t, continues: map[string][]uint16{}, temperature: 1}
	if constrained && t.Spans() {
		p.rules = t.Scheme.Constraints(m.Labels)
	}
	for _, l := range m.Labels {
		if _, what := bio.Split(l); what != "" && p.continues[what] == nil {
			p.continues[what] = bio.Continuing(m.Labels, what)
		}
	}
	s, err := p.searches(search)
	if err != nil {
		return nil, err
	}
	p.plain = func() *worker { return &worker{decode: s.ruled(), plain: s.free()} }
	p.free = &sync.Pool{New: func() any { return p.plain() }}
	return p, nil
}

func (p *Labeler) searches(search func(*chain.Constraints) (func() Search, error)) (s searches, err error) {
	if s.ruled, err = search(p.rules); err == nil {
		s.free, err = search(nil)
	}
	return s, err
}

// Temper returns a labeler with the same labels, and with probabilities p(y|x) ∝ exp(score/t). search is that of the
// chain whose transitions weigh 1/t as much.
func (p *Labeler) Temper(t float64, search func(*chain.Constraints) (func() Search, error)) (*Labeler, error) {
	soft, err := p.searches(search)
	if err != nil {
		return nil, err
	}
	out := *p
	out.temperature = t
	out.free = &sync.Pool{New: func() any {
		w := p.plain()
		w.soft, w.plainSoft = soft.ruled(), soft.free()
		return w
	}}
	return &out, nil
}

// TemperChain does so for a labeler that searches in the chain that was learned.
func (p *Labeler) TemperChain(t float64) (*Labeler, error) {
	soft, err := p.trained.Chain.ScaleTransitions(1 / t)
	if err != nil {
		return nil, err
	}
	return p.Temper(t, NewSearch(soft))
}

// soften returns the search to ask for probabilities of the sentence of items [from, to), which dec has loaded.
func (p *Labeler) soften(w *worker, dec Search, from, to int) Search {
	soft := w.soft
	if dec == w.plain {
		soft = w.plainSoft
	}
	if soft == nil {
		return dec
	}
	soft.LoadAnd(w.sequence(from, to), func(scores []float64) {
		w.source.Add(from, to, scores)
		for i := range scores {
			scores[i] /= p.temperature
		}
	})
	return soft
}

func (w *worker) sequence(from, to int) chain.Sequence {
	return chain.Sequence{AttrOffsets: w.rows.Offsets[from : to+1], Attrs: w.rows.Attrs}
}

// longSentence is from how many tokens on the context is looked at within a sentence, too.
const longSentence = 1 << 12

// within has the searches of the worker end with the context, those that can.
func (w *worker) within(ctx context.Context) {
	for _, s := range []Search{w.decode, w.plain, w.soft, w.plainSoft} {
		if s, ok := s.(interface{ Within(context.Context) }); ok {
			s.Within(ctx)
		}
	}
}

// Annotate labels every sentence of the documents.
func (p *Labeler) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := p.free.Get().(*worker)
	defer p.free.Put(w)
	w.within(ctx)
	defer w.within(context.Background()) // EXPLAIN uses it as well
	if err := p.bind(w, run.Resources); err != nil {
		return err
	}
	return w.source.Each(ctx, docs, &w.rows, func(d *text.Document) error { return p.document(ctx, w, d, run) })
}

func (p *Labeler) bind(w *worker, res kind.Resources) (err error) {
	w.source, err = p.attributes.Source(w.source, false, res)
	return err
}

// sentence loads the sentence of items [from, to) and returns the search to ask.
func (w *worker) sentence(from, to int) (Search, []uint16, error) {
	s := w.sequence(from, to)
	add := func(scores []float64) { w.source.Add(from, to, scores) }
	w.decode.LoadAnd(s, add)
	best, _, err := w.decode.Viterbi()
	if !errors.Is(err, chain.ErrNoPath) {
		return w.decode, best, err
	}
	w.plain.LoadAnd(s, add)
	best, _, err = w.plain.Viterbi()
	return w.plain, best, err
}

func (p *Labeler) document(ctx context.Context, w *worker, d *text.Document, run *kind.Run) error {
	res := p.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		dec, best, err := w.sentence(int(bounds[s-1]), int(bounds[s]))
		if err == nil && bounds[s]-bounds[s-1] > longSentence {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if run.Prob && run.NBest <= 1 {
			dec = p.soften(w, dec, int(bounds[s-1]), int(bounds[s]))
		}
		switch {
		case !p.target.Spans():
			p.tags(res, dec, best, run.Prob)
		case run.NBest > 1:
			if err := p.paths(w, res, dec, int32(s), run.NBest); err != nil {
				return err
			}
		default:
			p.addSpans(w, res, dec, int32(s), best, run.Prob)
		}
	}
	if err := ctx.Err(); err != nil {
		return err // what came of a search that ended early is no answer
	}
	res.Set(run.Prob || run.NBest > 1, run.NBest > 1)
	return nil
}

// tags adds the labels of a sentence with their marginals.
func (p *Labeler) tags(res *Result, dec Search, best []uint16, prob bool) {
	for t, l := range best {
		x := 0.0
		if prob {
			x = dec.Marginal(t, int(l))
		}
		res.Tag(p.trained.Labels[l], x)
	}
}

func (p *Labeler) decoded(w *worker, sent int32, labels []uint16) []text.Span {
	w.names = w.names[:0]
	for _, l := range labels {
		w.names = append(w.names, p.trained.Labels[l])
	}
	w.spans = p.target.Scheme.Decode(w.spans[:0], sent, w.names)
	return w.spans
}

// addSpans adds the spans of a sentence with their marginals: that of the span, exactly so long.
func (p *Labeler) addSpans(w *worker, res *Result, dec Search, sent int32, best []uint16, prob bool) {
	for _, s := range p.decoded(w, sent, best) {
		x := 0.0
		if prob {
			x = dec.SpanProb(int(s.First-1), best[s.First-1:s.Last], p.continues[s.Label])
		}
		res.Span(s, x, 1)
	}
}

// paths adds the spans of the n best labellings, each with the probability of its labelling.
func (p *Labeler) paths(w *worker, res *Result, dec Search, sent int32, n int) error {
	best, err := dec.NBest(n)
	if err != nil {
		return err
	}
	for i, x := range best {
		prob := dec.Prob(x.Labels)
		for _, s := range p.decoded(w, sent, x.Labels) {
			res.Span(s, prob, int32(i+1))
		}
	}
	return nil
}
