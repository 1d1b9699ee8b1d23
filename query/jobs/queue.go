package jobs

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parlance/query/ast"
)

// Queue is a semaphore of max_trainings slots. Trainings wait for a slot in order of arrival.
type Queue struct {
	mu      sync.Mutex
	slots   int
	busy    int
	waiting []*Waiter
}

// Waiter is a training that waits for a slot.
type Waiter struct {
	ready chan struct{} // closed when it has a slot
	moved chan struct{} // signals that its position has changed
}

// maxWaiting bounds the trainings that wait.
const maxWaiting = 1000

// Resize changes the number of slots. Trainings that run are not stopped.
func (q *Queue) Resize(slots int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots = slots
	q.admit()
}

// admit gives free slots to waiters. The lock must be held.
func (q *Queue) admit() {
	for q.busy < q.slots && len(q.waiting) > 0 {
		w := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		q.busy++
		close(w.ready)
		q.notifyMoved(0)
	}
}

// notifyMoved signals to the waiters from index from on that their positions have changed. The lock must be held.
func (q *Queue) notifyMoved(from int) {
	for _, w := range q.waiting[from:] {
		select {
		case w.moved <- struct{}{}:
		default: // a signal is pending already
		}
	}
}

// Acquire takes a slot or, if none is free, a place in the queue. The waiter is nil if it took a slot.
func (q *Queue) Acquire() (*Waiter, int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy < q.slots && len(q.waiting) == 0 {
		q.busy++
		return nil, 0, nil
	}
	if len(q.waiting) >= maxWaiting {
		return nil, 0, &ast.Error{Code: "53400", Msg: fmt.Sprintf("%d trainings wait already", maxWaiting),
			Hint: "CANCEL JOB takes one away"}
	}
	w := &Waiter{make(chan struct{}), make(chan struct{}, 1)}
	q.waiting = append(q.waiting, w)
	return w, len(q.waiting), nil
}

// Release frees a slot.
func (q *Queue) Release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	q.admit()
}

// Wait waits for a slot, and calls tell with each new position. If it returns an error, no slot is held.
func (q *Queue) Wait(ctx context.Context, w *Waiter, tell func(position int)) error {
	for waits := true; waits; {
		select {
		case <-w.ready:
			return nil
		case <-w.moved:
			if n := q.Position(w); n > 0 {
				tell(n)
			}
		case <-ctx.Done():
			waits = false
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, w); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.notifyMoved(i)
		return ctx.Err()
	}
	q.busy-- // it got a slot just before the context was cancelled
	q.admit()
	return ctx.Err()
}

// Position is the position in the queue, from 1; 0 for a training that no longer waits.
func (q *Queue) Position(w *Waiter) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return 1 + slices.Index(q.waiting, w)
}
