package learn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/input"
	"parlance/query/jobs"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/score"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// tuning is a TUNE statement that is prepared or running.
type tuning struct {
	r          *exec.Execution
	stmt       *ast.Tune
	name       string
	candidates []candidate
	folds      int             // 0: VALIDATE
	seed       uint64          // of folds and samples
	foldOf     [][]int         // of documents, by part of ON
	rows       *input.RowFolds // folds of rows, for kinds that learn from tables
	search     *searchRun
}

// The number of folds of a statement with neither FOLDS nor VALIDATE, and the highest numbers that it may give.
const (
	usualFolds   = 5
	maxFolds     = 1000
	MaxCandidate = 10000
)

// Tune trains with each combination of options, finds the one with the best score, and trains with it on all of ON. It
// runs under a new job, or resumes the job numbered resumed.
func Tune(r *exec.Execution, ctx context.Context, s *ast.Tune, resumed uint64) (*operator.Result, error) {
	s = exec.WithValues(s, r.Env.Params)
	t, err := prepareTuning(r, ctx, s)
	if err != nil {
		return nil, err
	}
	if resumed == 0 {
		if err := t.warn(ctx); err != nil {
			return nil, err
		}
	}
	base := ctx
	if s.Async {
		r.NoticeServing(t.name, 0)
		base = context.WithoutCancel(ctx)
	}
	jobCtx, job, err := r.Jobs.Start(base, r.Session.User, s.String(), resumed, t.name)
	if err != nil {
		return nil, err
	}
	if !s.Async {
		text, err := t.runQueued(jobCtx, job, resumed != 0)
		if err = errors.Join(err, r.Jobs.End(job, err)); err != nil {
			return nil, err
		}
		return operator.Tag(text), nil
	}
	t.r = Detached(r, jobCtx)
	keepResources(t.r)
	r.Jobs.Async(func() {
		_, err := t.runQueued(jobCtx, job, resumed != 0)
		_ = r.Jobs.End(job, errors.Join(err, t.r.Close()))
	})
	return operator.TableResult(JobColumns, [][]value.Value{{value.Int(int64(job.Record.ID))}}), nil
}

// runQueued searches when the queue has a slot. A search that waited is prepared again.
func (t *tuning) runQueued(ctx context.Context, job *jobs.Job, resume bool) (text string, err error) {
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	waited, err := waitForSlot(t.r, ctx, job)
	if err != nil {
		return "", err
	}
	defer t.r.Jobs.Queue.Release()
	if waited {
		again, err := prepareTuning(t.r, ctx, t.stmt)
		if err != nil {
			return "", err
		}
		*t = *again
	}
	if err := t.divide(ctx); err != nil {
		return "", err
	}
	if err := t.run(ctx, job, resume); err != nil {
		return "", err
	}
	return t.keepBest(ctx, job)
}

