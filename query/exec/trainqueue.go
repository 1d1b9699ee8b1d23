package exec

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parlance/query/ast"
)

// trainQueue lets max_trainings train at once; others wait in the order of their coming.
type trainQueue struct {
	mu      sync.Mutex
	slots   int
	busy    int
	waiting []*waiter
}

// waiter is a training that waits for its turn.
type waiter struct {
	turn  chan struct{} // closed when it may train
	moved chan struct{} // has an element when its position has changed
}

// maxWaiting bounds the trainings that wait.
const maxWaiting = 1000

// resize changes how many train at once; those that train go on.
func (q *trainQueue) resize(slots int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots = slots
	q.admit()
}

// admit gives free slots to those who wait; the lock is held.
func (q *trainQueue) admit() {
	for q.busy < q.slots && len(q.waiting) > 0 {
		w := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		q.busy++
		close(w.turn)
		q.stir(0)
	}
}

// stir tells those behind a place that their positions have changed; the lock is held.
func (q *trainQueue) stir(from int) {
	for _, w := range q.waiting[from:] {
		select {
		case w.moved <- struct{}{}:
		default: // it has not yet asked after the last change
		}
	}
}

// enter takes a slot, or a place in the queue: the waiter is nil for a slot.
func (q *trainQueue) enter() (*waiter, int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy < q.slots && len(q.waiting) == 0 {
		q.busy++
		return nil, 0, nil
	}
	if len(q.waiting) >= maxWaiting {
		return nil, 0, &ast.Error{Code: "53400", Msg: fmt.Sprintf("%d trainings wait already", maxWaiting), Hint: "CANCEL JOB takes one away"}
	}
	w := &waiter{make(chan struct{}), make(chan struct{}, 1)}
	q.waiting = append(q.waiting, w)
	return w, len(q.waiting), nil
}

// leave frees a slot.
func (q *trainQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	q.admit()
}

// wait waits for the turn, and tells each new position. On an error no slot is held.
func (q *trainQueue) wait(ctx context.Context, w *waiter, tell func(position int)) error {
	for waits := true; waits; {
		select {
		case <-w.turn:
			return nil
		case <-w.moved:
			if n := q.position(w); n > 0 {
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
		q.stir(i)
		return ctx.Err()
	}
	q.busy-- // its turn came in the same moment
	q.admit()
	return ctx.Err()
}

// position is the place in the queue, from 1; 0 for one that waits no longer.
func (q *trainQueue) position(w *waiter) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return 1 + slices.Index(q.waiting, w)
}
