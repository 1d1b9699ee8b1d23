package jobs

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
	"parlance/storage"
)

// Set is the trainings that run in this process.
type Set struct {
	store  *storage.Store
	ended  func(state string) // counts a training that has ended
	Queue  Queue
	mu     sync.Mutex
	live   map[uint64]*Job
	wait   sync.WaitGroup
	closed bool
}

type Job struct {
	Record storage.Job
	cancel context.CancelFunc
	ctx    context.Context
	waiter *Waiter       // while it waits for its turn
	unname func()        // lets go of the name of its model
	ended  chan struct{} // closed when its outcome is kept
}

// Start registers a training, of a model of the name unless that is empty; end ends it and keeps its outcome.
func (s *Set) Start(ctx context.Context, statement string, resumed uint64, model string) (_ context.Context, _ *Job, err error) {
	unname := func() {}
	if model != "" {
		if unname, err = s.store.NameModel(model); err != nil {
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
		job, _ = s.store.Job(resumed)
		job.State, job.Error, job.Started, job.Ended = "running", "", time.Now().UTC(), time.Time{}
		err = s.store.UpdateJob(job)
	} else {
		job, err = s.store.NewJob(statement)
	}
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &Job{Record: job, ctx: ctx, cancel: cancel, unname: unname, ended: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel()
		return nil, nil, fault.New("57P01", "the database is closing")
	}
	s.live[job.ID] = l
	return ctx, l, nil
}

// End keeps the outcome of a training.
func (s *Set) End(l *Job, err error) error {
	s.mu.Lock()
	job := l.Record
	closed := s.closed
	s.mu.Unlock()
	defer func() { // after its outcome is kept, or others would take it for interrupted
		s.mu.Lock()
		delete(s.live, job.ID)
		s.mu.Unlock()
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
	s.ended(job.State)
	l.cancel()
	if err == nil {
		if err := s.store.DropCheckpoint(job.ID); err != nil {
			return err
		}
	}
	return s.store.UpdateJob(job)
}

// Progress notes the state of a training for other sessions.
func (s *Set) Progress(l *Job, p kind.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.Step, l.Record.Of, l.Record.Objective, l.Record.Note = p.Step, p.Of, Finite(p.Objective), p.Note
}

// Finite is 0 for what JSON cannot hold.
func Finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// Now lists the kept jobs, live ones as they stand.
func (s *Set) Now() []storage.Job {
	list := s.store.Jobs()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, j := range list {
		if l, ok := s.live[j.ID]; ok {
			list[i] = l.Record
			if l.waiter != nil {
				list[i].Note = WaitsAt(s.Queue.Position(l.waiter))
			}
		} else if j.State == "running" {
			list[i].State = "interrupted"
		}
	}
	return list
}

// WaitsAt is what is told of a training at a position of the queue.
func WaitsAt(position int) string { return fmt.Sprintf("waiting: position %d", position) }

// Queued notes that a job waits; l may be nil.
func (s *Set) Queued(l *Job, w *Waiter) {
	if l == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.State, l.waiter = "queued", w
}

// Admitted notes that a job waits no longer.
func (s *Set) Admitted(l *Job) {
	if l == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.State, l.waiter, l.Record.Started = "running", nil, time.Now().UTC().Truncate(time.Microsecond)
}

// ErrShutdown is the cause of cancellations by a program that ends; trainings that it stops are
// interrupted, not cancelled.
var ErrShutdown = &ast.Error{Code: "57P01", Msg: "the server is shutting down"}

// NewSet returns the trainings over a store.
func NewSet(store *storage.Store, ended func(state string)) *Set {
	return &Set{store: store, ended: ended, live: map[uint64]*Job{}}
}

// Close cancels the trainings and waits for them.
func (s *Set) Close() {
	s.mu.Lock()
	s.closed = true
	for _, l := range s.live {
		l.cancel()
	}
	s.mu.Unlock()
	s.wait.Wait()
}

// Cancel cancels a training, nil if it is not running, and returns what is closed when it has ended.
func (s *Set) Cancel(id uint64) <-chan struct{} {
	s.mu.Lock()
	l, ok := s.live[id]
	s.mu.Unlock()
	if !ok {
		return nil
	}
	l.cancel()
	return l.ended
}

// Live lists the trainings that are running or queued.
func (s *Set) Live() []storage.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []storage.Job
	for _, l := range s.live {
		out = append(out, l.Record)
	}
	return out
}

// Running reports whether a training is under way.
func (s *Set) Running(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, live := s.live[id]
	return live
}

// Async runs a training beside its statement; close waits for it.
func (s *Set) Async(train func()) {
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		train()
	}()
}
