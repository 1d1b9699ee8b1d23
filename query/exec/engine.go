package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"parlance/algo/kind"
	"parlance/algo/text"
	"parlance/query/ast"
	"parlance/query/expr"
	"parlance/query/fault"
	"parlance/query/fn"
	"parlance/query/jobs"
	"parlance/query/meter"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage"
	"parlance/storage/files"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// Engine executes statements on one store. It is safe for concurrent use.
type Engine struct {
	Store      *storage.Store
	Kinds      []kind.Kind
	Funcs      *fn.Table
	Program    string                              // version of the program, kept in lineage
	Parse      func(string) (ast.Statement, error) // of statements that jobs keep
	models     modelSet
	compiled   resourceSet
	plans      planCache
	images     pgImages
	started    time.Time
	procedures procList
	jobs       *jobs.Set
	Meter      *meter.Meter
	activity   activity
	pool       expr.Pool // of what all statements hold
	sessions   sessionList
	segmented  segmented
	recall     recall
	system     atomic.Pointer[setting.Database]
	cursors    openCursors
	names      sync.Map // *text.LayerDef by name, of layers that models declare
}

// NewEngine returns an engine over the store.
func NewEngine(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string) (*Engine, error) {
	e := &Engine{Store: s, Kinds: kinds, Funcs: funcs, Program: program, Meter: meter.New(), started: time.Now()}
	e.models.m, e.models.schemas = map[modelKey]*modelSlot{}, map[modelKey]*plan.ModelUse{}
	e.jobs = jobs.NewSet(s, e.Meter.Trainings.Add)
	e.activity.init()
	e.segmented.init()
	e.recall.init()
	return e, e.applySystem()
}

// Session is what belongs to one connection.
type Session struct {
	User        string
	Login       *Login // nil for a program that has the file open: it may do everything
	Client      string // its address, empty within the process
	Application string // as the client names itself
	Database    string // as the client calls the database, empty for the name of the file
	ID          int64  // of the connection, 0 within the process
	Server      string // address that the client has connected to, empty within the process
	Settings    *setting.Settings
	sequences   uint64               // of random numbers that statements took since SET seed
	Block       Block                // of the transaction
	savepoints  []savepoint          // of the block, the last one at the end
	transaction *storage.Transaction // of what the block has changed, nil before that
	frozen      *storage.Frozen      // what the statements of the block see, nil for the state of each one's start
	asked       bool                 // a statement of the block has read or changed something
	unlist      func()               // takes it off the list of what goes on
	grouped     bool                 // statements outside of a block are one transaction
	prepared    map[string]*Prepared

	preparedBytes int // of their texts
	cursors       map[string]*cursor
	blocks        uint64                       // that were opened
	opened        time.Time                    // when the last of them was
	Notice        func(msg string)             // never nil
	Progress      func(kind.Progress)          // never nil
	Unwound       func(depth int, undone bool) // told that what was opened after more savepoints of the block than depth is undone, or stands where it is; may be nil
	Forget        func(name string) bool       // drops what a protocol keeps of a prepared statement, of all for an empty name, and tells whether it did; may be nil
	Stdin         io.Reader                    // of LOAD STDIN, may be nil
	Stdout        io.Writer                    // of COPY TO STDOUT, may be nil
	Files         files.Files                  // where paths lead, nil for anywhere
	Cancel        context.CancelCauseFunc      // of the context of the next Execute, may be nil
	Inline        []value.Value                // arguments of the next statement that stand in its text
	Compared      bool                         // its arguments do, compared with columns
	Spent         time.Duration                // on the next statement before it is executed or described: parsing
	Statement     uint64                       // number of the statement that began last
	Began         time.Time                    // when it did
	idle          *running                     // to be used again
	listed        *openSession                 // what others know of it, nil within the process
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
	from, _ := stmt.(*ast.Execute)
	known := uint64(0)
	if from != nil {
		var p *Prepared
		if p, params, err = e.execution(ctx, ses, from, params); err != nil {
			return nil, err
		}
		stmt, known = p.Stmt, floats(p.Params)
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
				return nil, moved(err, from)
			}
		}
		if err := ses.admit(stmt); err != nil {
			return nil, moved(err, from)
		}
		e.freeze(ses, stmt)
		ctx = e.within(ctx, ses, stmt)
	}
	if most := ses.Settings.LockTimeout; most > 0 {
		ctx = storage.WithLockTimeout(ctx, time.Duration(most)*time.Millisecond)
	}
	r := e.newRun(ctx, ses, params)
	r.now, r.from, r.floats = now, from, r.floats|known
	if err = r.authorize(stmt); err == nil {
		res, err = r.statement(ctx, stmt)
	}
	if err != nil || res == nil || res.Rows == nil {
		return res, errors.Join(moved(err, from), r.close())
	}
	now.sending.Store(true)
	r.guard.op, r.guard.r, r.guard.share.Of = res.Rows, r, &e.pool
	res.Rows = &r.guard
	return res, nil
}

