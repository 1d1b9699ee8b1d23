package maxent

import (
	"context"
	"math"
	"slices"

	"parlance/algo/kind"
	"parlance/algo/seq/tagger"
	"parlance/algo/text"
)

// Explain compares the outcome with the most probable other label, for each document or each
// asked token. The margin is the difference of their scores. With multilabel there is a decision
// for every label of a document, its score against that of its absence, 0; documents without
// labels have one for the label that came nearest.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	if m.foreign != nil {
		return m.foreign.Explain(ctx, docs)
	}
	var out kind.Explanation
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return out, err
	}
	err := w.extract.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		switch {
		case m.opt.multilabel:
			m.explainLabels(w, d, &out)
		case m.opt.Classifies():
			m.score(w)
			normalise(w.scores)
			x := m.decision(w, 0, -1, 0, 0)
			x.Doc = d.ID
			out.Decisions = append(out.Decisions, x)
		default:
			m.explainTokens(w, d, at, &out)
		}
		return nil
	})
	return out, err
}

// explainLabels explains the labels of a document.
func (m *model) explainLabels(w *worker, d *text.Document, out *kind.Explanation) {
	m.score(w)
	var labels []int
	near := 0
	for y, s := range w.scores {
		if sigmoid(s) > m.opt.threshold {
			labels = append(labels, y)
		}
		if s > w.scores[near] {
			near = y
		}
	}
	no := len(labels) == 0
	if no {
		labels = []int{near}
	}
	for _, y := range labels {
		x := kind.Decision{Doc: d.ID, Outcome: m.Labels[y], RunnerUp: "not " + m.Labels[y], Prob: sigmoid(w.scores[y])}
		sign := 1.0
		if no {
			x.Outcome, x.RunnerUp, x.Prob, sign = x.RunnerUp, x.Outcome, 1-x.Prob, -1
		}
		m.contributions(w, y, sign, &x)
		out.Decisions = append(out.Decisions, x)
	}
}

// contributions adds the weights of a document for one label, times sign.
func (m *model) contributions(w *worker, label int, sign float64, x *kind.Decision) {
	for k := w.rows.Offsets[0]; k < w.rows.Offsets[1]; k++ {
		attr, v := w.rows.Attrs[k], 1.0
		if len(w.rows.Values) > 0 {
			v = float64(w.rows.Values[k])
		}
		labels, weights := m.Chain.Row(attr)
		if i, ok := slices.BinarySearch(labels, uint16(label)); ok {
			x.Margin += v * sign * weights[i]
			x.Contributions = append(x.Contributions,
				kind.Contribution{Feature: m.Name(attr), Value: v, Weight: sign * weights[i]})
		}
	}
	x.Sort()
}

func (m *model) explainTokens(w *worker, d *text.Document, at kind.At, out *kind.Explanation) {
	forms := tagger.Forms(d)
	for s := range at.Sentences(d) {
		m.sentence(w, s.From, s.To)
		last, second := len(m.Labels), len(m.Labels)
		for t := range w.path {
			if at.Token(t + 1) {
				w.at(t, last, second)
				x := m.decision(w, s.From+t, int(w.path[t]), last, second)
				x.Doc, x.Sent, x.Tok, x.Form = d.ID, s.Number, t+1, forms[s.From+t]
				out.Decisions = append(out.Decisions, x)
			}
			last, second = int(w.path[t]), last
		}
	}
}

// decision explains an item whose log probabilities are in w.scores; own is the outcome, −1 for
// the most probable label, last and second the labels before.
func (m *model) decision(w *worker, item, own, last, second int) kind.Decision {
	other, pick := -1, own < 0
	for y, s := range w.scores {
		if own < 0 || pick && s > w.scores[own] {
			own = y
		}
	}
	for y, s := range w.scores {
		if y != own && (other < 0 || s > w.scores[other]) {
			other = y
		}
	}
	out := kind.Decision{Outcome: m.Labels[own], Prob: math.Exp(w.scores[own])}
	if other < 0 {
		return out
	}
	c := m.Contrast(&out, own, other)
	w.scorer.Active(&w.rows, item, last, second, func(attr uint32, v float64) { c.Attribute(attr, m.Name(attr), v) })
	c.Sort()
	return out
}