// prepareTuning checks everything before the first model is trained: every combination of options, the inputs, and the
// metric.
func prepareTuning(r *exec.Execution, ctx context.Context, s *ast.Tune) (*tuning, error) {
	t := &tuning{r: r, stmt: s, name: s.As}
	if t.name == "" {
		t.name = s.Kind
	}
	fixed := &training{r: r, stmt: &ast.Train{Pos: s.Pos, With: s.With}}
	if _, err := fixed.options(); err != nil {
		return nil, err
	}
	t.seed = uint64(fixed.engine.seed)
	if err := t.combine(ctx); err != nil {
		return nil, err
	}
	if err := t.dropUnusedOptions(ctx); err != nil {
		return nil, err
	}
	if err := t.chooseFolds(); err != nil {
		return nil, err
	}
	whole, err := prepare(r, t.train(0, true))
	if err != nil {
		return nil, err
	}
	if err := t.checkTableFolds(whole.schema); err != nil {
		return nil, err
	}
	for c := range t.candidates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tr, err := prepare(r, t.train(c, false))
		if err != nil {
			return nil, err
		}
		if c > 0 {
			continue
		}
		if err := t.checkUnit(tr.schema); err != nil {
			return nil, err
		}
		if err := t.checkMetric(tr.schema); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// chooseFolds evaluates FOLDS.
func (t *tuning) chooseFolds() (err error) {
	switch {
	case t.stmt.Folds != nil:
		t.folds, err = between(t.r, t.stmt.Folds, "FOLDS", 2, maxFolds)
	case len(t.stmt.Validate) == 0:
		t.folds = usualFolds
	}
	return err
}

// between evaluates an expression as a whole number in [lo, hi].
func between(r *exec.Execution, x ast.Expr, what string, lo, hi int) (int, error) {
	b, err := r.Binder().Constant(x)
	if err != nil {
		return 0, err
	}
	v, err := r.Scalar(b)
	if err == nil {
		v, err = value.Cast(v, value.Integer)
	}
	if err != nil || v.IsNull() || v.Int() < int64(lo) || v.Int() > int64(hi) {
		return 0, plan.Errorf(x.Position(), plan.CodeInvalid, "", "%s takes a whole number from %d to %d", what, lo, hi)
	}
	return int(v.Int()), nil
}

// train is the TRAIN statement with the options of a candidate, with the inputs of a trial or of the final model.
func (t *tuning) train(c int, final bool) *ast.Train {
	s := &ast.Train{Pos: t.stmt.Pos, Kind: t.stmt.Kind, At: t.stmt.At, As: t.stmt.As, On: t.stmt.On,
		Validate: t.stmt.Validate, Using: t.stmt.Using}
	s.With = append(append(s.With, t.stmt.With...), t.candidates[c].given()...)
	if t.folds > 0 && !final {
		for _, in := range s.On {
			if in.Role == "" {
				s.Validate = append(s.Validate, in)
			}
		}
	}
	return s
}

// warn gives the notices that TRAIN gives.
func (t *tuning) warn(ctx context.Context) error {
	tr, err := prepare(t.r, t.train(0, true))
	if err != nil {
		return err
	}
	return tr.warn(ctx)
}

// checkUnit refuses folds for kinds that read a corpus as a whole.
func (t *tuning) checkUnit(s kind.Schema) error {
	if t.folds > 0 && s.Unit == kind.PerCorpus {
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "VALIDATE ON other documents",
			"%s learns from a corpus as a whole, which folds would cut", t.stmt.Kind)
	}
	return nil
}

// metricOptions are the options of the scorers that the metric needs.
func (t *tuning) metricOptions() metrics.Options {
	return metrics.Options{Beta: metrics.BetaOf(t.stmt.Metric)}
}

// checkMetric checks that the layers that the kind writes have the metric.
func (t *tuning) checkMetric(s kind.Schema) error {
	if len(s.Scores) > 0 {
		return nil // the first score tells which metrics there are
	}
	scorers, err := score.Scorers(t.r, s, t.metricOptions())
	if err != nil {
		return err
	}
	var names []string
	short, label := metrics.CutLabel(t.stmt.Metric)
	for _, sc := range scorers {
		for _, m := range sc.Metrics() {
			if m.Label != metrics.All {
				continue
			}
			if strings.EqualFold(m.Name, t.stmt.Metric) || label != "" && strings.EqualFold(m.Name, short) {
				return nil
			}
			names = append(names, m.Name)
		}
	}
	switch {
	case len(names) == 0 && len(s.Writes) > 0:
		return nil // no layer has a scorer: the model may compute its scores itself, and the first score tells
	case len(names) == 0:
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "", "%s writes no layer that could be scored", t.stmt.Kind)
	}
	return t.noMetric(names)
}

func (t *tuning) noMetric(names []string) error {
	return plan.Errorf(t.stmt.MetricAt, plan.CodeUndefinedObject, "metrics: "+strings.Join(score.Unique(names), ", "),
		"there is no metric %s of %s%s", t.stmt.Metric, t.stmt.Kind, option.DidYouMean(t.stmt.Metric, names))
}

// what names a trial in messages.
func (t *tuning) what(c, fold int) string {
	s := fmt.Sprintf("candidate %d, %s", c+1, t.candidates[c].text)
	if t.folds > 0 {
		s += fmt.Sprintf(", fold %d", fold+1)
	}
	return s
}
