package tagger

import (
	"context"
	"math"
	"sort"
	"sync"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Classifier labels documents by the sums of their weights, for concurrent use. Probabilities are
// p(y|x) ∝ exp(score/T), whatever the weights were trained for; T is 1 unless Temper says otherwise.
type Classifier struct {
	trained     *Trained
	temperature float64
	free        sync.Pool
}

type classifying struct {
	extract *feature.Extractor
	rows    feature.Rows
	scores  []float64
	order   []int
}

// NewClassifier prepares labelling.
func NewClassifier(m *Trained) *Classifier {
	c := &Classifier{trained: m, temperature: 1}
	c.free.New = func() any {
		return &classifying{scores: make([]float64, len(m.Labels)), order: make([]int, len(m.Labels))}
	}
	return c
}

// Temper sets the temperature, before there is anything to label at it.
func (c *Classifier) Temper(t float64) { c.temperature = t }

// Annotate gives every document the best label, or the n best.
func (c *Classifier) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	return c.each(ctx, docs, run.Resources, func(w *classifying, d *text.Document) {
		LabelDocument(d, c.trained.Labels, w.order, w.scores, run)
	})
}

// LabelDocument gives a document the best label, or the n best: order lists labels from the best on, logs are the
// logarithms of their probabilities.
func LabelDocument(d *text.Document, labels []string, order []int, logs []float64, run *kind.Run) {
	n := min(max(1, run.NBest), len(order))
	l := text.NewLayer(text.Labels)
	l.N = n
	names := make([]string, n)
	for i, y := range order[:n] {
		names[i] = labels[y]
		if run.Prob || run.NBest > 1 {
			l.Prob = append(l.Prob, math.Exp(logs[y]))
		}
		if run.NBest > 1 {
			l.Rank = append(l.Rank, int32(i+1))
		}
	}
	l.SetStrs("label", names)
	d.SetLayer(l)
}

// ByScore fills order with the labels from the highest score to the lowest, the first of equals before.
func ByScore(order []int, scores []float64) {
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return scores[order[i]] > scores[order[j]] })
}

// each scores the documents: logarithms of probabilities, and the labels by falling score.
func (c *Classifier) each(ctx context.Context, docs []*text.Document, res kind.Resources,
	do func(*classifying, *text.Document)) (err error) {
	w := c.free.Get().(*classifying)
	defer c.free.Put(w)
	if w.extract, err = w.extract.Ready(c.trained.Alphabet, res); err != nil {
		return err
	}
	return w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		w.score(c.trained, c.temperature)
		do(w, d)
		return nil
	})
}

func (w *classifying) score(m *Trained, temperature float64) {
	clear(w.scores)
	for k, a := range w.rows.Attrs {
		labels, weights := m.Chain.Row(a)
		for i, y := range labels {
			w.scores[y] += float64(w.rows.Values[k]) * weights[i]
		}
	}
	ByScore(w.order, w.scores)
	top, sum := w.scores[w.order[0]], 0.0
	for _, s := range w.scores {
		sum += math.Exp((s - top) / temperature)
	}
	z := math.Log(sum)
	for i := range w.scores {
		w.scores[i] = (w.scores[i]-top)/temperature - z
	}
}

// Explain compares the best label of each document with the next.
func (c *Classifier) Explain(ctx context.Context, docs []*text.Document,
	run *kind.Run) (out kind.Explanation, err error) {
	err = c.each(ctx, docs, run.Resources, func(w *classifying, d *text.Document) {
		own := w.order[0]
		x := kind.Decision{Doc: d.ID, Outcome: c.trained.Labels[own], Prob: math.Exp(w.scores[own])}
		if len(w.order) > 1 {
			t := c.trained.Contrast(&x, own, w.order[1])
			for k, a := range w.rows.Attrs {
				t.Attribute(a, c.trained.Alphabet.Name(a), float64(w.rows.Values[k]))
			}
			t.Sort()
		}
		out.Decisions = append(out.Decisions, x)
	})
	return out, err
}
