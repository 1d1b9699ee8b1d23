package svmtagger

import (
	"context"
	"sync"

	"parlance/algo/bio"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/svm/machines"
	"parlance/algo/tagger"
	"parlance/algo/text"
)

// pool keeps what annotates, for concurrent use.
type pool struct {
	target tagger.Target
	merged []string // by class
	before []string // labels that features read
	number []int    // in before, by class
	free   *sync.Pool
}

// worker annotates one document after the other.
type worker struct {
	extract  *feature.Extractor
	classify *machines.Classifier
	rows     feature.Rows
	cols     []uint32 // of the token, joint ones among them
	last     int      // labels of the tokens before, in pool.before
	second   int
	names    []string
	prob     []float64
	spans    []text.Span
}

func (m *model) ready() (err error) {
	m.pool.free = &sync.Pool{New: func() any { return &worker{classify: m.machines.Classifier()} }}
	m.pool.merged = make([]string, len(m.labels))
	for i, l := range m.labels {
		m.pool.merged[i] = merge(l)
	}
	m.pool.before, m.pool.number = m.before(), make([]int, len(m.labels))
	for i := range m.labels {
		if m.pool.number[i] = i; m.machines.Label != nil {
			m.pool.number[i] = int(m.machines.Label[i])
		}
	}
	m.pool.target, err = m.target()
	return err
}

// before are the labels that features read: parts of O only where machines tell them apart.
func (m *model) before() []string {
	if m.machines.Label == nil {
		return m.labels
	}
	_, names := outcomes(m.labels)
	return names
}

func (w *worker) bind(m *model, res kind.Resources) (err error) {
	if w.extract == nil {
		w.extract, err = feature.NewExtractor(m.alphabet, res)
		return err
	}
	return w.extract.Bind(res)
}

// Annotate labels the tokens of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error { return m.tag(ctx, w, d, run.Prob) })
}

// start begins a sentence.
func (m *model) start(w *worker) { w.last, w.second = len(m.pool.before), len(m.pool.before) }

// load makes item i after the labels before it the one to classify.
func (m *model) load(w *worker, i int) {
	w.cols = w.cols[:0]
	for _, a := range w.rows.Attrs[w.rows.Offsets[i]:w.rows.Offsets[i+1]] {
		ok := true
		if m.joint != nil && m.joint.Reads(a) != 0 {
			a, ok = m.joint.Find(a, w.last, w.second)
		}
		if ok {
			w.cols = append(w.cols, a)
		}
	}
	w.classify.Load(w.cols, nil)
}

// choose labels the loaded item and moves on.
func (m *model) choose(w *worker) int {
	best := w.classify.Best()
	w.last, w.second = m.pool.number[best], w.last
	return best
}

// probability is that of a class with the other parts of O.
func (m *model) probability(w *worker, class int) float64 {
	p := w.classify.Probabilities()
	if m.pool.merged[class] != bio.Outside {
		return p[class]
	}
	sum := 0.0
	for c, name := range m.pool.merged {
		if name == bio.Outside {
			sum += p[c]
		}
	}
	return min(1, sum)
}

func (m *model) tag(ctx context.Context, w *worker, d *text.Document, prob bool) error {
	res := m.pool.target.NewResult(d)
	bounds := d.SentenceTokens()
	for s := 1; s < len(bounds); s++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.names, w.prob = w.names[:0], w.prob[:0]
		m.start(w)
		for t := bounds[s-1]; t < bounds[s]; t++ {
			if t&255 == 255 && ctx.Err() != nil { // a sentence may be long
				return ctx.Err()
			}
			m.load(w, int(t))
			class, p := m.choose(w), 0.0
			if prob {
				p = m.probability(w, class)
			}
			if !m.pool.target.Spans() {
				res.Tag(m.labels[class], p)
				continue
			}
			w.names, w.prob = append(w.names, m.pool.merged[class]), append(w.prob, p)
		}
		w.spans = spans(w.spans[:0], int32(s), w.names, m.opt.orphan == "open")
		for _, sp := range w.spans {
			p := 1.0 // of its labels, each after those chosen before it
			for t := sp.First - 1; t < sp.Last; t++ {
				p *= w.prob[t]
			}
			res.Span(sp, p, 1)
		}
	}
	res.Set(prob, false)
	return nil
}

// Explain compares the class of every asked token with the runner-up, after the labels chosen
// before it. The margin is how far the class is ahead, for pairwise machines the decision value of
// their machine; contributions are attributes of linear machines, else support vectors with their
// kernels.
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
		bounds, forms := d.SentenceTokens(), tagger.Forms(d)
		for s := 1; s < len(bounds); s++ {
			if at.Sent != 0 && at.Sent != s {
				continue
			}
			m.start(w)
			for t := bounds[s-1]; t < bounds[s]; t++ {
				tok := int(t-bounds[s-1]) + 1
				m.load(w, int(t))
				if at.Tok == 0 || at.Tok == tok {
					x := m.decision(w)
					x.Doc, x.Sent, x.Tok, x.Form = d.ID, s, tok, forms[t]
					out.Decisions = append(out.Decisions, x)
				}
				m.choose(w)
			}
		}
	}
	return out, nil
}

func (m *model) decision(w *worker) kind.Decision {
	own := w.classify.Best()
	return w.classify.Explain(own, m.probability(w, own), m.labels, w.cols, nil, m.name)
}
