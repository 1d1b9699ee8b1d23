package crf

import (
	"context"

	"parlance/algo/chain"
	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares, at every asked token, the label of the best labelling with the most
// probable other one. The margin is the difference of their scores with the neighbouring
// labels as they are; contributions are the weights that differ.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := m.pool.free.Get().(*worker)
	defer m.pool.free.Put(w)
	if err := w.bind(m, run.Resources); err != nil {
		return out, err
	}
	full, err := feature.NewExtractor(m.Alphabet, run.Resources)
	if err != nil {
		return out, err
	}
	var all feature.Rows
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		w.rows.Reset()
		w.extract.Extract(d, &w.rows)
		all.Reset()
		full.Extract(d, &all)
		bounds := d.SentenceTokens()
		for s := 1; s < len(bounds); s++ {
			if bounds[s] == bounds[s-1] || at.Sent != 0 && at.Sent != s {
				continue
			}
			dec, best, err := w.sentence(int(bounds[s-1]), int(bounds[s]))
			if err != nil {
				return out, err
			}
			for t := range best {
				if at.Tok == 0 || at.Tok == t+1 {
					out.Decisions = append(out.Decisions, m.decision(&all, d, dec, best, s, int(bounds[s-1]), t))
				}
			}
		}
	}
	return out, nil
}

// decision explains token t (0-based) of a sentence whose first item is first.
func (m *model) decision(rows *feature.Rows, d *text.Document, dec *chain.Decoder, best []uint16, sent, first, t int) kind.Decision {
	own := int(best[t])
	out := kind.Decision{Doc: d.ID, Sent: sent, Tok: t + 1, Form: d.Layer("tokens").Strs("form")[first+t], Outcome: m.Labels[own], Prob: dec.Marginal(t, own)}
	other, top := -1, -1.0
	for l := range m.Labels {
		if p := dec.Marginal(t, l); l != own && p > top {
			other, top = l, p
		}
	}
	if other < 0 {
		return out
	}
	c := m.Contrast(&out, own, other)
	for _, a := range rows.Attrs[rows.Offsets[first+t]:rows.Offsets[first+t+1]] {
		c.Attribute(a, m.Alphabet.Name(a), 1)
	}
	if t > 0 {
		before := int(best[t-1])
		c.Add("label[-1]="+m.Labels[before], 1, m.Chain.Transition(before, own)-m.Chain.Transition(before, other))
	}
	if t+1 < len(best) {
		after := int(best[t+1])
		c.Add("label[1]="+m.Labels[after], 1, m.Chain.Transition(own, after)-m.Chain.Transition(other, after))
	}
	c.Sort()
	return out
}
