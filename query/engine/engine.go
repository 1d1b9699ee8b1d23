package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/operator"
	"parlance/query/pgcatalog"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/query/setting"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// Engine executes statements on one store. It is safe for concurrent use.
type Engine struct {
	exec.Database
	catalog  *pgcatalog.Catalog
	started  time.Time
	activity activity
	sessions sessionList
	cursors  openCursors
}

// NewEngine returns an engine over the store.
func NewEngine(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string) (*Engine, error) {
	e := &Engine{catalog: pgcatalog.New(catalogTables()), started: time.Now()}
	e.Database.Init(s, kinds, funcs, program)
	e.Evaluation, e.Sources = score.Evaluator{}, relation.Relations{}
	e.activity.init()
	return e, e.applySystem()
}

// Session is what belongs to one connection.
type Session struct {
	exec.Session
	Login      *Login // nil for a program that has the file open: it may do everything
	Block      Block  // of the transaction
	savepoints []savepoint
	asked      bool   // a statement of the block has read or changed something
	unlist     func() // takes it off the list of what goes on
	grouped    bool   // statements outside of a block are one transaction
	cursors    map[string]*cursor
	blocks     uint64                       // that were opened
	opened     time.Time                    // when the last of them was
	Unwound    func(depth int, undone bool) // told that what was opened after more savepoints of the block than depth is undone, or stands where it is; may be nil
	Forget     func(name string) bool       // drops what a protocol keeps of a prepared statement, of all for an empty name, and tells whether it did; may be nil
	Cancel     context.CancelCauseFunc      // of the context of the next Execute, may be nil
	Spent      time.Duration                // on the next statement before it is executed or described: parsing
	Statement  uint64                       // number of the statement that began last
	idle       *running                     // to be used again
	listed     *openSession                 // what others know of it, nil within the process
}

// NewSession returns a session with the default settings, whose notices and progress go nowhere.
func NewSession() *Session {
	s := &Session{}
	s.Settings, s.Notice, s.Progress = setting.New(), func(string) {}, func(kind.Progress) {}
	return s
}

// execution is a statement of a session under way.
type execution struct {
	*exec.Execution
	engine *Engine
	ses    *Session
	now    *running
	guard  guarded // the rows of the statement
}

// on returns the execution in a state of its run: of a part of its plan, or of a training beside it.
func (r *execution) on(part *exec.Execution) *execution {
	own := *r
	own.Execution = part
	if part.Session != &r.ses.Session {
		ses := *r.ses
		ses.Session = *part.Session
		own.ses = &ses
	}
	return &own
}

// Execute runs one statement. Rows are read from the result, which must be closed.
func (e *Engine) Execute(ctx context.Context, ses *Session, stmt ast.Statement, params []value.Value) (res *operator.Result, err error) {
	now := e.enlist(ses, stmt)
	defer func() {
		if err != nil {
			err = cause(ctx, err)
			ses.Fail()
		}
		if err != nil || res == nil || res.Rows == nil {
			e.strike(now)
		}
	}()
	defer guard.Recover(&err, "statement")
	if ses.Spent > 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ses.alone(stmt) {
		ses.grouped = true
		defer func() {
			ses.grouped = false
			err = errors.Join(err, fault.At(stmt.Position(), ses.settle(ctx, err == nil)))
		}()
	}
	if ses.Block != NoBlock || ses.grouped || ses.readOnly() {
		if ses.grouped && ses.Block == NoBlock {
			if err := ses.separate(ctx, stmt); err != nil {
				return nil, err
			}
		}
		if err := ses.admit(stmt); err != nil {
			return nil, err
		}
		e.freeze(ses, stmt)
		ctx = e.within(ctx, ses, stmt)
	}
	if most := ses.Settings.LockTimeout; most > 0 {
		ctx = storage.WithLockTimeout(ctx, time.Duration(most)*time.Millisecond)
	}
	r := e.newRun(ctx, ses, params)
	r.observe(now)
	if err = r.authorize(stmt); err == nil {
		res, err = r.statement(ctx, stmt)
	}
	if err != nil || res == nil || res.Rows == nil {
		return res, errors.Join(err, r.Close())
	}
	now.sending.Store(true)
	r.guard.op, r.guard.r, r.guard.share.Of = res.Rows, r, &e.Pool
	res.Rows = &r.guard
	return res, nil
}

// newRun prepares one execution; its snapshot must be closed.
func (e *Engine) newRun(ctx context.Context, ses *Session, params []value.Value) *execution {
	all := &struct {
		execution
		exec.Workspace
	}{} // made at once
	r := &all.execution
	r.Execution = all.Workspace.Prepare(&e.Database, ctx, &ses.Session, params)
	r.engine, r.ses, r.Execution.Host, r.Env.Host = e, ses, r, r
	r.Opened = ses.Began
	if ses.Block != NoBlock {
		r.Opened = ses.opened
	}
	return r
}

// guarded turns panics into errors and releases the snapshot and temporary files at the end. It is
// closed by one goroutine at a time.
type guarded struct {
	op     operator.Operator
	r      *execution
	closed bool
	share  expr.Share // for the batch that is read
}

func (g *guarded) Next(ctx context.Context) (b *value.Batch, err error) {
	defer func() {
		if err != nil {
			g.r.ses.Fail()
		}
	}()
	defer guard.Recover(&err, "query")
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	g.r.now.sending.Store(false)
	b, err = g.op.Next(ctx)
	g.r.now.sending.Store(true)
	if err != nil {
		return nil, cause(ctx, err)
	}
	if b == nil {
		return nil, nil
	}
	if err := operator.CountBatch(&g.share, b); err != nil {
		return nil, err
	}
	return b, g.count(b.N)
}

// count notes rows and keeps max_result_rows.
func (g *guarded) count(n int) error {
	total := g.r.now.rows.Add(int64(n))
	if most := g.r.now.bound; most > 0 && total > most {
		return &ast.Error{Code: exec.CodeResultRows, Msg: fmt.Sprintf("the result has more than max_result_rows, %d rows", most),
			Hint: g.r.now.endless("add LIMIT, or SET max_result_rows = 0")}
	}
	return nil
}

func (g *guarded) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	err := g.op.Close()
	g.r.engine.strike(g.r.now)
	g.share.Set(0)
	return errors.Join(err, g.r.Close())
}

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.Jobs.Close()
	e.Models.Wait()
}
