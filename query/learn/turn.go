package learn

import (
	"context"

	"parlance/query/exec"
	"parlance/query/jobs"
)

// turn waits until the statement may train; trainings.leave must follow. While it waits it holds no
// snapshot: what is trained on is the state of its turn, so the caller must bind anew if it waited.
func turn(r *exec.Execution, ctx context.Context, l *jobs.Job) (waited bool, err error) {
	w, position, err := r.Jobs.Queue.Enter()
	if w == nil {
		return false, err
	}
	if r.Status != nil {
		r.Status.Waiter.Store(w)
		defer r.Status.Waiter.Store(nil)
	}
	r.Jobs.Queued(l, w)
	// Whoever is told finds it in system.activity and system.jobs.
	tell := func(position int) { r.Session.Notice(jobs.WaitsAt(position)) }
	tell(position)
	r.Snapshot.Close()
	err = r.Jobs.Queue.Wait(ctx, w, tell)
	r.Snapshot = r.Store.Snapshot()
	r.Jobs.Admitted(l)
	return true, err
}
