package jobs

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"parlance/query/ast"
)

// Queue lets max_trainings train at once; others wait in the order of their coming.
type Queue struct {
	mu      sync.Mutex
	slots   int
	busy    int
	waiting []*Waiter
}

// Waiter is a training that waits for its turn.
type Waiter struct {
	turn  chan struct{} // closed when it may train
	moved chan struct{} // has an element when its position has changed
}

// maxWaiting bounds the trainings that wait.
const maxWaiting = 1000

// Resize changes how many train at once; those that train go on.
func (q *Queue) Resize(slots int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots = slots
	q.admit()
}

// admit gives free slots to those who wait; the lock is held.
func (q *Queue) admit() {
	for q.busy < q.slots && len(q.waiting) > 0 {
		w := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		q.busy++
		close(w.turn)
		q.stir(0)
	}
}

// stir tells those behind a place that their positions have changed; the lock is held.
func (q *Queue) stir(from int) {
	for _, w := range q.waiting[from:] {
		select {
		case w.moved <- struct{}{}:
		default: // it has not yet asked after the last change
		}
	}
}

// Enter takes a slot, or a place in the queue: the waiter is nil for a slot.
func (q *Queue) Enter() (*Waiter, int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy < q.slots && len(q.waiting) == 0 {
		q.busy++
		return nil, 0, nil
	}
	if len(q.waiting) >= maxWaiting {
		return nil, 0, &ast.Error{Code: "53400", Msg: fmt.Sprintf("%d trainings wait already", maxWaiting), Hint: "CANCEL JOB takes one away"}
	}
	w := &Waiter{make(chan struct{}), make(chan struct{}, 1)}
	q.waiting = append(q.waiting, w)
	return w, len(q.waiting), nil
}

// Leave frees a slot.
func (q *Queue) Leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	q.admit()
}

// Wait waits for the turn, and tells each new position. On an error no slot is held.
func (q *Queue) Wait(ctx context.Context, w *Waiter, tell func(position int)) error {
	for waits := true; waits; {
		select {
		case <-w.turn:
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
		q.stir(i)
		return ctx.Err()
	}
	q.busy-- // its turn came in the same moment
	q.admit()
	return ctx.Err()
}

// Position is the place in the queue, from 1; 0 for one that waits no longer.
func (q *Queue) Position(w *Waiter) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return 1 + slices.Index(q.waiting, w)
}
