package svm

import (
	"context"
	"sync"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// pool keeps what annotates, for concurrent use.
type pool struct {
	target tagger.Target
	free   *sync.Pool
}

// worker annotates one document after the other.
type worker struct{ reduction.Worker }

func (m *model) ready() (err error) {
	m.pool.free = &sync.Pool{New: func() any { return &worker{m.NewWorker()} }}
	if !m.opt.Classifies() {
		m.pool.target, err = m.opt.Target()
	}
	return err
}

// Annotate labels the documents or their tokens.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if m.foreign != nil {
		return m.foreign.Annotate(ctx, docs, run)
	}
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	return w.Each(ctx, &m.Trained, docs, run.Resources, func(d *text.Document) error {
		if m.opt.Classifies() {
			m.label(w, d, run.Prob)
			return nil
		}
		return w.Tag(ctx, d, m.pool.target, run.Prob, m.tagging(w, run.Prob))
	})
}

// load makes item i the one to classify and returns its columns and values.
func (w *worker) load(i int) ([]uint32, []float32) {
	from, to := w.Rows.Offsets[i], w.Rows.Offsets[i+1]
	cols, vals := w.Rows.Attrs[from:to], []float32(nil)
	if len(w.Rows.Values) > 0 {
		vals = plain(w.Rows.Values[from:to])
	}
	w.Classify.Load(cols, vals)
	return cols, vals
}

func (m *model) label(w *worker, d *text.Document, prob bool) {
	w.load(0)
	best := w.Classify.Best()
	l := text.NewLayer(text.Labels)
	l.N = 1
	l.SetStrs("label", []string{m.Labels[best]})
	if prob {
		l.Prob = []float64{min(1, w.Classify.Probabilities()[best])}
	}
	d.SetLayer(l)
}

// tagging labels tokens, each by itself.
func (m *model) tagging(w *worker, prob bool) reduction.Tagging {
	return reduction.Tagging{
		Label: func(item int) (string, float64) {
			w.load(item)
			best, p := w.Classify.Best(), 0.0
			if prob {
				p = min(1, w.Classify.Probabilities()[best])
			}
			return m.Labels[best], p
		},
		Decide: func(item int, asked bool) (x kind.Decision) {
			if asked {
				x = m.decision(w, item)
			}
			return x
		},
		Spans: m.pool.target.Scheme.Decode,
	}
}

// Explain compares the outcome with the runner-up, for each document or each asked token. The
// margin is how far the outcome is ahead, for pairs of classes the decision value of their machine;
// contributions are features of linear machines, else support vectors with their kernels.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (out kind.Explanation, err error) {
	if m.foreign != nil {
		return m.foreign.Explain(ctx, docs)
	}
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	err = w.Each(ctx, &m.Trained, docs, run.Resources, func(d *text.Document) error {
		if m.opt.Classifies() {
			x := m.decision(w, 0)
			x.Doc = d.ID
			out.Decisions = append(out.Decisions, x)
			return nil
		}
		out.Decisions = w.Explain(out.Decisions, d, at, m.tagging(w, true))
		return nil
	})
	return out, err
}

func (m *model) decision(w *worker, item int) kind.Decision {
	cols, vals := w.load(item)
	own := w.Classify.Best()
	return w.Classify.Explain(own, w.Classify.Probabilities()[own], m.Labels, cols, vals, m.name)
}
