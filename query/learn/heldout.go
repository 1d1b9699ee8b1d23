package learn

import (
	"context"
	"errors"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/query/annotate"
	"parlance/query/fault"
	"parlance/query/input"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/score"
)

// heldOut scores a model on VALIDATE by its main metric.
func (t *training) heldOut(ctx context.Context, m kind.Model) (float64, string, error) {
	all, err := t.validated(ctx, m, metrics.Options{})
	if err != nil {
		return 0, "", err
	}
	main := metrics.Main(all)
	if len(t.schema.Scores) > 0 && len(all) > 0 {
		main = &all[0]
	}
	if main == nil {
		return 0, "", fault.New(plan.CodeState, "nothing to score in VALIDATE")
	}
	return main.Value(), main.Name, nil
}

// validated scores a model on VALIDATE without the prediction cache.
func (t *training) validated(ctx context.Context, m kind.Model, opt metrics.Options) ([]metrics.Metric, error) {
	c := &models.Configured{Loaded: &models.Loaded{Kind: t.kind, Model: m}, Model: m, Schema: m.Schema(), Label: t.name,
		Run: kind.Run{Resources: t.r.Resources(t.pins...), Workers: 1,
			Wanted: models.SomeOf(m.Schema().Writes, models.CommonLayers(m.Schema())), Report: func(kind.Progress) {}}}
	if len(t.schema.Scores) > 0 {
		c.Run.Workers = t.r.Workers()
		if t.knownInput != nil {
			c.Run.Roles = map[string]kind.Input{kind.Known: t.knownInput}
		}
		return m.Evaluate(ctx, t.valid, &c.Run)
	}
	scorers, err := score.Scorers(t.r, m.Schema(), opt)
	if err != nil {
		return nil, err
	}
	if len(scorers) == 0 { // no layer has a scorer: the model may compute its scores itself
		c.Run.Workers = t.r.Workers()
		found, err := m.Evaluate(ctx, t.valid, &c.Run)
		if errors.Is(err, kind.ErrByLayers) {
			err = nil
		}
		return found, err
	}
	ann := &annotate.Annotator{Setup: t.r.Annotating().Uncached(), Models: []*models.Configured{c},
		Stats: &operator.Stats{}}
	err = t.valid.Predicted(ctx, ann, func(b input.Predictions) error {
		for places := range b.Units(&c.Schema) {
			gold, predicted := b.Documents(places)
			for _, sc := range scorers {
				if err := sc.Add(ctx, gold, predicted); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []metrics.Metric
	for _, sc := range scorers {
		all = append(all, sc.Metrics()...)
	}
	return all, nil
}
