package exec

import (
	"context"
	"math/rand/v2"

	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/plan"
	"parlance/storage"
)

// divide gives every document of ON its fold: documents, or groups of those that a model needs
// together, are shuffled by the seed and dealt out. It also looks the label of the metric up.
func (t *tuning) divide(ctx context.Context) error {
	tr, err := t.r.prepare(t.train(0, false))
	if err != nil {
		return err
	}
	if err := t.checkLabel(ctx, tr); err != nil {
		return err
	}
	if t.folds == 0 {
		return t.checkValidation(ctx, tr)
	}
	if len(tr.schema.Tables) > 0 {
		return t.divideRows(ctx, tr)
	}
	u := &foldUnits{group: tr.schema.Group}
	t.held = nil
	for _, p := range tr.on.parts {
		list, err := u.number(ctx, t.r, p)
		if err != nil {
			return err
		}
		t.held = append(t.held, list)
	}
	if u.n < t.folds {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeInvalid, "FOLDS takes at most as many, VALIDATE ON takes other documents", "%d folds need as many %s, and there are %d", t.folds, u.what(), u.n)
	}
	u.deal(rand.New(rand.NewPCG(t.seed, 4)), t.folds, t.held)
	return nil
}

// checkValidation refuses an empty VALIDATE.
func (t *tuning) checkValidation(ctx context.Context, tr *training) error {
	n := 0
	for _, table := range tr.valid.order {
		n += table.Count()
	}
	for _, p := range tr.valid.parts {
		if err := t.r.eachStored(ctx, p, storage.Want{IDs: true}, func(*text.Document) error { n++; return nil }); err != nil {
			return err
		}
	}
	if n == 0 {
		return plan.Errorf(t.stmt.Validate[0].Pos, "02000", "does WHERE leave anything?", "there is nothing to score in VALIDATE")
	}
	return nil
}

// checkLabel looks the label of a metric such as f1.PER up in gold, by scoring gold by itself.
func (t *tuning) checkLabel(ctx context.Context, tr *training) error {
	if _, label := metrics.CutLabel(t.stmt.Metric); label == "" || len(tr.schema.Scores) > 0 {
		return nil
	}
	scorers, err := t.r.scorers(tr.schema, t.scored())
	if err != nil {
		return err
	}
	for _, p := range tr.valid.parts {
		err := t.r.eachStored(ctx, p, p.want, func(d *text.Document) error {
			for _, sc := range scorers {
				if err := sc.Add(ctx, []*text.Document{d}, []*text.Document{d}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var all []metrics.Metric
	for _, sc := range scorers {
		all = append(all, sc.Metrics()...)
	}
	if _, ok := metricNamed(all, t.stmt.Metric); !ok {
		return t.noMetric(metricNames(all))
	}
	return nil
}

// hold takes the documents, or rows, of a fold out of what is learned and leaves them alone to be scored.
func (t *tuning) hold(tr *training, fold int) {
	if t.rows != nil {
		t.holdRows(tr, fold)
		return
	}
	for i, list := range t.held {
		out, in := make([]bool, len(list)), make([]bool, len(list))
		for k, f := range list {
			out[k], in[k] = f != fold, f == fold
		}
		tr.on.parts[i].keep, tr.valid.parts[i].keep = out, in
	}
}
