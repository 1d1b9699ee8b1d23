package nonlocal

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// pool keeps what annotates, for concurrent use.
type pool struct {
	target tagger.Target
	scheme *scheme
	rules  *chain.Constraints
	groups []group
	free   sync.Pool
}

// worker annotates one document after the other.
type worker struct {
	extract *feature.Extractor
	rows    feature.Rows
	tab     table // local scores that find labellings
	choose  table // local scores that choose among them, of reranking by them
	find    search
	counter *counter
	words   *wording
	entries []entry
	labels  []uint16
	scores  []float64 // total, by labelling
	order   []int     // labellings by falling total score
	spans   []text.Span
	list    []entity
}

// ready prepares labelling.
func (m *model) ready() error {
	t, err := m.opt.Target()
	if err != nil {
		return err
	}
	p := &pool{target: t, scheme: newScheme(m.Labels), groups: m.groups()}
	if m.opt.constrained {
		p.rules = m.opt.Rules(m.Labels)
	}
	p.free.New = func() any { return &worker{counter: newCounter(p.scheme, p.groups)} }
	m.pool = p
	return nil
}

// Annotate labels the documents. Of n best outputs, the rank and the probability are those of
// labellings of the unit. Probabilities are p(y) ∝ exp(score/C) over the candidates, with the margin
// C or at least 1, times what Temper says; that of a span is the sum over those that have it.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		res := m.pool.target.NewResult(d)
		for _, p := range m.pieces(d) {
			if err := m.search(ctx, w, d, p, m.many(run)); err != nil {
				return err
			}
			m.spans(w, res, d, p, run)
		}
		res.Set(run.Prob || run.NBest > 1, run.NBest > 1)
		return nil
	})
}

// many is how many labellings an answer needs.
func (m *model) many(run *kind.Run) int {
	if run.Prob {
		return m.opt.predict
	}
	return run.NBest
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	w.extract, err = w.extract.Ready(m.Alphabet, res)
	return err
}

// fill scores a piece by weights.
func (m *model) fill(b *table, w *worker, p piece, weights *chain.Model) {
	l := len(m.Labels)
	b.resize(l, p.to-p.from, m.same(w, p))
	add := func(attr uint32, out []float64) {
		labels, values := weights.Row(attr)
		for i, y := range labels {
			out[y] += values[i]
		}
	}
	for t := range b.n {
		for _, a := range w.attrs(p.from + t) {
			switch {
			case m.Joint.Reads(a) == 0:
				add(a, b.nodes(t))
			case t == 0:
				if id, ok := m.Joint.Find(a, l, l); ok {
					add(id, b.nodes(t))
				}
			case t == 1 || b.stride > 0:
				for j := range l {
					if id, ok := m.Joint.Find(a, j, l); ok {
						add(id, b.edges(t, j))
					}
				}
			}
		}
	}
}

func (w *worker) attrs(item int) []uint32 {
	return w.rows.Attrs[w.rows.Offsets[item]:w.rows.Offsets[item+1]]
}

// same tells whether all tokens but the first read the label before in the same way.
func (m *model) same(w *worker, p piece) bool {
	var first, now []uint32
	for t := p.from + 1; t < p.to; t++ {
		now = now[:0]
		for _, a := range w.attrs(t) {
			if m.Joint.Reads(a) != 0 {
				now = append(now, a)
			}
		}
		if t == p.from+1 {
			first = append(first, now...)
		} else if !slices.Equal(first, now) {
			return false
		}
	}
	return true
}

// search finds the labellings of a piece and ranks them by total score: many where local features
// alone decide.
func (m *model) search(ctx context.Context, w *worker, d *text.Document, p piece, many int) error {
	w.words = p.wording(d, m.opt.foldCase)
	n := m.opt.predict
	if len(m.beyond) == 0 && m.second == nil {
		n = min(n, max(1, many))
	}
	m.fill(&w.tab, w, p, m.Chain)
	if m.pool.rules != nil {
		forbid(&w.tab, m.pool.rules, p.starts)
	}
	found := w.find.find(ctx, &w.tab, n)
	if found == 0 && ctx.Err() == nil { // the rules leave nothing
		m.fill(&w.tab, w, p, m.Chain)
		found = w.find.find(ctx, &w.tab, n)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.second != nil {
		m.fill(&w.choose, w, p, m.second)
	}
	w.scores, w.order = w.scores[:0], w.order[:0]
	for k := range found {
		w.scores, w.order = append(w.scores, m.total(w, k)), append(w.order, k)
	}
	slices.SortStableFunc(w.order, func(a, b int) int { return cmp.Compare(w.scores[b], w.scores[a]) })
	return nil
}

// total is the total score of labelling k, which it leaves in w.labels.
func (m *model) total(w *worker, k int) float64 {
	w.labels = w.find.Labels(k, w.labels)
	s := m.scale * w.find.Score(k)
	if m.second != nil {
		s += w.choose.score(w.labels)
	}
	return s + m.beyondScore(w, w.labels)
}

func (m *model) beyondScore(w *worker, y []uint16) float64 {
	if len(m.beyond) == 0 {
		return 0
	}
	s := 0.0
	w.entries = w.counter.features(w.words, y, w.entries[:0])
	for _, e := range w.entries {
		s += e.value * m.beyond[e.id]
	}
	return s
}

// prob is the probability of labelling k among those found.
func (m *model) prob(w *worker, k int) float64 {
	top, sum := w.scores[w.order[0]], 0.0
	for _, s := range w.scores {
		sum += math.Exp((s - top) / m.Unit(m.margin))
	}
	return math.Exp((w.scores[k]-top)/m.Unit(m.margin)) / sum
}

// spans adds the spans of a piece: those of the best labelling, or of the n best.
func (m *model) spans(w *worker, res *tagger.Result, d *text.Document, p piece, run *kind.Run) {
	if run.NBest > 1 {
		for i, k := range w.order[:min(run.NBest, len(w.order))] {
			prob := m.prob(w, k)
			for _, s := range m.decoded(w, p, w.find.Labels(k, w.labels)) {
				res.Span(s, prob, int32(i+1))
			}
		}
		return
	}
	probs := map[entity]float64{}
	if run.Prob {
		for k := range w.scores {
			x := m.prob(w, k)
			w.list = m.pool.scheme.entities(w.find.Labels(k, w.labels), p.starts, w.list[:0])
			for _, e := range w.list {
				probs[e] += x
			}
		}
	}
	best := w.find.Labels(w.order[0], w.labels)
	w.list = m.pool.scheme.entities(best, p.starts, w.list[:0])
	for i, s := range m.decoded(w, p, best) {
		res.Span(s, min(1, probs[w.list[i]]), 1)
	}
}

// decoded are the spans of labels, sentence by sentence.
func (m *model) decoded(w *worker, p piece, y []uint16) []text.Span {
	w.list = m.pool.scheme.entities(y, p.starts, w.list[:0])
	w.spans = w.spans[:0]
	s := 0
	for _, e := range w.list {
		for s+1 < len(p.starts) && p.starts[s+1] <= e.from {
			s++
		}
		w.spans = append(w.spans, text.Span{Sent: p.numbers[s], First: e.from - p.starts[s] + 1, Last: e.to - p.starts[s],
			Label: m.pool.scheme.classes[e.class]})
	}
	return w.spans
}
