package svm

import (
	"context"
	"sync"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/svm/machines"
	"parlance/algo/tagger"
	"parlance/algo/text"
)

// pool keeps what annotates, for concurrent use.
type pool struct {
	target tagger.Target
	free   *sync.Pool
}

// worker annotates one document after the other.
type worker struct {
	extract  *feature.Extractor
	classify *machines.Classifier
	rows     feature.Rows
	prob     []float64
	names    []string
	spans    []text.Span
}

func (m *model) ready() (err error) {
	m.pool.free = &sync.Pool{New: func() any { return &worker{classify: m.machines.Classifier()} }}
	if !m.classifies() {
		m.pool.target, err = m.target()
	}
	return err
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	if w.extract == nil {
		w.extract, err = feature.NewExtractor(m.alphabet, res)
		return err
	}
	return w.extract.Bind(res)
}

// Annotate labels the documents or their tokens.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		if m.classifies() {
			m.label(w, d, run.Prob)
			return nil
		}
		return m.tag(ctx, w, d, run.Prob)
	})
}

// load makes item i the one to classify and returns its columns and values.
func (w *worker) load(i int) ([]uint32, []float32) {
	from, to := w.rows.Offsets[i], w.rows.Offsets[i+1]
	cols, vals := w.rows.Attrs[from:to], []float32(nil)
	if len(w.rows.Values) > 0 {
		vals = plain(w.rows.Values[from:to])
	}
	w.classify.Load(cols, vals)
	return cols, vals
}

func (m *model) label(w *worker, d *text.Document, prob bool) {
	w.load(0)
	best := w.classify.Best()
	l := text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{m.labels[best]})
	if prob {
		l.Prob = []float64{w.classify.Probabilities()[best]}
	}
	d.SetLayer(l)
}

// tag labels the tokens of a document, each by itself.
func (m *model) tag(ctx context.Context, w *worker, d *text.Document, prob bool) error {
	res := m.pool.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		w.names, w.prob = w.names[:0], w.prob[:0]
		for t := bounds[s-1]; t < bounds[s]; t++ {
			w.load(int(t))
			best, p := w.classify.Best(), 0.0
			if prob {
				p = w.classify.Probabilities()[best]
			}
			if !m.pool.target.Spans() {
				res.Tag(m.labels[best], p)
				continue
			}
			w.names, w.prob = append(w.names, m.labels[best]), append(w.prob, p)
		}
		if !m.pool.target.Spans() || len(w.names) == 0 {
			continue
		}
		w.spans = m.pool.target.Scheme.Decode(w.spans[:0], int32(s), w.names)
		for _, sp := range w.spans {
			p := 1.0 // of its labels, as if tokens were independent
			for t := sp.First - 1; t < sp.Last; t++ {
				p *= w.prob[t]
			}
			res.Span(sp, p, 1)
		}
	}
	res.Set(prob, false)
	return nil
}

// Explain compares the outcome with the runner-up, for each document or each asked token. The
// margin is how far the outcome is ahead, for pairs of classes the decision value of their machine;
// contributions are features of linear machines, else support vectors with their kernels.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return out, err
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		w.rows.Reset()
		w.extract.Extract(d, &w.rows)
		if m.classifies() {
			x := m.decision(w, 0)
			x.Doc = d.ID
			out.Decisions = append(out.Decisions, x)
			continue
		}
		bounds, forms := d.SentenceTokens(), tagger.Forms(d)
		for s := 1; s < len(bounds); s++ {
			for t := bounds[s-1]; t < bounds[s]; t++ {
				tok := int(t-bounds[s-1]) + 1
				if at.Sent != 0 && at.Sent != s || at.Tok != 0 && at.Tok != tok {
					continue
				}
				x := m.decision(w, int(t))
				x.Doc, x.Sent, x.Tok, x.Form = d.ID, s, tok, forms[t]
				out.Decisions = append(out.Decisions, x)
			}
		}
	}
	return out, nil
}

func (m *model) decision(w *worker, item int) kind.Decision {
	cols, vals := w.load(item)
	own := w.classify.Best()
	return w.classify.Explain(own, w.classify.Probabilities()[own], m.labels, cols, vals, m.name)
}
