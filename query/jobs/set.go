package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/storage"
	"parlance/storage/registry"
)

// Set are the trainings that run in this process.
type Set struct {
	store  *storage.Store
	ended  func(state string) // is called with the final state of each training, for metrics
	Queue  Queue
	mu     sync.Mutex
	live   map[uint64]*Job
	wait   sync.WaitGroup
	closed bool
}

type Job struct {
	Record      registry.Job
	cancel      context.CancelFunc
	ctx         context.Context
	waiter      *Waiter       // nil unless it waits for a slot
	releaseName func()        // releases the reserved name of its model
	ended       chan struct{} // closed when its outcome is stored
}

// Start registers a training of a user, and reserves the name of its model unless that is empty. End must follow.
func (s *Set) Start(ctx context.Context, user, statement string, resumed uint64,
	model string) (_ context.Context, _ *Job, err error) {
	unname := func() {}
	if model != "" {
		if unname, err = s.store.ReserveModelName(model); err != nil {
			return nil, nil, err
		}
	}
	defer func() {
		if err != nil {
			unname()
		}
	}()
	var job registry.Job
	if resumed != 0 {
		job, _ = s.store.Job(resumed)
		job.User = user
		job.State, job.Error, job.Started, job.Ended = "running", "", time.Now().UTC(), time.Time{}
		err = s.store.UpdateJob(job)
	} else {
		job, err = s.store.NewJob(user, statement)
	}
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	l := &Job{Record: job, ctx: ctx, cancel: cancel, releaseName: unname, ended: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel()
		return nil, nil, fault.New("57P01", "the database is closing")
	}
	s.live[job.ID] = l
	return ctx, l, nil
}

// End stores the outcome of a training.
func (s *Set) End(l *Job, err error) error {
	s.mu.Lock()
	job := l.Record
	closed := s.closed
	s.mu.Unlock()
	// after the outcome is stored: a job that is neither running nor stored as ended would be listed as interrupted
	defer func() {
		s.mu.Lock()
		delete(s.live, job.ID)
		s.mu.Unlock()
		l.releaseName()
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

// Progress records the progress of a training, for other sessions.
func (s *Set) Progress(l *Job, p kind.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.Step, l.Record.Of, l.Record.Objective, l.Record.Note = p.Step, p.Of, Finite(p.Objective), p.Note
}

// Finite replaces NaN and infinities, which JSON cannot hold, by 0.
func Finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// List lists the stored jobs; those that run have their present state.
func (s *Set) List() []registry.Job {
	list := s.store.Jobs()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, j := range list {
		if l, ok := s.live[j.ID]; ok {
			list[i] = l.Record
			if l.waiter != nil {
				list[i].Note = WaitingText(s.Queue.Position(l.waiter))
			}
		} else if j.State == "running" {
			list[i].State = "interrupted"
		}
	}
	return list
}

// WaitingText is the notice to a training at a position of the queue.
func WaitingText(position int) string { return fmt.Sprintf("waiting: position %d", position) }

// Queued records that a job waits for a slot; l may be nil.
func (s *Set) Queued(l *Job, w *Waiter) {
	if l == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.State, l.waiter = "queued", w
}

// Admitted records that a job has got its slot.
func (s *Set) Admitted(l *Job) {
	if l == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l.Record.State, l.waiter, l.Record.Started = "running", nil, time.Now().UTC().Truncate(time.Microsecond)
}

// ErrShutdown is the cause of cancellations when the program shuts down. Trainings that it stops are recorded as
// interrupted, not as cancelled.
var ErrShutdown = &ast.Error{Code: "57P01", Msg: "the server is shutting down"}

// NewSet returns an empty set whose jobs are stored in store; ended is called with the final state of each training.
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

// Cancel cancels a training and returns a channel that is closed when it has ended; nil if it is not running.
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

// Live lists the trainings that are running or queued, by number.
func (s *Set) Live() []registry.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []registry.Job
	for _, id := range slices.Sorted(maps.Keys(s.live)) {
		out = append(out, s.live[id].Record)
	}
	return out
}

// Running reports whether a training is running or queued.
func (s *Set) Running(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, live := s.live[id]
	return live
}

// Async runs a training in the background. Close waits for it.
func (s *Set) Async(train func()) {
	s.wait.Add(1)
	go func() {
		defer s.wait.Done()
		train()
	}()
}
