package svmtagger

import (
	"context"
	"sync"

	"parlance/algo/classify/svm/reduction"
	"parlance/algo/kind"
	"parlance/algo/seq/bio"
	"parlance/algo/seq/tagger"
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
	reduction.Worker
	cols   []uint32 // of the token, joint ones among them
	last   int      // labels of the tokens before, in pool.before
	second int
}

func (m *model) ready() (err error) {
	m.pool.free = &sync.Pool{New: func() any { return &worker{Worker: m.NewWorker()} }}
	m.pool.merged = make([]string, len(m.Labels))
	for i, l := range m.Labels {
		m.pool.merged[i] = merge(l)
	}
	m.pool.before, m.pool.number = m.before(), make([]int, len(m.Labels))
	for i := range m.Labels {
		if m.pool.number[i] = i; m.Machines.Label != nil {
			m.pool.number[i] = int(m.Machines.Label[i])
		}
	}
	m.pool.target, err = m.opt.Target()
	return err
}

// before are the labels that features read: parts of O only where machines tell them apart.
func (m *model) before() []string {
	if m.Machines.Label == nil {
		return m.Labels
	}
	_, names := outcomes(m.Labels)
	return names
}

// Annotate labels the tokens of the documents.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	return w.Each(ctx, &m.Trained, docs, run.Resources, func(d *text.Document) error {
		return w.Tag(ctx, d, m.pool.target, run.Prob, m.tagging(w, run.Prob))
	})
}

// start begins a sentence.
func (m *model) start(w *worker) { w.last, w.second = len(m.pool.before), len(m.pool.before) }

// load makes item i after the labels before it the one to classify.
func (m *model) load(w *worker, i int) {
	w.cols = w.cols[:0]
	for _, a := range w.Rows.Attrs[w.Rows.Offsets[i]:w.Rows.Offsets[i+1]] {
		ok := true
		if m.joint != nil && m.joint.Reads(a) != 0 {
			a, ok = m.joint.Find(a, w.last, w.second)
		}
		if ok {
			w.cols = append(w.cols, a)
		}
	}
	w.Classify.Load(w.cols, nil)
}

// choose labels the loaded item and moves on.
func (m *model) choose(w *worker) int {
	best := w.Classify.Best()
	w.last, w.second = m.pool.number[best], w.last
	return best
}

// probability is that of a class with the other parts of O.
func (m *model) probability(w *worker, class int) float64 {
	p := w.Classify.Probabilities()
	if m.pool.merged[class] != bio.Outside {
		return min(1, p[class])
	}
	sum := 0.0
	for c, name := range m.pool.merged {
		if name == bio.Outside {
			sum += p[c]
		}
	}
	return min(1, sum)
}

// tagging labels tokens, each after the labels chosen before it.
func (m *model) tagging(w *worker, prob bool) reduction.Tagging {
	return reduction.Tagging{
		Start: func() { m.start(w) },
		Label: func(item int) (string, float64) {
			m.load(w, item)
			class, p := m.choose(w), 0.0
			if prob {
				p = m.probability(w, class)
			}
			return m.pool.merged[class], p
		},
		Decide: func(item int, asked bool) (x kind.Decision) {
			if m.load(w, item); asked {
				x = m.decision(w)
			}
			m.choose(w)
			return x
		},
		Spans: func(dst []text.Span, sent int32, labels []string) []text.Span {
			return spans(dst, sent, labels, m.opt.orphan == "open")
		},
	}
}

// Explain compares the class of every asked token with the runner-up, after the labels chosen
// before it. The margin is how far the class is ahead, for pairwise machines the decision value of
// their machine; contributions are attributes of linear machines, else support vectors with their
// kernels.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (out kind.Explanation, err error) {
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	err = w.Each(ctx, &m.Trained, docs, run.Resources, func(d *text.Document) error {
		out.Decisions = w.Explain(out.Decisions, d, at, m.tagging(w, true))
		return nil
	})
	return out, err
}

func (m *model) decision(w *worker) kind.Decision {
	own := w.Classify.Best()
	return w.Classify.Explain(own, m.probability(w, own), m.Labels, w.cols, nil, m.name)
}
