package exec

import (
	"context"
	"fmt"
	"math"
	"sort"
	"time"

	"parlance/query/fault"
	"parlance/query/jobs"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// standing is the score of a candidate over its trials.
type standing struct {
	candidate int // from 1
	mean, std float64
	trials    []storage.Trial
}

// standings orders candidates by mean score, equal ones as they were listed. The deviation is
// that of a sample, √(Σ(x−mean)²/(n−1)), NaN for one trial.
func standings(trials []storage.Trial) []standing {
	var out []standing
	for _, x := range trials {
		if n := len(out); n == 0 || out[n-1].candidate != x.Candidate {
			out = append(out, standing{candidate: x.Candidate})
		}
		s := &out[len(out)-1]
		s.trials = append(s.trials, x)
	}
	for i := range out {
		s := &out[i]
		n := float64(len(s.trials))
		for _, x := range s.trials {
			s.mean += x.Score / n
		}
		sum := 0.0
		for _, x := range s.trials {
			sum += (x.Score - s.mean) * (x.Score - s.mean)
		}
		s.std = math.Sqrt(sum / (n - 1))
	}
	sort.SliceStable(out, func(i, k int) bool { return out[i].mean > out[k].mean })
	return out
}

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

// tuningRows lists what TUNE tried for a version.
func tuningRows(r *Execution, m *plan.ModelUse) ([][]value.Value, error) {
	v, ok := r.Store.ModelVersion(m.Name, m.Version)
	if !ok {
		return nil, fault.New(plan.CodeUndefinedObject, "there is no model %s", m)
	}
	if v.Tuning == nil {
		return nil, nil
	}
	var out [][]value.Value
	for rank, s := range standings(v.Tuning.Trials) {
		for _, x := range s.trials {
			options, err := value.Cast(value.Str(string(x.Options)), value.JSON)
			if err != nil {
				return nil, err
			}
			out = append(out, []value.Value{value.Int(int64(rank + 1)), value.Int(int64(x.Candidate)), options, value.Int(int64(max(1, x.Fold))),
				value.Str(v.Tuning.Metric),
				value.Real(x.Score), value.Real(s.mean), figure(s.std), value.Real(x.Seconds)})
		}
	}
	return out, nil
}
