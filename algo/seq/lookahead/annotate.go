package lookahead

import (
	"context"
	"math"

	"parlance/algo/engine/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/numeric/buffer"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// worker annotates one document after the other.
type worker struct {
	extract *feature.Extractor
	rows    feature.Rows
	window  window
	naive   *searcher // nil to search by dynamic programming
	problem *labelling
	values  []float64
	chosen  []int     // labels, in the order of decisions
	prob    []float64 // of them
	names   []string
	spans   []text.Span
}

func newWorker(m *labels) *worker {
	w := &worker{values: make([]float64, len(m.Labels))}
	w.window.triple = m.triple
	w.problem = newLabelling(&w.window)
	return w
}

// annotateTags labels every sentence of the documents.
func (m *model) annotateTags(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.tags.workers.Get().(*worker)
	defer m.tags.workers.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error { return m.document(ctx, w, d, run) })
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	if w.naive = nil; m.opt.search == "naive" {
		w.naive = &searcher{p: w.problem}
	}
	w.extract, err = w.extract.Ready(m.tags.Alphabet, res)
	return err
}

func (m *model) document(ctx context.Context, w *worker, d *text.Document, run *kind.Run) error {
	res := m.tags.target.NewResult(d)
	for s := range kind.While(ctx, d.Sentences()) {
		if err := m.sentence(ctx, w, s.From, s.To, run.Prob); err != nil {
			return err
		}
		m.result(w, res, int32(s.Number))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	res.Set(run.Prob, false)
	return nil
}

// sentence chooses the labels of the items [from, to).
func (m *model) sentence(ctx context.Context, w *worker, from, to int, prob bool) error {
	m.load(w, from, to)
	n := to - from
	w.chosen, w.prob = buffer.Resize(w.chosen, n), buffer.Resize(w.prob, n)
	last, second := start, start
	for t := range n {
		if t&63 == 63 && ctx.Err() != nil {
			return ctx.Err()
		}
		var y int
		if prob || w.naive != nil {
			y = m.decide(w, t, last, second)
			w.prob[t] = m.share(w.values, y)
		} else {
			y = m.choose(w, t, last, second)
		}
		w.chosen[t] = y
		last, second = y, last
	}
	return nil
}

// load scores the labels of the items [from, to) in the order of decisions.
func (m *model) load(w *worker, from, to int) {
	n := to - from
	l := &w.window
	l.resize(len(m.tags.Labels), m.opt.depth, n)
	rules := m.tags.rules
	l.pair, l.maxima = m.tags.bound, m.tags.maxima[1]
	if !m.opt.constrained {
		l.pair, l.maxima, rules = m.tags.free, m.tags.maxima[0], nil
	}
	for t := range n {
		row := l.row(t)
		clear(row)
		m.score(w, m.item(from, to, t), row)
		rules.ends(row, t, n)
	}
}

// item is the item that is decided as the t-th of [from, to).
func (m *model) item(from, to, t int) int {
	if m.tags.reverse {
		return to - 1 - t
	}
	return from + t
}

// score adds the weights of an item to out, by label.
func (m *model) score(w *worker, item int, out []float64) {
	for _, a := range w.rows.Attrs[w.rows.Offsets[item]:w.rows.Offsets[item+1]] {
		labels, weights := m.tags.Chain.Row(a)
		for i, y := range labels {
			out[y] += weights[i]
		}
	}
}

// choose returns what decide does, and sets no values.
func (m *model) choose(w *worker, t, last, second int) int {
	y := w.window.choose(t, last, second, -1, 0)
	if m.tags.rules == nil || !m.opt.constrained ||
		!math.IsInf(w.window.out[y], -1) && (t+1 == w.window.n || w.window.depth == 0 ||
			!math.IsInf(w.window.first(last)[y], -1)) {
		return y
	}
	return m.decide(w, t, last, second)
}

// decide sets the values of the labels of token t and returns the best, the first of equals. Where
// the rules leave none, they are not kept.
func (m *model) decide(w *worker, t, last, second int) int {
	m.values(w, t, last, second)
	y := chain.Argmax(w.values)
	if math.IsInf(w.values[y], -1) {
		kept := w.window.pair
		w.window.pair = m.tags.free
		m.values(w, t, last, second)
		w.window.pair = kept
		for y := range w.values {
			if math.IsInf(w.values[y], -1) { // forbidden at an end
				w.values[y] = -math.MaxFloat64
			}
		}
		y = chain.Argmax(w.values)
	}
	return y
}

func (m *model) values(w *worker, t, last, second int) {
	if w.naive == nil {
		w.window.values(t, last, second, w.values)
		return
	}
	w.problem.at(t, last, second)
	for _, r := range w.naive.search(m.opt.depth) {
		w.values[r.action] = r.score + r.tail
	}
}

// share is the probability of the best choice: the softmax of the values in units of the margin,
//
//	p(y) = exp(v_y/C) / Σ_z exp(v_z/C),  C at least 1, times what Temper says
func (m *model) share(values []float64, y int) float64 {
	unit, sum := m.Unit(m.opt.margin), 0.0
	for _, v := range values {
		sum += math.Exp((v - values[y]) / unit)
	}
	return 1 / sum
}

// result adds the labels of a sentence to the result. The probability of a span is the product of
// those of the decisions on its tokens.
func (m *model) result(w *worker, res *tagger.Result, sent int32) {
	n := len(w.chosen)
	at := func(t int) int { return m.item(0, n, t) }
	if !m.tags.target.Spans() {
		for t := range n {
			res.Tag(m.tags.Labels[w.chosen[at(t)]], w.prob[at(t)])
		}
		return
	}
	w.names = w.names[:0]
	for t := range n {
		w.names = append(w.names, m.tags.Labels[w.chosen[at(t)]])
	}
	w.spans = m.tags.target.Scheme.Decode(w.spans[:0], sent, w.names)
	for _, s := range w.spans {
		p := 1.0
		for t := s.First - 1; t < s.Last; t++ {
			p *= w.prob[at(int(t))]
		}
		res.Span(s, p, 1)
	}
}
