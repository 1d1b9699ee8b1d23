package exec

import (
	"context"
	"errors"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
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

// validated scores a model on VALIDATE, past the cache.
func (t *training) validated(ctx context.Context, m kind.Model, opt metrics.Options) ([]metrics.Metric, error) {
	c := &configured{loaded: &loaded{kind: t.kind, model: m}, model: m, schema: m.Schema(), label: t.name,
		run: kind.Run{Resources: t.r.Resources(t.pins...), Workers: 1, Wanted: someOf(m.Schema().Writes, commonLayers(m.Schema())), Report: func(kind.Progress) {}}}
	if len(t.schema.Scores) > 0 {
		c.run.Workers = t.r.workers()
		if t.known != nil {
			c.run.Roles = map[string]kind.Input{kind.Known: t.known}
		}
		return m.Evaluate(ctx, t.valid, &c.run)
	}
	scorers, err := t.r.scorers(m.Schema(), opt)
	if err != nil {
		return nil, err
	}
	if len(scorers) == 0 { // no layer has a scorer: the model may score itself
		c.run.Workers = t.r.workers()
		found, err := m.Evaluate(ctx, t.valid, &c.run)
		if errors.Is(err, kind.ErrByLayers) {
			err = nil
		}
		return found, err
	}
	ann := &annotator{r: t.r.uncached(), models: []*configured{c}, stats: &operator.Stats{}}
	err = t.valid.predicted(ctx, ann, func(b predictions) error {
		for places := range b.units(&c.schema) {
			gold, predicted := b.documents(places)
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
