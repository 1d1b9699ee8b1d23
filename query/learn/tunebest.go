package learn

import (
	"context"
	"fmt"
	"time"

	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/plan"
	"parlance/query/relation"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// keepBest trains with the options of the best candidate on all of ON, and publishes the model with the table of
// trials.
func (t *tuning) keepBest(ctx context.Context, job *jobs.Job) (text string, err error) {
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	start := time.Now()
	found := &registry.Tuning{Statement: t.stmt.String(), Metric: t.stmt.Metric}
	for _, x := range t.search.trials {
		found.Trials = append(found.Trials, *x)
	}
	list := relation.Standings(found.Trials)
	best := list[0]
	tr, err := prepare(t.r, t.train(best.Candidate-1, true))
	if err != nil {
		return "", err
	}
	tr.tuning = found
	if t.folds > 0 {
		tr.metric, tr.score = t.stmt.Metric, best.Mean
	}
	tr.on.Sample, tr.on.Tally = &input.TextSample{}, input.NewTally(tr.schema.Learns)
	if err := tr.fit(ctx, job, start, nil, nil); err != nil {
		return "", tr.explain(err)
	}
	v, err := tr.publish(ctx, time.Since(start))
	if err != nil {
		return "", err
	}
	if err := t.warnRangeEdges(list); err != nil {
		return "", err
	}
	return fmt.Sprintf("TUNE %s@%d %s %.4f with %s", v.Name, v.Version, t.stmt.Metric, best.Mean,
		t.candidates[best.Candidate-1].text), nil
}

// sameModel is the identity, for sourceHash.
func sameModel(m plan.ModelUse) plan.ModelUse { return m }
