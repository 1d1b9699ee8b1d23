package learn

import (
	"context"

	"parlance/query/exec"
	"parlance/query/jobs"
)

// waitForSlot waits for a slot of the queue; Queue.Release must follow. While it waits it holds no snapshot: the
// training reads the state at the time it gets the slot, so the caller must bind again if it waited.
func waitForSlot(r *exec.Execution, ctx context.Context, l *jobs.Job) (waited bool, err error) {
	w, position, err := r.Jobs.Queue.Acquire()
	if w == nil {
		return false, err
	}
	if r.Status != nil {
		r.Status.Waiter.Store(w)
		defer r.Status.Waiter.Store(nil)
	}
	r.Jobs.Queued(l, w)
	// The position is also in system.activity and system.jobs.
	tell := func(position int) { r.Session.Notice(jobs.WaitingText(position)) }
	tell(position)
	r.Snapshot.Close()
	err = r.Jobs.Queue.Wait(ctx, w, tell)
	r.Snapshot = r.Store.Snapshot().ForSession(r.Session.Temporary)
	r.Jobs.Admitted(l)
	return true, err
}
