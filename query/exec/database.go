package exec

import (
	"sync/atomic"

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
	"parlance/storage/value"
)

// Database is what all statements on one store share. It is safe for concurrent use.
type Database struct {
	Store          *storage.Store
	SystemSettings atomic.Pointer[setting.Database] // of ALTER SYSTEM
	Kinds          []kind.Kind
	Funcs          *fn.Table
	Program        string                              // version of the program, for the lineage of models
	Parse          func(string) (ast.Statement, error) // parses the stored statements of jobs
	Meter          *meter.Meter
	Jobs           *jobs.Set
	Models         models.Set
	Documents      document.Maker
	Evaluation     Evaluation // set by the engine, as Sources
	Sources        Sources
	Builtin        bind.Declared // what may be named besides objects; set by the engine
	Pool           *expr.Pool    // counts the memory of all statements
	ResultCache    resultCache
	plans          planCache
}

// Init makes the database of a store, without settings, evaluation and sources. What is counted in the meter and the
// pool may be shared with another one.
func (e *Database) Init(s *storage.Store, kinds []kind.Kind, funcs *fn.Table, program string, m *meter.Meter,
	pool *expr.Pool) {
	e.Store, e.Kinds, e.Funcs, e.Program, e.Meter, e.Pool = s, kinds, funcs, program, m, pool
	e.Documents.Init(func() int { return e.SystemSettings.Load().MaxDocumentBytes })
	e.Models.Init(s, kinds, program, &e.Documents, func() int64 { return e.SystemSettings.Load().ModelBytes() })
	e.Jobs = jobs.NewSet(s, e.Meter.Trainings.Add)
	e.ResultCache.init()
}

// Evaluation opens EVALUATE in FROM. The package that scores implements it.
type Evaluation interface {
	Open(r *Execution, n *plan.Evaluate) (operator.Operator, error)
}

// Sources opens what may stand in FROM besides layers, tables, and the relations that kinds declare.
type Sources interface {
	// Open opens a relation; ok is false for one that is not among these.
	Open(r *Execution, n *plan.Relation, args []value.Value) (op operator.Operator, ok bool, err error)
}

// Capture makes sn a snapshot of the state that a session sees: with the changes of its transaction, or the state that
// its block sees throughout, else the newest.
func (e *Database) Capture(ses *Session, sn *storage.Snapshot) *storage.Snapshot {
	switch {
	case ses.Transaction != nil:
		ses.Transaction.Capture(sn)
	case ses.Frozen != nil:
		ses.Frozen.Capture(sn)
	default:
		e.Store.Capture(sn)
	}
	return sn.ForSession(ses.Temporary)
}

// statementMemory is how much memory a statement of a session may use, in MB.
func (e *Database) statementMemory(ses *Session) int {
	limit := e.SystemSettings.Load().StatementMemory
	if c := ses.Settings.RoleLimit; c != nil && c.StatementMemory > 0 {
		limit = min(limit, c.StatementMemory)
	}
	return limit
}
