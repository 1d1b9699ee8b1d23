package engine

import (
	"context"
	"errors"
	"time"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/meter"
	"parlance/query/operator"
	"parlance/query/pgcatalog"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/query/setting"
	"parlance/query/turn"
	"parlance/storage"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// Engine executes statements on one store. It is safe for concurrent use.
type Engine struct {
	exec.Database
	*process
	catalog *pgcatalog.Catalog
	opened  time.Time // when it was made
	cursors openCursors

	// Reload opens the file at the path of the database anew, and lets further statements begin on it. It is set by who
	// owns the engine.
	Reload func(context.Context) (Reloaded, error)
	// Retain keeps the file open until what it returns is called.
	Retain func() (leave func())
}

// process is what engines share that follow one another in a process: sessions go on under the next one, while
// statements of the last one still run.
type process struct {
	started  time.Time
	activity activity
	sessions sessionList
	turns    turn.Queue
	reloads  reloads
}

// NewEngine returns an engine over the store.
func NewEngine(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string) (*Engine, error) {
	p := &process{started: time.Now()}
	p.activity.init()
	return newEngine(s, kinds, funcs, program, p, meter.New(), &expr.Pool{})
}

func newEngine(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string, p *process, m *meter.Meter,
	pool *expr.Pool) (*Engine, error) {
	e := &Engine{process: p, catalog: pgcatalog.New(catalogTables()), opened: time.Now()}
	e.Retain = func() func() { return func() {} }
	e.reloads.open.Add(1)
	e.Database.Init(s, kinds, funcs, program, m, pool)
	e.Evaluation, e.Sources = score.Evaluator{}, relation.Relations{}
	e.Builtin = bind.Declared{Functions: funcs, CorpusFunctions: relation.CorpusFunctions(),
		ModelRelations: relation.ModelRelations, System: e.catalog.Columns()}
	if err := e.applySystem(); err != nil {
		e.FileClosed()
		return nil, err
	}
	return e, nil
}

// Session is the state of one connection.
type Session struct {
	exec.Session
	Login        *Login // nil for a program that has the file open, which may do everything
	Block        Block  // state of the transaction block
	savepoints   []savepoint
	usedState    bool   // a statement of the block has read or written
	untrackBlock func() // removes the block from activity
	implicit     bool   // an implicit block is open
	cursors      map[string]*cursor
	blocks       uint64    // number of blocks opened so far
	opened       time.Time // when the last one was opened

	// OnUnwind is called when a rollback to a savepoint or the release of one leaves depth savepoints. What was opened
	// after that savepoint is undone, or belongs to it now. May be nil.
	OnUnwind func(depth int, undone bool)
	// OnDeallocate drops the protocol's state of a prepared statement, or of all for an empty name, and reports whether
	// there was one. May be nil.
	OnDeallocate func(name string) bool
	Cancel       context.CancelCauseFunc // of the context of the next Execute; may be nil
	ParseTime    time.Duration           // of the next statement to be executed or described
	Statement    uint64                  // number of the statement that began last
	spare        *runningStatement       // reused by the next statement
	entry        *openSession            // in the list of sessions; nil for a session within the process
}

// NewSession returns a session with the default settings, whose notices and progress go nowhere.
func NewSession() *Session {
	s := &Session{}
	s.Settings, s.Notice, s.Progress = setting.New(), func(string) {}, func(kind.Progress) {}
	return s
}

// execution is a running statement of a session.
type execution struct {
	*exec.Execution
	engine *Engine
	ses    *Session
	now    *runningStatement
	result guardedResult // the rows of the statement
}

// derived returns a copy of r that works with another execution of its statement: for a part of the plan, or a training
// in the background.
func (r *execution) derived(part *exec.Execution) *execution {
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
func (e *Engine) Execute(ctx context.Context, ses *Session, stmt ast.Statement,
	params []value.Value) (res *operator.Result, err error) {
	now := e.register(ses, stmt)
	defer func() {
		if err != nil {
			err = cancelCause(ctx, err)
			ses.Fail()
		}
		if err != nil || res == nil || res.Rows == nil {
			e.deregister(now)
		}
	}()
	defer guard.Recover(&err, "statement")
	if ses.ParseTime > 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ses.singleSerializable(stmt) {
		ses.implicit = true
		defer func() {
			ses.implicit = false
			err = errors.Join(err, fault.At(stmt.Position(), ses.endTransaction(ctx, err == nil)))
		}()
	}
	if ses.Block != NoBlock || ses.implicit || ses.readOnly() {
		if ctx, err = e.enterTransaction(ctx, ses, stmt); err != nil {
			return nil, err
		}
	}
	if most := ses.Settings.LockTimeout; most > 0 {
		ctx = storage.WithLockTimeout(ctx, time.Duration(most)*time.Millisecond)
	}
	ctx = e.takeTurns(ctx, now, ses)
	r := e.newExecution(ctx, ses, params)
	r.observeAs(now)
	if err = r.authorize(stmt); err == nil {
		res, err = r.statement(ctx, stmt)
	}
	if err != nil || res == nil || res.Rows == nil {
		return res, errors.Join(err, r.Close())
	}
	now.sending.Store(true)
	r.result.op, r.result.r, r.result.share.Of = res.Rows, r, e.Pool
	res.Rows = &r.result
	return res, nil
}

// enterTransaction checks that a statement can run in the block of the session, and makes it part of its transaction.
func (e *Engine) enterTransaction(ctx context.Context, ses *Session, stmt ast.Statement) (context.Context, error) {
	if ses.implicit && ses.Block == NoBlock {
		if err := ses.commitImplicitBefore(ctx, stmt); err != nil {
			return ctx, err
		}
	}
	if err := ses.checkBlock(stmt); err != nil {
		return ctx, err
	}
	e.freezeState(ses, stmt)
	return e.joinTransaction(ctx, ses, stmt), nil
}

// newExecution prepares the execution of a statement. Its snapshot must be closed.
func (e *Engine) newExecution(ctx context.Context, ses *Session, params []value.Value) *execution {
	all := &struct {
		execution
		exec.Workspace
	}{} // in one allocation
	r := &all.execution
	r.Execution = all.Workspace.Prepare(&e.Database, ctx, &ses.Session, params)
	r.engine, r.ses, r.Execution.Host, r.Env.Host = e, ses, r, r
	r.Catalog.Session.User, r.Catalog.Session.Database = r.UserName(), r.DatabaseName()
	r.Opened = ses.Began
	if ses.Block != NoBlock {
		r.Opened = ses.opened
	}
	return r
}

// guardedResult is the operator of a statement's rows. It turns panics into errors, and releases the snapshot and the
// temporary files at the end. It is not safe for concurrent use.
type guardedResult struct {
	op     operator.Operator
	r      *execution
	closed bool
	share  expr.Share // for the batch that is read
}

func (g *guardedResult) Next(ctx context.Context) (b *value.Batch, err error) {
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
	if s := g.r.now.slot; s != nil {
		ctx = turn.With(ctx, s)
		if turn.Err(ctx) != nil {
			return nil, context.Cause(ctx)
		}
	}
	b, err = g.op.Next(ctx)
	g.r.now.sending.Store(true)
	if err != nil {
		return nil, cancelCause(ctx, err)
	}
	if b == nil {
		return nil, nil
	}
	if err := operator.CountBatch(&g.share, b); err != nil {
		return nil, err
	}
	return b, g.count(b.N)
}

// count counts rows and enforces max_result_rows.
func (g *guardedResult) count(n int) error {
	total := g.r.now.rows.Add(int64(n))
	if most := g.r.now.maxRows; most > 0 && total > most {
		return &ast.Error{Code: exec.CodeResultRows,
			Msg:  text.Countf("the result has more than max_result_rows, %d {row|rows}", most),
			Hint: g.r.now.hintEndless("add LIMIT, or SET max_result_rows = 0")}
	}
	return nil
}

func (g *guardedResult) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	err := g.op.Close()
	g.r.engine.deregister(g.r.now)
	g.share.Set(0)
	return errors.Join(err, g.r.Close())
}

// Close cancels running trainings and waits for them.
func (e *Engine) Close() {
	e.cursors.close()
	e.Jobs.Close()
	e.Models.Wait()
}