// newRun prepares one execution; its snapshot must be closed.
func (e *Engine) newRun(ctx context.Context, ses *Session, params []value.Value) *run {
	all := &struct {
		run
		env   expr.Env
		withs withs
		searcher
		memory   expr.Memory
		snapshot storage.Snapshot
	}{} // made at once
	r := &all.run
	r.Engine, r.ses, r.env, r.withs = e, ses, &all.env, &all.withs
	r.env.Ctx, r.env.Params, r.env.Search = ctx, params, &all.searcher
	all.searcher.r = r
	all.memory.Most = int64(e.statementMemory(ses)) << 20
	all.memory.Pool = &e.pool
	r.env.Memory = &all.memory
	r.env.Host = r
	r.began, r.opened = ses.Began, ses.Began
	if ses.Block != NoBlock {
		r.opened = ses.opened
	}
	for i, p := range params {
		if p.T == value.Float && i < 64 {
			r.floats |= 1 << i
		}
	}
	r.snap = e.capture(ses, &all.snapshot)
	return r
}

// close lets go of what the execution has, after its operators.
func (r *run) close() error {
	r.snap.Close()
	r.env.Memory.Free()
	return r.withs.close()
}

// guarded turns panics into errors and releases the snapshot and temporary files at the end. It is
// closed by one goroutine at a time.
type guarded struct {
	op     operator.Operator
	r      *run
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
		return nil, cause(ctx, moved(err, g.r.from))
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
		return &ast.Error{Code: CodeResultRows, Msg: fmt.Sprintf("the result has more than max_result_rows, %d rows", most),
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
	g.r.strike(g.r.now)
	g.share.Set(0)
	return errors.Join(err, g.r.close())
}

// cached reports whether predictions go through the cache.
func (r *run) cached() bool { return r.ses.Settings.Cache != "off" }

// layerDef returns the definition of a layer, built-in or of a model, or nil.
func (e *Engine) layerDef(name string) *text.LayerDef {
	if d := text.Builtins(name); d != nil {
		return d
	}
	if d, ok := e.names.Load(name); ok {
		return d.(*text.LayerDef)
	}
	d := e.recordedDef(name)
	if d != nil {
		e.names.Store(name, d)
	}
	return d
}

// recordedDef finds a layer among those that the versions of models declare, without loading them.
func (e *Engine) recordedDef(name string) *text.LayerDef {
	for _, o := range e.Store.Objects(storage.ModelObject) {
		for _, v := range e.Store.ModelVersions(o.Name) {
			var s kind.Schema
			if bytes.Contains(v.Schema, []byte(name)) && json.Unmarshal(v.Schema, &s) == nil {
				if d := s.Def(name); d != nil {
					return d
				}
			}
		}
	}
	return nil
}

// textOf evaluates an expression that must give text: a path or a parameter.
func (r *run) textOf(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Literal:
		if s, ok := e.Value.(string); ok {
			return s, nil
		}
	case *ast.Param:
		v, err := (&expr.Param{Index: e.Index}).At(r.env, nil, 0)
		if err != nil {
			return "", plan.Errorf(e.Pos, "08P01", "", "%v", err)
		}
		if v.T == value.Text {
			return v.S, nil
		}
	}
	return "", plan.Errorf(e.Position(), plan.CodeType, "", "text is wanted here")
}
