package boostreranker

import (
	"context"
	"fmt"
	"math"
	"time"

	"parlance/algo/kind"
	"parlance/algo/numeric/parallel"
	"parlance/algo/parse/boosting"
	"parlance/algo/parse/candidates"
	"parlance/algo/parse/constituent"
)

// Train lists the candidates, counts their features and learns weights.
func (m *model) Train(ctx context.Context, t *kind.Training) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.ready(); err != nil {
		return err
	}
	base, err := m.opt.candidates.Parser(t.Resources)
	if err != nil {
		return err
	}
	s := boosting.NewStore(m.opt.boost.MinCount)
	found, err := m.read(ctx, t.On, t, base, func(f *boosting.Finder, x *candidates.Sentence,
		y candidates.Tally) *boosting.Example {
		return f.Example(x, y)
	}, s.Add)
	if err != nil {
		return err
	}
	found.Tell(t.Notice)
	if s.Len() == 0 {
		return fmt.Errorf("%w: there are no sentences with gold for which the base has candidates", kind.ErrNoData)
	}
	if err := m.boost.Fit(ctx, &m.opt.boost, s, t); err != nil {
		return err
	}
	if t.Validate != nil {
		if err := m.validate(ctx, t, base); err != nil {
			return err
		}
	}
	return m.ready()
}

// read lists the candidates of all documents, in order, with any number of workers.
func (m *model) read(ctx context.Context, in kind.Input, t *kind.Training, base kind.Trained,
	example func(*boosting.Finder, *candidates.Sentence, candidates.Tally) *boosting.Example,
	take func(*boosting.Example)) (*candidates.Found, error) {
	finders := make([]*boosting.Finder, parallel.Workers(t.Workers))
	for i := range finders {
		finders[i] = m.boost.Finder()
	}
	return candidates.Read(ctx, &m.opt.candidates, in, t, base,
		func(w int, x *candidates.Sentence, gold []constituent.Bracket) *boosting.Example {
			return example(finders[w], x, candidates.TallyOf(x, gold))
		}, take)
}

// validate keeps the number of rounds that is best for held-out sentences.
func (m *model) validate(ctx context.Context, t *kind.Training, base kind.Trained) error {
	start := time.Now()
	var list []*boosting.Example
	_, err := m.read(ctx, t.Validate, t, base, m.boost.HeldOutExample,
		func(e *boosting.Example) { list = append(list, e) })
	if err != nil {
		return err
	}
	if len(list) == 0 {
		t.Notice("VALIDATE has no sentence with gold for which the base has candidates: all rounds are kept")
		return nil
	}
	n := len(m.boost.Learned.Steps)
	c, err := m.boost.Validate(ctx, list)
	if err != nil {
		return err
	}
	t.Report(kind.Progress{Step: max(1, n), Of: max(1, n), Objective: math.NaN(), HeldOut: c.F1, Metric: "f1",
		Seconds: time.Since(start).Seconds(),
		Note: fmt.Sprintf("rounds kept: %d, F1 of held-out sentences %.4f, with all %d rounds %.4f, of the base %.4f",
			m.boost.Rounds, c.F1, n, c.All, c.Base)})
	return nil
}
