package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/jobs"
	"parlance/query/score"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// search are the trials of a tuning.
type searchRun struct {
	mu     sync.Mutex
	job    *jobs.Job
	start  time.Time
	trials []*registry.Trial // by candidate, then fold; nil if not done yet
	done   int
	saved  time.Time
	key    string
}

// saveTrials is the least time between two checkpoints of a search.
const saveTrials = time.Second

// run runs the trials that are not done, several at a time. The result does not depend on how many.
func (t *tuning) run(ctx context.Context, job *jobs.Job, resume bool) error {
	n := len(t.candidates) * max(1, t.folds)
	t.search = &searchRun{job: job, start: time.Now(), trials: make([]*registry.Trial, n), saved: time.Now()}
	if err := t.identify(); err != nil {
		return err
	}
	if resume {
		if err := t.restore(job); err != nil {
			return err
		}
	}
	var pending []int
	for i, x := range t.search.trials {
		if x == nil {
			pending = append(pending, i)
		}
	}
	err := t.trials(ctx, pending)
	if t.search.done > 0 && err != nil {
		err = errors.Join(err, t.save(context.WithoutCancel(ctx)))
	}
	return err
}

// trials runs the pending trials. Of several errors it returns that of the first trial.
func (t *tuning) trials(ctx context.Context, pending []int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := t.r.Workers()
	at := max(1, min(workers, len(pending)))
	faults := make([]error, len(pending))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range at {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= len(pending) {
					return
				}
				if faults[k] = t.trial(ctx, pending[k], max(1, workers/at)); faults[k] != nil {
					cancel()
				}
			}
		}()
	}
	wait.Wait()
	for _, err := range faults {
		if err != nil && !fault.IsCancel(err) {
			return err
		}
	}
	return errors.Join(slices.DeleteFunc(faults, func(err error) bool { return err == nil })...)
}

// trial trains with the options of a candidate, scores the model and records the score.
func (t *tuning) trial(ctx context.Context, number, workers int) (err error) {
	c, fold := number/max(1, t.folds), number%max(1, t.folds)
	defer func() { err = t.explain(err, c, fold) }()
	defer guard.Recover(&err, "training with "+t.stmt.Kind)
	start := time.Now()
	own := Detached(t.r, ctx)
	own.Session.Settings.Workers = workers
	defer func() { err = errors.Join(err, own.Withs.Close()) }()
	tr, err := prepare(own, t.train(c, false))
	if err != nil {
		return err
	}
	in := tr.input()
	in.NoProb = true // no metric needs it
	if t.folds > 0 {
		t.holdOut(tr, fold) // Validate stays unset: a kind that saw the fold while it trains would fit to it
	} else {
		in.Validate, in.Score = tr.valid, tr.heldOut
	}
	if err := tr.model.Train(ctx, in); err != nil {
		return tr.explain(err)
	}
	all, err := tr.validated(ctx, tr.model, t.metricOptions())
	if err != nil {
		return err
	}
	m, ok := score.MetricNamed(all, t.stmt.Metric)
	if !ok && len(tr.schema.Scores) > 0 {
		return t.noMetric(score.MetricNames(all))
	}
	x := &registry.Trial{Candidate: c + 1, Options: t.candidates[c].json, Score: m.Value(),
		Seconds: time.Since(start).Seconds()}
	if t.folds > 0 {
		x.Fold = fold + 1
	}
	return t.record(ctx, number, x)
}

// explain adds to the error of a training its options.
func (t *tuning) explain(err error, c, fold int) error {
	if err == nil || fault.IsCancel(err) {
		return err
	}
	var e *ast.Error
	if errors.As(err, &e) {
		out := *e
		out.Msg = t.what(c, fold) + ": " + e.Msg
		return &out
	}
	return fmt.Errorf("%s: %w", t.what(c, fold), err)
}

// record records a finished trial, reports it, and saves a checkpoint from time to time.
func (t *tuning) record(ctx context.Context, number int, x *registry.Trial) error {
	s := t.search
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trials[number] = x
	s.done++
	p := kind.Progress{Step: s.done, Of: len(s.trials), Objective: math.NaN(), HeldOut: x.Score, Metric: t.stmt.Metric,
		Seconds: time.Since(s.start).Seconds(), Note: t.what(x.Candidate-1, max(0, x.Fold-1))}
	t.r.Jobs.Progress(s.job, p)
	t.r.Session.Progress(p)
	if time.Since(s.saved) < saveTrials {
		return nil
	}
	s.saved = time.Now()
	return t.save(ctx)
}

// checkpoint is the state of a search from which it can be resumed.
type checkpoint struct {
	Key    string            `json:"key"`
	Trials []*registry.Trial `json:"trials"`
}

// save stores the finished trials as a checkpoint.
func (t *tuning) save(ctx context.Context) error {
	raw, err := json.Marshal(checkpoint{t.search.key, t.search.trials})
	if err != nil {
		return err
	}
	return t.r.Store.SaveCheckpoint(ctx, t.search.job.Record.ID, func(put func(string, []byte) error) error {
		return put("tuning", raw)
	})
}

// identify computes the key of the checkpoint: a hash of the statement, documents and program. Trials of another key
// are not used.
func (t *tuning) identify() error {
	tr, err := prepare(t.r, t.train(0, true))
	if err != nil {
		return err
	}
	source, err := tr.sourceHash(t.r.Context(), sameModel)
	if err != nil {
		return err
	}
	t.search.key = fmt.Sprintf("%s\n%s\n%s\n%d", t.stmt, source, t.r.Program, tr.kind.Revision)
	return nil
}

// restore reads the trials of an interrupted job.
func (t *tuning) restore(job *jobs.Job) error {
	sections, err := t.r.Store.LoadCheckpoint(job.Record.ID)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	var c checkpoint
	if err := json.Unmarshal(sections["tuning"], &c); err != nil || c.Key != t.search.key ||
		len(c.Trials) != len(t.search.trials) {
		t.r.Session.Notice("documents, models or program are not those of then: the search starts anew")
		return nil
	}
	t.search.trials = c.Trials
	for _, x := range c.Trials {
		if x != nil {
			t.search.done++
		}
	}
	t.r.Session.Notice(fmt.Sprintf("%d of %d trainings are done already", t.search.done, len(c.Trials)))
	return nil
}
