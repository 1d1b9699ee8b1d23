package exec

import (
	"context"
	"fmt"
	"time"

	"parlance/query/jobs"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/guard"
)

// keepBest trains with the options of the best candidate on everything and publishes the model
// with the table of trials.
func (t *tuning) keepBest(ctx context.Context, job *jobs.Job) (text string, err error) {
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	start := time.Now()
	found := &storage.Tuning{Statement: t.stmt.String(), Metric: t.stmt.Metric}
	for _, x := range t.search.trials {
		found.Trials = append(found.Trials, *x)
	}
	list := standings(found.Trials)
	best := list[0]
	tr, err := t.r.prepare(t.train(best.candidate-1, true))
	if err != nil {
		return "", err
	}
	tr.tuning = found
	if t.folds > 0 {
		tr.metric, tr.score = t.stmt.Metric, best.mean
	}
	tr.on.texts = &learnt{}
	if err := tr.fit(ctx, job, start, nil, nil); err != nil {
		return "", tr.explain(err)
	}
	v, err := tr.publish(ctx, time.Since(start))
	if err != nil {
		return "", err
	}
	if err := t.edges(list); err != nil {
		return "", err
	}
	return fmt.Sprintf("TUNE %s@%d %s %.4f with %s", v.Name, v.Version, t.stmt.Metric, best.mean, t.candidates[best.candidate-1].text), nil
}

// sameModel counts annotating models under their own versions.
func sameModel(m plan.ModelUse) plan.ModelUse { return m }
