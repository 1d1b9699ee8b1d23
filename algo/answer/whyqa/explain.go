package whyqa

import (
	"context"
	"fmt"
	"math"

	"parlance/algo/kind"
	"parlance/algo/text"
)

// Explain compares the best passage that answers a question with the next one. With a ranker contributions are
// features of one of both, or of which they have different amounts, with their weights; without one they are what
// terms add to both scores.
func (m *model) Explain(ctx context.Context, _ []*text.Document, at kind.At, run *kind.Run) (kind.Explanation, error) {
	if at.Relation != answersRelation.Name || len(at.Args) != 1 {
		return kind.Explanation{}, kind.ErrNoExplain
	}
	x, err := m.extractor(run.Resources)
	if err != nil {
		return kind.Explanation{}, err
	}
	q, err := ask(at.Args[0].S)
	if err != nil {
		return kind.Explanation{}, err
	}
	x.names = map[uint64]string{}
	list, err := m.answer(ctx, x, q)
	if err != nil || len(list) == 0 {
		return kind.Explanation{}, err
	}
	d := kind.Decision{Form: at.Args[0].S, Doc: list[0].doc, Outcome: list[0].text, Prob: math.NaN(),
		Place: fmt.Sprintf("sentences %d to %d", list[0].first+1, list[0].last)}
	var second candidate
	if len(list) > 1 {
		second = list[1]
		d.RunnerUp = second.text
	}
	if m.ranked {
		d.Contributions = m.differences(x, list[0].features, second.features)
	} else {
		d.Contributions = x.terms(q, list[0], second)
	}
	d.Sort()
	for _, c := range d.Contributions {
		d.Margin += c.Value * c.Weight
	}
	return kind.Explanation{Decisions: []kind.Decision{d}}, nil
}

// differences are the features in which two passages differ.
func (m *model) differences(x *engine, a, b vector) (out []kind.Contribution) {
	for k, w := range m.dense {
		if v := a.dense[k] - b.dense[k]; v*w != 0 {
			out = append(out, kind.Contribution{Feature: denseNames[k], Value: v, Weight: w})
		}
	}
	add := func(list []uint64, other []uint64, value float64) {
		in := map[uint64]bool{}
		for _, h := range other {
			in[h] = true
		}
		for _, h := range list {
			if w := m.weight(h); !in[h] && w != 0 {
				out = append(out, kind.Contribution{Feature: x.names[h], Value: value, Weight: w})
			}
		}
	}
	add(a.hashes, b.hashes, 1)
	add(b.hashes, a.hashes, -1)
	return out
}

// terms are what each term adds to the scores of two passages by the method.
func (x *engine) terms(q *question, a, b candidate) (out []kind.Contribution) {
	for i, c := range []candidate{a, b} {
		if c.words == nil {
			continue
		}
		sign := float64(1 - 2*i)
		where := [2]string{"", " in the next passage"}[i]
		if x.opt.method == methodBM25 {
			for k, t := range q.terms {
				if s := x.stats.bm25(c.words, []string{t}); s > 0 {
					out = append(out, kind.Contribution{Feature: q.forms[k] + where, Value: sign, Weight: s})
				}
			}
			continue
		}
		o := locate(c.words, q.terms, x.clues)
		_, anchor := o.distance(x.stats, c.words)
		for t := range o.terms {
			if ts := o.ratio(x.stats, c.words, anchor, t); ts > 1 {
				form := func(t int) string { return c.words[o.places[t][0]].lower }
				name := fmt.Sprintf("%s near %s%s", form(t), form(anchor), where)
				out = append(out, kind.Contribution{Feature: name, Value: sign, Weight: math.Log(ts)})
			}
		}
	}
	return out
}
