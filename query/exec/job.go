package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// jobSet is the trainings that run in this process.
type jobSet struct {
	mu     sync.Mutex
	live   map[uint64]*liveJob
	wait   sync.WaitGroup
	closed bool
}

type liveJob struct {
	job    storage.Job
	cancel context.CancelFunc
	ctx    context.Context
	waiter *waiter       // while it waits for its turn
	unname func()        // lets go of the name of its model
	ended  chan struct{} // closed when its outcome is kept
}

// startJob registers a training, of a model of the name unless that is empty; endJob ends it and keeps its outcome.
func (e *Engine) startJob(ctx context.Context, statement string, resumed uint64, model string) (_ context.Context, _ *liveJob, err error) {
	unname := func() {}
	if model != "" {
		if unname, err = e.Store.NameModel(model); err != nil {
			return nil, nil, err
		}
	}
	defer func() {
		if err != nil {
			unname()
		}
	}()
	var job storage.Job
	if resumed != 0 {
		job, _ = e.Store.Job(resumed)
		job.State, job.Error, job.Started, job.Ended = "running", "", time.Now().UTC(), time.Time{}
		err = e.Store.UpdateJob(job)
	} else {
		job, err = e.Store.NewJob(statement)
	}
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &liveJob{job: job, ctx: ctx, cancel: cancel, unname: unname, ended: make(chan struct{})}
	e.jobs.mu.Lock()
	defer e.jobs.mu.Unlock()
	if e.jobs.closed {
		cancel()
		return nil, nil, fault.New("57P01", "the database is closing")
	}
	e.jobs.live[job.ID] = l
	return ctx, l, nil
}

// endJob keeps the outcome of a training.
func (e *Engine) endJob(l *liveJob, err error) error {
	e.jobs.mu.Lock()
	job := l.job
	closed := e.jobs.closed
	e.jobs.mu.Unlock()
	defer func() { // after its outcome is kept, or others would take it for interrupted
		e.jobs.mu.Lock()
		delete(e.jobs.live, job.ID)
		e.jobs.mu.Unlock()
		l.unname()
		close(l.ended)
	}()
	job.Ended = time.Now().UTC()
	switch {
	case err == nil:
		job.State = "done"
	case closed, errors.Is(context.Cause(l.ctx), ErrShutdown):
		job.State = "interrupted"
	case fault.IsCancel(err):
		job.State, job.Error = "cancelled", "cancelled"
	default:
		job.State, job.Error = "failed", err.Error()
	}
	e.Meter.Trainings.Add(job.State)
	l.cancel()
	if err == nil {
		if err := e.Store.DropCheckpoint(job.ID); err != nil {
			return err
		}
	}
	return e.Store.UpdateJob(job)
}

// progress notes the state of a training for other sessions.
func (e *Engine) progress(l *liveJob, p kind.Progress) {
	e.jobs.mu.Lock()
	defer e.jobs.mu.Unlock()
	l.job.Step, l.job.Of, l.job.Objective, l.job.Note = p.Step, p.Of, finite(p.Objective), p.Note
}

// finite is 0 for what JSON cannot hold.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// jobsNow lists the kept jobs, live ones as they stand.
func (e *Engine) jobsNow() []storage.Job {
	list := e.Store.Jobs()
	e.jobs.mu.Lock()
	defer e.jobs.mu.Unlock()
	for i, j := range list {
		if l, ok := e.jobs.live[j.ID]; ok {
			list[i] = l.job
			if l.waiter != nil {
				list[i].Note = waitsAt(e.trainings.position(l.waiter))
			}
		} else if j.State == "running" {
			list[i].State = "interrupted"
		}
	}
	return list
}

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.jobs.mu.Lock()
	e.jobs.closed = true
	for _, l := range e.jobs.live {
		l.cancel()
	}
	e.jobs.mu.Unlock()
	e.jobs.wait.Wait()
	e.models.wait.Wait()
}

// number evaluates the number of a job.
func (r *run) number(x ast.Expr) (uint64, error) {
	b, err := r.binder().Constant(x)
	if err != nil {
		return 0, err
	}
	v, err := r.scalar(b)
	if err == nil {
		v, err = value.Cast(v, value.Integer)
	}
	if err != nil || v.IsNull() || v.Int() < 1 {
		return 0, plan.Errorf(x.Position(), plan.CodeType, "SHOW JOBS lists them", "the number of a job is wanted")
	}
	return uint64(v.Int()), nil
}

// cancelJob stops a training and waits until it has ended, so that RESUME JOB may follow.
func (r *run) cancelJob(ctx context.Context, s *ast.CancelJob) (*operator.Result, error) {
	id, err := r.number(s.Job)
	if err != nil {
		return nil, err
	}
	r.jobs.mu.Lock()
	l, ok := r.jobs.live[id]
	r.jobs.mu.Unlock()
	if !ok {
		return nil, plan.Errorf(s.Pos, plan.CodeState, "SHOW JOBS lists them", "job %d is not running", id)
	}
	l.cancel()
	select {
	case <-l.ended:
		return operator.Tag("CANCEL JOB"), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *run) resumeJob(ctx context.Context, s *ast.ResumeJob) (*operator.Result, error) {
	id, err := r.number(s.Job)
	if err != nil {
		return nil, err
	}
	j, ok := r.Store.Job(id)
	if !ok {
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, "SHOW JOBS lists them", "there is no job %d", id)
	}
	r.jobs.mu.Lock()
	_, live := r.jobs.live[id]
	r.jobs.mu.Unlock()
	if live || j.State == "done" {
		return nil, plan.Errorf(s.Pos, plan.CodeState, "", "job %d is %s", id, map[bool]string{true: "running", false: j.State}[live])
	}
	stmt, err := r.Parse(j.Statement)
	if err != nil {
		return nil, fmt.Errorf("resume job %d: %w", id, err)
	}
	switch t := stmt.(type) {
	case *ast.Train:
		return r.trainAs(ctx, t, id)
	case *ast.Tune:
		return r.tune(ctx, t, id)
	}
	return nil, plan.Errorf(s.Pos, plan.CodeState, "", "job %d is no training", id)
}
