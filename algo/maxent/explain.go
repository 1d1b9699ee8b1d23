package maxent

import (
	"context"
	"math"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares the outcome with the most probable other label, for each document or each
// asked token. The margin is the difference of their scores.
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
		if m.classifies() {
			m.score(w, 0)
			normalise(w.scores)
			x := m.decision(w, 0, -1, -1)
			x.Doc = d.ID
			out.Decisions = append(out.Decisions, x)
			continue
		}
		m.explainTokens(w, d, at, &out)
	}
	return out, nil
}

func (m *model) explainTokens(w *worker, d *text.Document, at kind.At, out *kind.Explanation) {
	bounds, forms := d.SentenceTokens(), []string(nil)
	if l := d.Layer("tokens"); l != nil {
		forms = l.Strs("form")
	}
	for s := 1; s < len(bounds); s++ {
		if bounds[s] == bounds[s-1] || at.Sent != 0 && at.Sent != s {
			continue
		}
		from := int(bounds[s-1])
		m.sentence(w, from, int(bounds[s]))
		for t := range w.path {
			if at.Tok != 0 && at.Tok != t+1 {
				continue
			}
			before := len(m.Labels)
			if t > 0 {
				before = int(w.path[t-1])
			}
			copy(w.scores, w.local[(t*(len(m.Labels)+1)+before)*len(m.Labels):])
			x := m.decision(w, from+t, int(w.path[t]), before)
			x.Doc, x.Sent, x.Tok, x.Form = d.ID, s, t+1, forms[from+t]
			out.Decisions = append(out.Decisions, x)
		}
	}
}

// decision explains an item whose log probabilities are in w.scores; own is the outcome, -1
// for the most probable label, before the label before, -1 for none.
func (m *model) decision(w *worker, item, own, before int) kind.Decision {
	other := -1
	for y, s := range w.scores {
		if own < 0 || before < 0 && s > w.scores[own] {
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
	for k := w.rows.Offsets[item]; k < w.rows.Offsets[item+1]; k++ {
		v := 1.0
		if len(w.rows.Values) > 0 {
			v = float64(w.rows.Values[k])
		}
		c.Attribute(w.rows.Attrs[k], m.name(w.rows.Attrs[k]), v)
	}
	if before >= 0 && m.history() {
		attr := uint32(m.Alphabet.Len() + before)
		c.Attribute(attr, m.name(attr), 1)
	}
	c.Sort()
	return out
}
