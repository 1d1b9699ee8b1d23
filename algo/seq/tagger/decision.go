package tagger

import (
	"context"
	"fmt"

	"parlance/algo/feature"
	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares, at every asked token, the label of the best labelling with the most
// probable other one. The margin is the difference of their scores with the neighbouring
// labels as they are; contributions are the weights that differ.
func (p *Labeler) Explain(ctx context.Context, docs []*text.Document, at kind.At,
	run *kind.Run) (kind.Explanation, error) {
	var out kind.Explanation
	w := p.free.Get().(*worker)
	defer p.free.Put(w)
	if err := p.bind(w, run.Resources); err != nil {
		return out, err
	}
	whole, err := p.attributes.Source(nil, true, run.Resources)
	if err != nil {
		return out, err
	}
	var all feature.Rows
	err = w.source.Each(ctx, docs, &w.rows, func(d *text.Document) error {
		keep := func(*text.Document) error { return nil }
		if err := whole.Each(ctx, []*text.Document{d}, &all, keep); err != nil {
			return err
		}
		for s := range at.Sentences(d) {
			dec, best, err := w.sentence(s.From, s.To)
			if err != nil {
				return err
			}
			for t := range best {
				if at.Token(t + 1) {
					out.Decisions = append(out.Decisions, p.decision(&all, d, dec, best, s.Number, s.From, t))
				}
			}
		}
		return nil
	})
	return out, err
}

// decision explains token t (0-based) of a sentence whose first item is first.
func (p *Labeler) decision(rows *feature.Rows, d *text.Document, dec Search, best []uint16, sent, first,
	t int) kind.Decision {
	m, own := p.trained, int(best[t])
	out := kind.Decision{Doc: d.ID, Sent: sent, Tok: t + 1, Form: Forms(d)[first+t], Outcome: m.Labels[own],
		Prob: dec.Marginal(t, own)}
	other, top := -1, -1.0
	for l := range m.Labels {
		if x := dec.Marginal(t, l); l != own && x > top {
			other, top = l, x
		}
	}
	if other < 0 {
		return out
	}
	c := m.Contrast(&out, own, other)
	for k := rows.Offsets[first+t]; k < rows.Offsets[first+t+1]; k++ {
		value := 1.0
		if len(rows.Values) > 0 {
			value = float64(rows.Values[k])
		}
		c.Attribute(rows.Attrs[k], p.attributes.Name(rows.Attrs[k]), value)
	}
	dec.Around(best, t, own, other, func(name string, around []uint16, diff float64) {
		args := make([]any, len(around))
		for i, l := range around {
			args[i] = m.Labels[l]
		}
		c.Add(fmt.Sprintf(name, args...), 1, diff)
	})
	c.Sort()
	return out
}
