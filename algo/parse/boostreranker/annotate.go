package boostreranker

import (
	"context"

	"parlance/algo/kind"
	"parlance/algo/parse/boosting"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
	"parlance/algo/text"
)

// Annotate writes the best trees or spans. prob of a phrase is the sum of those of the trees that have it, which are
// shares of exp(F) among the candidates; with n best trees, that of the tree. Both are scores.
func (m *model) Annotate(ctx context.Context, docs []*text.Document, run *kind.Run) error {
	if err := ctx.Err(); err != nil || len(docs) == 0 {
		return err
	}
	base, err := m.opt.candidates.Parser(run.Resources)
	if err != nil {
		return err
	}
	f := m.boost.Finder()
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		sentences, err := m.opt.candidates.Document(ctx, d, base)
		if err != nil {
			return err
		}
		m.write(d, sentences, f, run)
	}
	return nil
}

// write gives a document the best candidates.
func (m *model) write(d *text.Document, sentences []*candidates.Sentence, f *boosting.Finder, run *kind.Run) {
	k := max(1, run.NBest)
	ordered := func(x *candidates.Sentence) []candidates.Scored {
		return candidates.Order(x, m.boost.Scores(x, f.Features(x, nil)))
	}
	if !m.opt.candidates.Trees() {
		w := m.opt.candidates.SpanWriter(d, run.Prob || k > 1, k > 1)
		for _, x := range sentences {
			w.Sentence(ordered(x), k)
		}
		w.Set()
		return
	}
	w := constituent.NewWriter(d, run.Prob || k > 1, k > 1)
	for _, x := range sentences {
		candidates.Write(w, x, ordered(x), k)
	}
	w.Set(run.Wants)
}

// Explain tells for each sentence what speaks for its tree and against the next one.
func (m *model) Explain(ctx context.Context, docs []*text.Document, at kind.At, run *kind.Run) (kind.Explanation,
	error) {
	base, err := m.opt.candidates.Parser(run.Resources)
	if err != nil {
		return kind.Explanation{}, err
	}
	f := m.boost.Finder()
	var out kind.Explanation
	for _, d := range docs {
		sentences, err := m.opt.candidates.Document(ctx, d, base)
		if err != nil {
			return out, err
		}
		for _, x := range sentences {
			if at.Sent == 0 || at.Sent == x.Number {
				out.Decisions = append(out.Decisions, m.decision(d, x, f.Features(x, nil)))
			}
		}
	}
	return out, ctx.Err()
}

func (m *model) decision(d *text.Document, x *candidates.Sentence, features [][]uint64) kind.Decision {
	list := candidates.Order(x, m.boost.Scores(x, features))
	out := kind.Decision{Doc: d.ID, Sent: x.Number, Outcome: list[0].Text(x.Words), Prob: list[0].Prob}
	sums := map[string]float64{}
	if len(list) > 1 {
		out.RunnerUp = list[1].Text(x.Words)
		for i, sign := range []float64{1, -1} {
			m.boost.Parts(sums, sign, list[i].Log, features[list[i].Place])
		}
	}
	out.Gather(sums, 0)
	return out
}
