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

// deadline cancels a statement after statement_timeout, counted from its arrival to its end; the time
// that its client takes to read its rows counts. What trains is exempt. It is nil without a limit, and
// where parsing took all the time.
func (a *activity) deadline(s *running) *time.Timer {
	ms := s.ses.Settings.StatementTimeout
	if ms == 0 || s.cancel == nil || trains(s.stmt) {
		return nil
	}
	left := time.Duration(ms)*time.Millisecond - s.ses.Spent
	if left <= 0 {
		s.cancel(tookLonger(ms, ""))
		return nil
	}
	id := s.id
	return time.AfterFunc(left, func() {
		a.mu.Lock() // a statement that ends meanwhile must not hand its cancel on to the next one
		defer a.mu.Unlock()
		if s.stmt == nil || s.id != id {
			return
		}
		s.cancel(tookLonger(ms, s.endless("")))
	})
}

// Limited returns a context that ends when statement_timeout has passed since the arrival of a statement
// that is described, and what lets go of it.
func (s *Session) Limited(ctx context.Context) (context.Context, context.CancelFunc) {
	ms := s.Settings.StatementTimeout
	if ms == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, time.Duration(ms)*time.Millisecond-s.Spent, tookLonger(ms, ""))
}

func tookLonger(ms int, why string) *ast.Error {
	return &ast.Error{Code: CodeCancelled, Msg: fmt.Sprintf("the statement took longer than statement_timeout, %d ms", ms),
		Hint: why + "SET statement_timeout = 0 lifts the limit for the session"}
}

// endless adds to the hint of a limit what may have made a recursive select endless.
func (s *running) endless(hint string) string {
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

// cause replaces a cancellation by what it was for, if that is known.
func cause(ctx context.Context, err error) error {
	if err == nil || !fault.IsCancel(err) || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// cancelStatement ends a statement of any session; its client receives an error.
func (r *execution) cancelStatement(s *ast.CancelStatement) (*operator.Result, error) {
	id, err := r.JobNumber(s.Statement)
	if err != nil {
		return nil, plan.Errorf(s.Statement.Position(), plan.CodeType, "SHOW ACTIVITY lists them", "the number of a statement is wanted")
	}
	role, err := r.engine.Role(r.ses)
	if err != nil {
		return nil, err
	}
	a := &r.engine.activity
	a.mu.Lock() // until the end: a statement that ends meanwhile must not hand its cancel on to the next one
	defer a.mu.Unlock()
	x := a.head.next
	for x != &a.head && x.id != id {
		x = x.next
	}
	if x == &a.head || x.cancel == nil {
		return nil, a.notRunning(s.Pos, uint64(id))
	}
	if !r.ses.governs(role, x.user) {
		return nil, plan.Errorf(s.Pos, "42501", "", "statement %d is one of another user", id)
	}
	x.cancel(r.cancelled())
	return operator.Tag("CANCEL STATEMENT"), nil
}

// notRunning says that there is no statement of a number, or how to end the block that is listed under it; a.mu is held.
func (a *activity) notRunning(pos ast.Pos, id uint64) error {
	for _, b := range a.blocks {
		if b.id == id && b.ses.ID != 0 {
			return plan.Errorf(pos, plan.CodeUndefinedObject, fmt.Sprintf("CANCEL SESSION %d ends its session, which waits in a transaction block", b.ses.ID), "statement %d is not running", id)
		}
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, "SHOW ACTIVITY lists them", "statement %d is not running", id)
}
