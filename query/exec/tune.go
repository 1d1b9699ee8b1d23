package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parlance/algo/kind"
	"parlance/algo/metrics"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/jobs"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// tuning is one TUNE on its way.
type tuning struct {
	r          *Execution
	stmt       *ast.Tune
	name       string
	candidates []candidate
	folds      int       // 0: VALIDATE
	seed       uint64    // of folds and samples
	held       [][]int   // of documents, by part
	rows       *rowFolds // of kinds that learn from tables
	search     *search
}

// The number of folds where the statement names neither folds nor documents to validate on, and
// the largest ones.
const (
	usualFolds   = 5
	maxFolds     = 1000
	MaxCandidate = 10000
)

// Tune searches the best options by training with each combination, under a new job or going on
// with an old one, and trains with them on everything.
func (r *Execution) Tune(ctx context.Context, s *ast.Tune, resumed uint64) (*operator.Result, error) {
	s = WithValues(s, r.Env.Params)
	t, err := r.prepareTuning(ctx, s)
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
		r.noticeServing(t.name, 0)
		base = context.WithoutCancel(ctx)
	}
	jobCtx, job, err := r.Jobs.Start(base, s.String(), resumed, t.name)
	if err != nil {
		return nil, err
	}
	if !s.Async {
		text, err := t.inTurn(jobCtx, job, resumed != 0)
		if err = errors.Join(err, r.Jobs.End(job, err)); err != nil {
			return nil, err
		}
		return operator.Tag(text), nil
	}
	t.r = r.Detached(jobCtx)
	t.r.outlive()
	r.Jobs.Async(func() {
		_, err := t.inTurn(jobCtx, job, resumed != 0)
		_ = r.Jobs.End(job, errors.Join(err, t.r.Close()))
	})
	return operator.TableResult(JobColumns, [][]value.Value{{value.Int(int64(job.Record.ID))}}), nil
}

// inTurn searches when max_trainings allows it. What waited is prepared again.
func (t *tuning) inTurn(ctx context.Context, job *jobs.Job, resume bool) (text string, err error) {
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	waited, err := t.r.turn(ctx, job)
	if err != nil {
		return "", err
	}
	defer t.r.Jobs.Queue.Leave()
	if waited {
		again, err := t.r.prepareTuning(ctx, t.stmt)
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

// prepareTuning checks everything that can be wrong before a model is trained: every combination
// of options, the inputs, and the metric.
func (r *Execution) prepareTuning(ctx context.Context, s *ast.Tune) (*tuning, error) {
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
	if err := t.leaveIdle(ctx); err != nil {
		return nil, err
	}
	if err := t.chooseFolds(); err != nil {
		return nil, err
	}
	whole, err := r.prepare(t.train(0, true))
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
		tr, err := r.prepare(t.train(c, false))
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
		t.folds, err = t.r.between(t.stmt.Folds, "FOLDS", 2, maxFolds)
	case len(t.stmt.Validate) == 0:
		t.folds = usualFolds
	}
	return err
}

// between evaluates a whole number.
func (r *Execution) between(x ast.Expr, what string, lo, hi int) (int, error) {
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

// train is the statement that trains with the options of a candidate; with the inputs of the
// search, or those of the model that is kept.
func (t *tuning) train(c int, final bool) *ast.Train {
	s := &ast.Train{Pos: t.stmt.Pos, Kind: t.stmt.Kind, At: t.stmt.At, As: t.stmt.As, On: t.stmt.On, Validate: t.stmt.Validate, Using: t.stmt.Using}
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
	tr, err := t.r.prepare(t.train(0, true))
	if err != nil {
		return err
	}
	return tr.warn(ctx)
}

// checkUnit refuses folds where documents cannot be told apart.
func (t *tuning) checkUnit(s kind.Schema) error {
	if t.folds > 0 && s.Unit == kind.PerCorpus {
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "VALIDATE ON other documents", "%s learns from a corpus as a whole, which folds would cut", t.stmt.Kind)
	}
	return nil
}

// scored says what the metric needs of scorers.
func (t *tuning) scored() metrics.Options {
	return metrics.Options{Beta: metrics.BetaOf(t.stmt.Metric)}
}

// checkMetric looks the metric up among those of the layers that the kind writes.
func (t *tuning) checkMetric(s kind.Schema) error {
	if len(s.Scores) > 0 {
		return nil // the first score tells which there are
	}
	scorers, err := t.r.scorers(s, t.scored())
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
		return nil // no layer has a scorer: the model may score itself, and the first score tells
	case len(names) == 0:
		return plan.Errorf(t.stmt.Pos, plan.CodeFeature, "", "%s writes no layer that could be scored", t.stmt.Kind)
	}
	return t.noMetric(names)
}

func (t *tuning) noMetric(names []string) error {
	return plan.Errorf(t.stmt.MetricAt, plan.CodeUndefinedObject, "metrics: "+strings.Join(unique(names), ", "), "there is no metric %s of %s%s", t.stmt.Metric, t.stmt.Kind, option.DidYouMean(t.stmt.Metric, names))
}

// what names a trial in messages.
func (t *tuning) what(c, fold int) string {
	s := fmt.Sprintf("candidate %d, %s", c+1, t.candidates[c].text)
	if t.folds > 0 {
		s += fmt.Sprintf(", fold %d", fold+1)
	}
	return s
}
