package learn

import (
	"context"
	"math/rand/v2"

	"parlance/algo/metrics"
	"parlance/algo/text"
	"parlance/query/input"
	"parlance/query/plan"
	"parlance/query/score"
	"parlance/storage/documents"
)

// divide divides the documents of ON, or groups of documents that a model needs together, into folds by the seed. It
// also checks that the label of the metric occurs in gold.
func (t *tuning) divide(ctx context.Context) error {
	tr, err := prepare(t.r, t.train(0, false))
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
	t.foldOf = nil
	for _, p := range tr.on.Parts {
		list, err := u.number(ctx, t.r, p)
		if err != nil {
			return err
		}
		t.foldOf = append(t.foldOf, list)
	}
	if u.n < t.folds {
		return plan.Errorf(t.stmt.On[0].Pos, plan.CodeInvalid,
			"FOLDS takes at most as many, VALIDATE ON takes other documents", "%d folds need as many %s, and there are %d",
			t.folds, u.what(), u.n)
	}
	u.deal(rand.New(rand.NewPCG(t.seed, 4)), t.folds, t.foldOf)
	return nil
}

// checkValidation refuses an empty VALIDATE.
func (t *tuning) checkValidation(ctx context.Context, tr *training) error {
	n := 0
	for _, table := range tr.valid.Order {
		n += table.Count()
	}
	for _, p := range tr.valid.Parts {
		if err := input.EachStored(t.r, ctx, p, documents.Want{IDs: true},
			func(*text.Document) error { n++; return nil }); err != nil {
			return err
		}
	}
	if n == 0 {
		return plan.Errorf(t.stmt.Validate[0].Pos, "02000", "does WHERE leave anything?",
			"there is nothing to score in VALIDATE")
	}
	return nil
}

// checkLabel checks that the label of a metric such as f1.PER occurs in gold, by scoring gold against itself.
func (t *tuning) checkLabel(ctx context.Context, tr *training) error {
	if _, label := metrics.CutLabel(t.stmt.Metric); label == "" || len(tr.schema.Scores) > 0 {
		return nil
	}
	scorers, err := score.Scorers(t.r, tr.schema, t.metricOptions())
	if err != nil {
		return err
	}
	for _, p := range tr.valid.Parts {
		err := input.EachStored(t.r, ctx, p, p.Want, func(d *text.Document) error {
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
	if _, ok := score.MetricNamed(all, t.stmt.Metric); !ok {
		return t.noMetric(score.MetricNames(all))
	}
	return nil
}

// holdOut makes a training learn from the documents, or rows, outside a fold, and validate on those of the fold.
func (t *tuning) holdOut(tr *training, fold int) {
	if t.rows != nil {
		t.holdOutRows(tr, fold)
		return
	}
	for i, list := range t.foldOf {
		out, in := make([]bool, len(list)), make([]bool, len(list))
		for k, f := range list {
			out[k], in[k] = f != fold, f == fold
		}
		tr.on.Parts[i].Selected, tr.valid.Parts[i].Selected = out, in
	}
}
