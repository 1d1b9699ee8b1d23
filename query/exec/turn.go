package exec

import (
	"context"

	"parlance/query/jobs"
)

// turn waits until the statement may train; trainings.leave must follow. While it waits it holds no
// snapshot: what is trained on is the state of its turn, so the caller must bind anew if it waited.
func (r *run) turn(ctx context.Context, l *jobs.Job) (waited bool, err error) {
	w, position, err := r.jobs.Queue.Enter()
	if w == nil {
		return false, err
	}
	if r.now != nil {
		r.now.waiter.Store(w)
		defer r.now.waiter.Store(nil)
	}
	r.jobs.Queued(l, w)
	// Whoever is told finds it in system.activity and system.jobs.
	tell := func(position int) { r.ses.Notice(jobs.WaitsAt(position)) }
	tell(position)
	r.snap.Close()
	err = r.jobs.Queue.Wait(ctx, w, tell)
	r.snap = r.Store.Snapshot()
	r.jobs.Admitted(l)
	return true, err
}
