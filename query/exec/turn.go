package exec

import (
	"context"
)

// turn waits until the statement may train; trainings.leave must follow. While it waits it holds no
// snapshot: what is trained on is the state of its turn, so the caller must bind anew if it waited.
func (r *run) turn(ctx context.Context, l *liveJob) (waited bool, err error) {
	w, position, err := r.jobs.queue.enter()
	if w == nil {
		return false, err
	}
	if r.now != nil {
		r.now.waiter.Store(w)
		defer r.now.waiter.Store(nil)
	}
	r.jobs.queued(l, w)
	// Whoever is told finds it in system.activity and system.jobs.
	tell := func(position int) { r.ses.Notice(waitsAt(position)) }
	tell(position)
	r.snap.Close()
	err = r.jobs.queue.wait(ctx, w, tell)
	r.snap = r.Store.Snapshot()
	r.jobs.admitted(l)
	return true, err
}
