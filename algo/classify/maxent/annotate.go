package maxent

import (
	"context"
	"math"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/labelhistory"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// pool keeps what annotates, for concurrent use.
type pool struct {
	target    tagger.Target
	rules     *chain.Constraints
	continues map[string][]uint16
	free      *sync.Pool
}

// worker annotates one document after the other. It works on L labels.
type worker struct {
	extract *feature.Extractor
	rows    feature.Rows
	scorer  *labelhistory.Scorer
	decoder labelhistory.Decoder
	scores  []float64 // of the item, by label
	alpha   []float64 // p(labels of tokens | x); see forward
	path    []uint16
	names   []string
	spans   []text.Span
}

func (p *pool) prepare(m *model) error {
	p.free = &sync.Pool{New: func() any {
		return &worker{scores: make([]float64, len(m.Labels)), scorer: m.Scorer(),
			decoder: labelhistory.Decoder{Adjust: normalise, Rules: p.rules}}
	}}
	if m.opt.Classifies() {
		return nil
	}
	t, err := m.opt.Target()
	if err != nil {
		return err
	}
	p.target, p.continues = t, map[string][]uint16{}
	if m.opt.Constrained && t.Spans() {
		p.rules = t.Scheme.Constraints(m.Labels)
	}
	for _, l := range m.Labels {
		if _, what := bio.Split(l); what != "" && p.continues[what] == nil {
			p.continues[what] = bio.Continuing(m.Labels, what)
		}
	}
	return nil
}

// Annotate labels the documents or their tokens.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) (err error) {
	if m.foreign != nil {
		return m.foreign.Annotate(ctx, docs, run)
	}
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		switch {
		case m.opt.multilabel:
			m.assign(w, d, run)
		case m.opt.Classifies():
			m.classify(w, d, run)
		default:
			return m.tag(ctx, w, d, run)
		}
		return nil
	})
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	w.extract, err = w.extract.Ready(m.Alphabet, res)
	return err
}

// score sums the weights of a document: s[y] = Σ_a value_a·w[a, y].
func (m *model) score(w *worker) {
	clear(w.scores)
	for k := w.rows.Offsets[0]; k < w.rows.Offsets[1]; k++ {
		v := 1.0
		if len(w.rows.Values) > 0 {
			v = float64(w.rows.Values[k])
		}
		labels, weights := m.Chain.Row(w.rows.Attrs[k])
		for i, l := range labels {
			w.scores[l] += v * weights[i]
		}
	}
}

// normalise turns scores into log probabilities: s − log Σ exp s.
func normalise(s []float64) {
	top := math.Inf(-1)
	for _, x := range s {
		top = max(top, x)
	}
	sum := 0.0
	for _, x := range s {
		sum += math.Exp(x - top)
	}
	z := top + math.Log(sum)
	for i := range s {
		s[i] -= z
	}
}

// classify labels one document with the most probable label, or the n most probable.
func (m *model) classify(w *worker, d *text.Document, run *kind.Run) {
	m.score(w)
	normalise(w.scores)
	order := make([]int, len(m.Labels))
	tagger.ByScore(order, w.scores)
	tagger.LabelDocument(d, m.Labels, order, w.scores, run)
}

// assign gives a document the labels whose probability is above the threshold, in the order of
// their first occurrence in training.
func (m *model) assign(w *worker, d *text.Document, run *kind.Run) {
	m.score(w)
	l := text.NewLayer(text.Labels)
	names := []string{}
	for y, s := range w.scores {
		if p := sigmoid(s); p > m.opt.threshold {
			names = append(names, m.Labels[y])
			if run.Prob {
				l.Prob = append(l.Prob, p)
			}
		}
	}
	l.N = len(names)
	l.SetStrs("label", names)
	d.SetLayer(l)
}

func sigmoid(s float64) float64 { return 1 / (1 + math.Exp(-s)) }
