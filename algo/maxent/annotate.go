package maxent

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync"

	"parlance/algo/bio"
	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/tagger"
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
	scores  []float64 // of the item, by label
	local   []float64 // log p(label | item, label before), by token, label before (start last) and label
	alpha   []float64 // p(label of token | x), by token and label
	best    []float64
	back    []uint16
	path    []uint16
	names   []string
	spans   []text.Span
}

func (p *pool) prepare(m *model) error {
	p.free = &sync.Pool{New: func() any { return &worker{scores: make([]float64, len(m.Labels))} }}
	if m.classifies() {
		return nil
	}
	t, err := m.target()
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
	if run.NBest > 1 && !m.classifies() {
		return fmt.Errorf("maxent finds the best labels of tokens only; nbest is for labels of documents")
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
		w.rows.Reset()
		if err := w.extract.ExtractUntil(ctx, d, &w.rows); err != nil {
			return err
		}
		if m.classifies() {
			m.classify(w, d, run)
			continue
		}
		if err := m.tag(ctx, w, d, run); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	if w.extract == nil {
		w.extract, err = feature.NewExtractor(m.Alphabet, res)
		return err
	}
	return w.extract.Bind(res)
}

// score sums the weights of an item: s[y] = Σ_a value_a·w[a, y].
func (m *model) score(w *worker, item int) {
	clear(w.scores)
	for k := w.rows.Offsets[item]; k < w.rows.Offsets[item+1]; k++ {
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
	m.score(w, 0)
	normalise(w.scores)
	order := make([]int, len(m.Labels))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return w.scores[order[i]] > w.scores[order[j]] })
	n := min(max(1, run.NBest), len(order))
	l := text.NewLayer(text.Labels)
	l.N = n
	names := make([]string, n)
	for i, y := range order[:n] {
		names[i] = m.Labels[y]
		if run.Prob || run.NBest > 1 {
			l.Prob = append(l.Prob, math.Exp(w.scores[y]))
		}
		if run.NBest > 1 {
			l.Rank = append(l.Rank, int32(i+1))
		}
	}
	l.SetStrs("label", names)
	d.SetLayer(l)
}

// tag labels the tokens of a document.
func (m *model) tag(ctx context.Context, w *worker, d *text.Document, run *kind.Run) error {
	res := m.pool.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] {
			continue
		}
		if s&31 == 0 && ctx.Err() != nil { // a document may be long
			return ctx.Err()
		}
		m.sentence(w, int(bounds[s-1]), int(bounds[s]))
		if run.Prob {
			m.forward(w)
		}
		if !m.pool.target.Spans() {
			for t, l := range w.path {
				res.Tag(m.Labels[l], m.marginal(w, t, int(l), run.Prob))
			}
			continue
		}
		w.names = w.names[:0]
		for _, l := range w.path {
			w.names = append(w.names, m.Labels[l])
		}
		w.spans = m.pool.target.Scheme.Decode(w.spans[:0], int32(s), w.names)
		for _, sp := range w.spans {
			res.Span(sp, m.spanProb(w, sp, run.Prob), 1)
		}
	}
	res.Set(run.Prob, false)
	return nil
}

func (m *model) marginal(w *worker, t, label int, prob bool) float64 {
	if !prob {
		return 0
	}
	return w.alpha[t*len(m.Labels)+label]
}

// at is log p(label | token t, label before); before is the number of labels at the start.
func (w *worker) at(labels, t, before, label int) float64 {
	return w.local[(t*(labels+1)+before)*labels+label]
}

// sentence fills w.local and finds the best path: argmax Π_t p(y_t | x_t, y_{t−1}).
func (m *model) sentence(w *worker, from, to int) {
	n, labels := to-from, len(m.Labels)
	w.local = resize(w.local, n*(labels+1)*labels)
	for t := range n {
		m.score(w, from+t)
		for before := range labels + 1 {
			row := w.local[(t*(labels+1)+before)*labels:][:labels]
			copy(row, w.scores)
			if m.history() {
				ys, ws := m.Chain.Row(uint32(m.Alphabet.Len() + before))
				for i, y := range ys {
					row[y] += ws[i]
				}
			}
			normalise(row)
		}
	}
	m.viterbi(w, n, m.pool.rules)
	if math.IsInf(w.best[(n-1)*labels+int(w.path[n-1])], -1) {
		m.viterbi(w, n, nil) // the constraints leave no path
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

func (m *model) viterbi(w *worker, n int, rules *chain.Constraints) {
	labels := len(m.Labels)
	w.best, w.back, w.path = resize(w.best, n*labels), resize(w.back, n*labels), resize(w.path, n)
	for t := range n {
		for y := range labels {
			top, arg := math.Inf(-1), 0
			if t == 0 {
				if rules == nil || rules.AllowedStart(y) {
					top = w.at(labels, 0, labels, y)
				}
			} else {
				for b := range labels {
					if rules != nil && !rules.Allowed(b, y) {
						continue
					}
					if s := w.best[(t-1)*labels+b] + w.at(labels, t, b, y); s > top {
						top, arg = s, b
					}
				}
			}
			if t == n-1 && rules != nil && !rules.AllowedEnd(y) {
				top = math.Inf(-1)
			}
			w.best[t*labels+y], w.back[t*labels+y] = top, uint16(arg)
		}
	}
	last := 0
	for y := range labels {
		if w.best[(n-1)*labels+y] > w.best[(n-1)*labels+last] {
			last = y
		}
	}
	for t := n - 1; t >= 0; t-- {
		w.path[t] = uint16(last)
		last = int(w.back[t*labels+last])
	}
}

// forward fills w.alpha: p(y_t) = Σ_b p(y_{t−1} = b)·p(y_t | x_t, b). Later tokens do not
// matter, for each step is normalised.
func (m *model) forward(w *worker) {
	n, labels := len(w.path), len(m.Labels)
	w.alpha = resize(w.alpha, n*labels)
	clear(w.alpha)
	for t := range n {
		for y := range labels {
			if t == 0 {
				w.alpha[y] = math.Exp(w.at(labels, 0, labels, y))
				continue
			}
			for b := range labels {
				w.alpha[t*labels+y] += w.alpha[(t-1)*labels+b] * math.Exp(w.at(labels, t, b, y))
			}
		}
	}
}

// spanProb is the probability that the tokens of a span have exactly their labels and the
// token after it does not continue it.
func (m *model) spanProb(w *worker, s text.Span, prob bool) float64 {
	if !prob {
		return 0
	}
	labels, first, last := len(m.Labels), int(s.First-1), int(s.Last-1)
	p := w.alpha[first*labels+int(w.path[first])]
	for t := first + 1; t <= last; t++ {
		p *= math.Exp(w.at(labels, t, int(w.path[t-1]), int(w.path[t])))
	}
	if last+1 < len(w.path) {
		rest := 1.0
		for _, y := range m.pool.continues[s.Label] {
			rest -= math.Exp(w.at(labels, last+1, int(w.path[last]), int(y)))
		}
		p *= max(0, rest)
	}
	return p
}
