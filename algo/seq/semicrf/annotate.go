package semicrf

import (
	"context"
	"math"
	"sync"

	"parlance/algo/engine/semimarkov"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/expectation"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// worker annotates one document after the other.
type worker struct {
	x     *extraction
	chart *semimarkov.Chart
	no    numbering
	path  []semimarkov.Segment
	// of the sentence loaded
	seq semimarkov.Sequence
}

// ready prepares annotation with trained weights.
func (m *model) ready() (err error) {
	if m.space == nil {
		if m.space, err = m.labels.engine(); err != nil {
			return err
		}
	}
	m.wholeIndex = make(map[string]uint32, len(m.wholes))
	for i, n := range m.wholes {
		m.wholeIndex[n] = uint32(i)
	}
	m.free = &sync.Pool{}
	_, err = m.triggers()
	return err
}

// triggers are those of the constraints, nil without any.
func (m *model) triggers() (*expectation.Triggers, error) {
	if len(m.reached) == 0 {
		return nil, nil
	}
	list := make([]expectation.Constraint, len(m.reached))
	for i, r := range m.reached {
		list[i] = r.Constraint
	}
	return expectation.NewTriggers(list)
}

// worker takes one from the pool, or makes one.
func (m *model) worker(res kind.Resources) (*worker, error) {
	if w, ok := m.free.Get().(*worker); ok {
		return w, w.x.bind(m, res)
	}
	triggers, err := m.triggers()
	if err != nil {
		return nil, err
	}
	x, err := m.extraction(&m.alphabets, triggers, res)
	if err != nil {
		return nil, err
	}
	w := &worker{x: x, chart: semimarkov.NewChart(m.layout), no: m.numbering(triggers, m.layout.Longest)}
	return w, w.chart.SetWeights(m.w)
}

// Annotate writes the segments of every sentence of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w, err := m.worker(run.Resources)
	if err != nil {
		return err
	}
	defer m.free.Put(w)
	target, err := m.target()
	if err != nil {
		return err
	}
	for _, d := range docs {
		res := target.NewResult(d)
		err := m.sentences(ctx, w, d, kind.At{}, func(sent int,
			forms []string) error {
			return m.add(ctx, w, res, int32(sent), run)
		})
		if err != nil {
			return err
		}
		res.Set(run.Prob || run.NBest > 1, run.NBest > 1)
	}
	return nil
}

// sentences loads the sentences of a document that are asked for and calls f with each.
func (m *model) sentences(ctx context.Context, w *worker, d *text.Document, at kind.At,
	f func(sent int, forms []string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	toks := d.Layer("tokens")
	if toks == nil {
		return nil
	}
	for i, e := range w.x.extractors {
		w.x.rows[i].Reset()
		if e == nil {
			continue
		}
		if err := e.ExtractUntil(ctx, d, &w.x.rows[i]); err != nil {
			return err
		}
	}
	forms, bounds := tagger.Forms(d), d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		from, to := int(bounds[s-1]), int(bounds[s])
		if from == to || at.Sent != 0 && at.Sent != s {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.x.hits = w.x.hits[:0]
		if w.x.triggers != nil {
			w.x.hits = w.x.triggers.Match(w.x.hits, forms[from:to], w.x.phrases)
		}
		w.seq = w.x.sequence(from, to-from, w.x.hits, &w.no)
		w.seq.Whole = w.x.wholesOf(forms[from:to], m.layout.Longest, m.opt.identity, m.wholeIndex, w.no.wholes)
		if err := w.chart.Load(ctx, &w.seq, nil, nil); err != nil {
			return err
		}
		if err := f(s, forms[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// add adds the best segments of the sentence loaded, or those of the n best segmentations with their probability.
func (m *model) add(ctx context.Context, w *worker, res *tagger.Result, sent int32, run *kind.Run) error {
	graph := w.chart.Graph()
	if run.NBest <= 1 {
		best, err := graph.Best()
		if err != nil {
			return err
		}
		for _, k := range best.Spans {
			s := w.chart.Spans()[k]
			if name := m.labels.Names[s.Label]; name != bio.Outside {
				prob := 0.0
				if run.Prob {
					prob = graph.Prob(int(k))
				}
				res.Span(text.Span{Sent: sent, First: s.Start + 1, Last: s.End, Label: name}, prob, 1)
			}
		}
		return nil
	}
	list, err := graph.NBest(ctx, run.NBest)
	if err != nil {
		return err
	}
	for rank, p := range list {
		prob := math.Exp(min(0, p.Score-graph.LogZ()))
		w.path = w.chart.Segments(w.path[:0], p)
		for _, s := range w.path {
			if name := m.labels.Names[s.Label]; name != bio.Outside {
				res.Span(text.Span{Sent: sent, First: s.Start + 1, Last: s.End, Label: name}, prob, int32(rank+1))
			}
		}
	}
	return nil
}
