package engine

import (
	"context"
	"fmt"
	"time"

	"parlance/query/ast"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/plan"
)

// CodeCancelled is the code of statements that were cancelled or took too long.
const CodeCancelled = "57014"

// deadline starts the timer that cancels a statement after statement_timeout. The time runs from the arrival of the
// statement until its last row is read by the client. Trainings are exempt. It returns nil if there is no limit, or if
// parsing alone has taken longer, when the statement is cancelled at once.
func (a *activity) deadline(s *runningStatement) *time.Timer {
	ms := s.ses.Settings.StatementTimeout
	if ms == 0 || s.cancel == nil || trains(s.stmt) {
		return nil
	}
	left := time.Duration(ms)*time.Millisecond - s.ses.ParseTime
	if left <= 0 {
		s.cancel(timeoutError(ms, ""))
		return nil
	}
	id := s.id
	return time.AfterFunc(left, func() {
		a.mu.Lock() // so that the cancellation cannot hit the next statement of the session
		defer a.mu.Unlock()
		if s.stmt == nil || s.id != id {
			return
		}
		s.cancel(timeoutError(ms, s.hintEndless("")))
	})
}

// WithStatementTimeout returns a context for describing a statement, which is cancelled when statement_timeout has
// passed since its arrival, and the function that releases it.
func (s *Session) WithStatementTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	ms := s.Settings.StatementTimeout
	if ms == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, time.Duration(ms)*time.Millisecond-s.ParseTime, timeoutError(ms, ""))
}

func timeoutError(ms int, why string) *ast.Error {
	return &ast.Error{Code: CodeCancelled, Msg: fmt.Sprintf("the statement took longer than statement_timeout, %d ms", ms),
		Hint: why + "SET statement_timeout = 0 lifts the limit for the session"}
}

// hintEndless adds to the hint of a limit why a recursive query may not end.
func (s *runningStatement) hintEndless(hint string) string {
	if name := s.Recursive.Load(); name != nil {
		return "the recursive select " + *name + " may have no end: UNION leaves out rows that were there before; " + hint
	}
	return hint
}

// trains reports whether a statement is a training, which CANCEL JOB ends.
func trains(stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.Train, *ast.Tune, *ast.ResumeJob, *ast.Replay:
		return true
	}
	return false
}

// cancelCause replaces the error of a cancelled context by the cause of its cancellation, if there is one.
func cancelCause(ctx context.Context, err error) error {
	if err == nil || !fault.IsCancel(err) || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// cancelStatement cancels a statement of any session. Its client receives an error.
func (r *execution) cancelStatement(s *ast.CancelStatement) (*operator.Result, error) {
	id, err := r.JobNumber(s.Statement)
	if err != nil {
		return nil, plan.Errorf(s.Statement.Position(), plan.CodeType, "SHOW ACTIVITY lists them",
			"the number of a statement is wanted")
	}
	role, err := r.engine.Role(r.ses)
	if err != nil {
		return nil, err
	}
	a := &r.engine.activity
	a.mu.Lock() // held until the end, so that the cancellation cannot hit the next statement of the session
	defer a.mu.Unlock()
	x := a.head.next
	for x != &a.head && x.id != id {
		x = x.next
	}
	if x == &a.head || x.cancel == nil {
		return nil, a.notRunning(s.Pos, uint64(id))
	}
	if !r.ses.mayControl(role, x.user) {
		return nil, plan.Errorf(s.Pos, "42501", "", "statement %d is one of another user", id)
	}
	x.cancel(r.cancelled())
	return operator.Tag("CANCEL STATEMENT"), nil
}

// notRunning is the error of a number that no running statement has; if an idle block is listed under it, the hint
// tells how to end that. a.mu must be held.
func (a *activity) notRunning(pos ast.Pos, id uint64) error {
	for _, b := range a.blocks {
		if b.id == id && b.ses.ID != 0 {
			return plan.Errorf(pos, plan.CodeUndefinedObject,
				fmt.Sprintf("CANCEL SESSION %d ends its session, which waits in a transaction block", b.ses.ID),
				"statement %d is not running", id)
		}
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, "SHOW ACTIVITY lists them", "statement %d is not running", id)
}
