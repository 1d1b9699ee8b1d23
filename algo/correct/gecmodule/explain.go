package gecmodule

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/correct/confusion"
	"parlance/algo/correct/evidence"
	"parlance/algo/correct/window"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Grams implements evidence.Worker.
func (x *worker) Grams(s *confusion.Sentence, p *evidence.Proposal) []evidence.Gram {
	if x.windows == nil {
		return nil
	}
	x.bind(s)
	var out []evidence.Gram
	for n := window.MinOrder; n <= window.MaxOrder && n <= x.windows.Model.Order(); n++ {
		for left := range n {
			a, ok := x.windows.Gram(p.Slot, p.SlotEnd, left, n, p.Written)
			if !ok {
				continue
			}
			b, _ := x.windows.Gram(p.Slot, p.SlotEnd, left, n, p.Fill)
			if a+b > 0 {
				out = append(out, evidence.Gram{Written: window.Text(s, p.Slot, p.SlotEnd, left, n, p.Written),
					Edited: window.Text(s, p.Slot, p.SlotEnd, left, n, p.Fill), WrittenCount: a, EditedCount: b})
			}
		}
	}
	return out
}

// Explain tells of each candidate what spoke for its best option, or for what was written: features with the difference
// of their weights for both, of naive Bayes n-grams with the difference of their log-probabilities, of patterns the
// inputs of prob. The margin is the score of the algorithm.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w, err := m.worker(run.Resources, &evidence.Windows{})
	if err != nil {
		return out, err
	}
	for _, d := range docs {
		for _, s := range confusion.Read(d) {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if at.Sent != 0 && at.Sent != s.Number {
				continue
			}
			w.bind(s)
			for _, c := range w.find(s) {
				tok := min(c.Slot, len(s.Forms)-1) + 1
				if at.Token(tok) {
					out.Decisions = append(out.Decisions, w.explain(d, s, &c, tok))
				}
			}
		}
	}
	return out, nil
}

// explain tells of one candidate.
func (x *worker) explain(d *text.Document, s *confusion.Sentence, c *confusion.Candidate, tok int) kind.Decision {
	m := x.m
	margins := x.margins(c, m.prior, m.weights)
	list := x.proposals(nil, s, c, margins, m.prior)
	x.prob(s, c, list, margins)
	best := 0
	for i := range list {
		if list[i].Prob > list[best].Prob {
			best = i
		}
	}
	p, o := &list[best], &c.Options[best]
	e := kind.Decision{Doc: d.ID, Sent: s.Number, Tok: tok, Form: s.Forms[tok-1], Prob: p.Prob, Place: m.module}
	e.Outcome, e.RunnerUp = s.Change(p.Edit)
	sign := 1.0
	if p.Prob < m.Threshold() || m.Ignores(p) {
		e.Outcome, e.RunnerUp, e.Prob, sign = e.RunnerUp, e.Outcome, 1-p.Prob, -1
	}
	switch m.method() {
	case ap, lr:
		x.col.named = true
		x.col.reset()
		m.features(&x.col, c, x.known)
		x.col.named = false
		names := append(x.col.names, m.sourceFeature(c.Source))
		for i, h := range append(x.col.hashes, hash(m.sourceFeature(c.Source))) {
			if k, ok := m.weights.at[h]; ok {
				row := m.weights.values[int(k)*m.weights.labels:]
				if v := float64(row[o.Label]) - float64(row[c.Source]); v != 0 {
					e.Contributions = append(e.Contributions, kind.Contribution{Feature: names[i], Value: 1, Weight: sign * v})
				}
			}
		}
	case nb, nbPriors:
		e.Contributions = x.explainBayes(s, c, o, sign)
	default:
		m.inputsOf(p, func(at uint32, v float64) {
			e.Contributions = append(e.Contributions,
				kind.Contribution{Feature: inputNames[at], Value: v, Weight: sign * m.combine[at]})
		})
	}
	for _, k := range e.Contributions {
		e.Margin += k.Value * k.Weight
	}
	e.Sort()
	return e
}

// inputNames are those of the inputs of the regression.
var inputNames = [inputs]string{"bias", "margin", "margin above 0", "prior", "lm", "lm above 0", "rarity", "pattern"}

// explainBayes lists the n-grams of naive Bayes, and the prior.
func (x *worker) explainBayes(s *confusion.Sentence, c *confusion.Candidate, o *confusion.Option,
	sign float64) []kind.Contribution {
	fills := []string{c.Fill}
	for i := range c.Options {
		fills = append(fills, c.Options[i].Fill)
	}
	chosen := slices.Index(fills, o.Fill)
	var out []kind.Contribution
	sum := 0.0
	x.windows.Each(window.Bayes{Smoothing: x.m.smoothing, Skip: x.m.skip}, c.Slot, c.SlotEnd, fills,
		func(left, n int, counts, logs []float64) {
			v := logs[chosen] - logs[0]
			sum += v
			out = append(out, kind.Contribution{Value: 1, Weight: sign * v, Feature: fmt.Sprintf("%s: %g, %s: %g",
				window.Text(s, c.Slot, c.SlotEnd, left, n, o.Fill), counts[chosen],
				window.Text(s, c.Slot, c.SlotEnd, left, n, c.Fill), counts[0])})
		})
	x.scores = x.scores[:0]
	x.naive(c, x.m.prior)
	return append(out, kind.Contribution{Feature: "prior", Value: 1, Weight: sign * (x.scores[chosen-1] - sum)})
}
