package exec

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"parlance/algo/kind"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/document"
	"parlance/query/expr"
	"parlance/query/fn"
	"parlance/query/jobs"
	"parlance/query/meter"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/query/setting"
	"parlance/storage"
	"parlance/storage/files"
	"parlance/storage/value"
)

// Close lets go of what the execution has, after its operators.
func (r *Execution) Close() error {
	r.Snapshot.Close()
	r.Env.Memory.Free()
	return r.Withs.Close()
}

// cached reports whether predictions go through the cache.
func (r *Execution) cached() bool { return r.Session.Settings.Cache != "off" }

// TextOf evaluates an expression that must give text: a path or a parameter.
func (r *Execution) TextOf(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Literal:
		if s, ok := e.Value.(string); ok {
			return s, nil
		}
	case *ast.Param:
		v, err := (&expr.Param{Index: e.Index}).At(r.Env, nil, 0)
		if err != nil {
			return "", plan.Errorf(e.Pos, "08P01", "", "%v", err)
		}
		if v.T == value.Text {
			return v.S, nil
		}
	}
	return "", plan.Errorf(e.Position(), plan.CodeType, "", "text is wanted here")
}

// Capture makes sn a snapshot of the state that the session sees.
func (e *Database) Capture(ses *Session, sn *storage.Snapshot) *storage.Snapshot {
	switch {
	case ses.Transaction != nil:
		return ses.Transaction.Capture(sn)
	case ses.Frozen != nil:
		return ses.Frozen.Capture(sn)
	}
	return e.Store.Capture(sn)
}

// statementMemory is what a statement of the session may hold, in MB.
func (e *Database) statementMemory(ses *Session) int {
	most := e.SystemSettings.Load().StatementMemory
	if c := ses.Settings.RoleLimit; c != nil && c.StatementMemory > 0 {
		most = min(most, c.StatementMemory)
	}
	return most
}

// Database is what the executions on one store share. It is safe for concurrent use.
type Database struct {
	Store          *storage.Store
	Kinds          []kind.Kind
	Funcs          *fn.Table
	Program        string                              // version of the program, kept in lineage
	Parse          func(string) (ast.Statement, error) // of statements that jobs keep
	Meter          *meter.Meter
	Evaluation     Evaluation // set by the engine, as Sources
	Sources        Sources
	Jobs           *jobs.Set
	Models         models.Set
	Documents      document.Maker
	plans          planCache
	Pool           expr.Pool // of what all statements hold
	ResultCache    resultCache
	SystemSettings atomic.Pointer[setting.Database]
}

func (e *Database) Init(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string) {
	e.Store, e.Kinds, e.Funcs, e.Program, e.Meter = s, kinds, funcs, program, meter.New()
	e.Documents.Init(func() int { return e.SystemSettings.Load().MaxDocumentBytes })
	e.Models.Init(s, kinds, &e.Documents, func() int64 { return e.SystemSettings.Load().ModelBytes() })
	e.Jobs = jobs.NewSet(s, e.Meter.Trainings.Add)
	e.ResultCache.init()
}

// Evaluation opens EVALUATE where a table stands; the package that scores implements it.
type Evaluation interface {
	Columns(r *Execution, s *ast.Evaluate) ([]plan.Column, error)
	Open(r *Execution, n *plan.Evaluate) (operator.Operator, error)
}

// Sources opens what stands in FROM besides layers, tables and the relations of kinds. Open tells with ok whether the
// relation is its own.
type Sources interface {
	CorpusFunctions() []bind.CorpusFunction
	ModelRelations() []kind.Relation
	Open(r *Execution, n *plan.Relation, args []value.Value) (op operator.Operator, ok bool, err error)
}

// Session is what executions know of the session that they are for.
type Session struct {
	User             string
	Client           string // its address, empty within the process
	Application      string // as the client names itself
	Database         string // as the client calls the database, empty for the name of the file
	ID               int64  // of the connection, 0 within the process
	Server           string // address that the client has connected to, empty within the process
	Settings         *setting.Settings
	RandomSequences  uint64               // of random numbers that statements took since SET seed
	Transaction      *storage.Transaction // of what the block has changed, nil before that
	Frozen           *storage.Frozen      // what the statements of the block see, nil for the state of each one's start
	Notice           func(msg string)     // never nil
	Progress         func(kind.Progress)  // never nil
	Stdin            io.Reader            // of LOAD STDIN, may be nil
	Stdout           io.Writer            // of COPY TO STDOUT, may be nil
	Files            files.Files          // where paths lead, nil for anywhere
	Literals         []value.Value        // arguments of the next statement that stand in its text
	LiteralsCompared bool                 // its arguments do, compared with columns
	Began            time.Time            // when the statement did that began last
}

// Host is what an engine answers for the executions of its sessions: what depends on the sessions, and the tables and
// functions of its own catalogs.
type Host interface {
	Function(name string, args []value.Value) (value.Value, error)
	SystemColumns(schema, table string) ([]plan.Column, bool)
	SystemNames() []string
	OpenSystem(r *Execution, n *plan.Relation) (operator.Operator, error)
	HasCatalogTable(r *Execution, schema, table string) bool
	PathOf(r *Execution) []string
	CatalogRows(r *Execution, function string, args []value.Value) ([][]value.Value, error)
}

// Status is what others see of a statement while it runs.
type Status struct {
	Recursive atomic.Pointer[string]      // name of a recursive select that it repeats, nil if none
	Waiter    atomic.Pointer[jobs.Waiter] // while it waits for its turn to train
	Notices   notices
}

// Workspace is an execution with what it needs from the start, made at once.
type Workspace struct {
	Execution
	env      expr.Env
	withs    WithResults
	searcher Searcher
	memory   expr.Memory
	snapshot storage.Snapshot
}

// Prepare makes the execution of a session, which sees the state of now.
func (w *Workspace) Prepare(e *Database, ctx context.Context, ses *Session, params []value.Value) *Execution {
	r := &w.Execution
	r.Database, r.Session, r.Withs = e, ses, &w.withs
	r.Set, r.Env = &e.Models, &w.env
	r.Env.Ctx, r.Env.Params, r.Env.Search = ctx, params, &w.searcher
	w.searcher.R = r
	w.memory.Most = int64(e.statementMemory(ses)) << 20
	w.memory.Pool = &e.Pool
	r.Env.Memory = &w.memory
	r.Began = ses.Began
	for i, p := range params {
		if p.T == value.Float && i < 64 {
			r.Floats |= 1 << i
		}
	}
	r.Snapshot = e.Capture(ses, &w.snapshot)
	return r
}
