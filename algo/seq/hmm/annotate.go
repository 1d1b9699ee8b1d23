package hmm

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// pool keeps decoders for concurrent use.
type pool struct {
	target    tagger.Target
	continues map[string][]uint16
	free      *sync.Pool
}

// worker annotates one document after the other.
type worker struct {
	decode *chain.Decoder
	plain  *chain.Decoder // without constraints, for sentences that they leave no labelling
	o      []uint32       // symbols of the sentence
	scores []float64
	names  []string
	spans  []text.Span
}

// ready prepares decoding.
func (m *model) ready() error {
	t, err := m.target()
	if err != nil {
		return err
	}
	if m.chain, err = m.markov.chain(); err != nil {
		return fmt.Errorf("%w: %w", kind.ErrCorrupt, err)
	}
	m.pool = pool{target: t, continues: map[string][]uint16{}, free: &sync.Pool{}}
	var rules *chain.Constraints
	if m.opt.constrained && t.Spans() {
		rules = t.Scheme.Constraints(m.labels)
	}
	for _, l := range m.labels {
		if _, what := bio.Split(l); what != "" && m.pool.continues[what] == nil {
			m.pool.continues[what] = bio.Continuing(m.labels, what)
		}
	}
	d, err := m.chain.NewDecoder(rules)
	if err != nil {
		return err
	}
	plain, err := m.chain.NewDecoder(nil)
	if err != nil {
		return err
	}
	m.pool.free.New = func() any { return &worker{decode: d.Clone(), plain: plain.Clone()} }
	return nil
}

// Annotate labels every sentence of the documents with the most probable labels or states.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.annotate(ctx, w, d, run.Prob); err != nil {
			return err
		}
	}
	return nil
}

// sentence loads words and returns the decoder to ask.
func (m *model) sentence(w *worker, words []string) (*chain.Decoder, []uint16, error) {
	w.o = w.o[:0]
	for _, f := range words {
		w.o = append(w.o, m.symbols.of(f))
	}
	w.scores = m.markov.scores(w.scores, w.o)
	for _, d := range []*chain.Decoder{w.decode, w.plain} {
		if err := d.LoadScores(w.scores); err != nil {
			return nil, nil, err
		}
		best, _, err := d.Viterbi()
		if !errors.Is(err, chain.ErrNoPath) {
			return d, best, err
		}
	}
	return nil, nil, chain.ErrNoPath
}

func (m *model) annotate(ctx context.Context, w *worker, d *text.Document, prob bool) error {
	res, forms, bounds := m.pool.target.NewResult(d), tagger.Forms(d), d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		dec, best, err := m.sentence(w, forms[bounds[s-1]:bounds[s]])
		if err != nil {
			return err
		}
		w.names = w.names[:0]
		for t, y := range best {
			if w.names = append(w.names, m.labels[y]); m.pool.target.Spans() {
				continue
			}
			p := 0.0
			if prob {
				p = dec.Marginal(t, int(y))
			}
			res.Tag(m.labels[y], p)
		}
		if !m.pool.target.Spans() {
			continue
		}
		w.spans = m.pool.target.Scheme.Decode(w.spans[:0], int32(s), w.names)
		for _, sp := range w.spans {
			p := 0.0
			if prob {
				p = dec.SpanProb(int(sp.First-1), best[sp.First-1:sp.Last], m.pool.continues[sp.Label])
			}
			res.Span(sp, p, 1)
		}
	}
	res.Set(prob, false)
	return nil
}

// Explain compares, at every asked token, the label of the best labelling with the most probable
// other one, the neighbouring labels as they are. Contributions are differences of logarithms of
// probabilities.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, _ *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		forms := tagger.Forms(d)
		for s := range at.Sentences(d) {
			dec, best, err := m.sentence(w, forms[s.From:s.To])
			if err != nil {
				return out, err
			}
			for t := range best {
				if at.Token(t + 1) {
					x := m.decision(w, dec, best, t)
					x.Doc, x.Sent, x.Tok, x.Form = d.ID, s.Number, t+1, forms[s.From+t]
					out.Decisions = append(out.Decisions, x)
				}
			}
		}
	}
	return out, nil
}

func (m *model) decision(w *worker, dec *chain.Decoder, best []uint16, t int) kind.Decision {
	own := int(best[t])
	out := kind.Decision{Outcome: m.labels[own], Prob: dec.Marginal(t, own)}
	other, top := -1, -1.0
	for l := range m.labels {
		if p := dec.Marginal(t, l); l != own && p > top {
			other, top = l, p
		}
	}
	if other < 0 {
		return out
	}
	trained := tagger.Trained{Labels: m.labels}
	c := trained.Contrast(&out, own, other)
	if v := w.o[t]; v != unknown {
		row := m.markov.emit[int(v)*m.markov.states:]
		c.Add("form[0]="+m.symbols.name(v), 1, logOf(row[own])-logOf(row[other]))
	}
	if t == 0 {
		c.Add("label[-1]=start", 1, logOf(m.markov.start[own])-logOf(m.markov.start[other]))
	} else {
		before := int(best[t-1])
		c.Add("label[-1]="+m.labels[before], 1, m.chain.Transition(before, own)-m.chain.Transition(before, other))
	}
	if t+1 < len(best) {
		after := int(best[t+1])
		c.Add("label[1]="+m.labels[after], 1, m.chain.Transition(own, after)-m.chain.Transition(other, after))
	}
	c.Sort()
	return out
}
