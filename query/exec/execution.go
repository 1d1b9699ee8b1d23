package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"parlance/query/annotate"
	"parlance/query/bind"
	"parlance/query/expr"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// Execution is one statement under way. Parts of its plan that run with something more, such as lookup keys or the row
// of an outer side, run in a copy of it.
type Execution struct {
	*Database
	bind.Catalog // what the statement sees: the snapshot that it reads, models, names
	Session      *Session
	Host         Host
	Status       *Status            // nil if no other session sees the statement
	Began        time.Time          // of the statement
	Opened       time.Time          // of the transaction block, or of the statement outside of one
	Floats       uint64             // which parameters are floats: the first at bit 0
	Stats        *operator.Analysis // for EXPLAIN ANALYZE, else nil
	Shared       *annotate.Shared   // results of a model that several nodes annotate with, nil if none does
	Withs        *WithResults       // rows of WITH clauses that are computed once
	Random       *rand.PCG          // nil until random() is called

	dynamicFilters map[*plan.Layer]dynamicFilter      // of the layers below joins that have read their other side
	lookupKeys     map[*plan.Table][][]value.Value    // by which index lookup joins read tables
	WorkTables     map[*plan.WorkTable]*WorkTable     // of the recursive selects whose steps are running
	BuildSides     map[*plan.Join]*operator.BuildSide // that stay for the next steps; nil outside of steps

	result         operator.Result     // of a query
	adhocAnnotator *annotate.Annotator // of a query over an ad-hoc text
	warned         map[string]bool     // notices that were given
	reusesScratch  bool                // nothing reads the rows of the text after the next batch
}

// Workspace is an execution in one piece of memory with what it always needs.
type Workspace struct {
	Execution
	env      expr.Env
	withs    WithResults
	searcher Searcher
	memory   expr.Memory
	snapshot storage.Snapshot
}

// Prepare begins a statement of a session, which sees the state of now.
func (w *Workspace) Prepare(e *Database, ctx context.Context, ses *Session, params []value.Value) *Execution {
	r := &w.Execution
	r.Database, r.Session, r.Withs, r.Began = e, ses, &w.withs, ses.Began
	r.Set, r.Env, r.Declared = &e.Models, &w.env, &e.Builtin
	r.Catalog.Session = bind.Session{User: ses.User, Database: ses.Database, Files: ses.Files,
		Path: ses.Settings.SearchPath, DefaultModel: ses.Settings.DefaultModel, Using: ses.Settings.Using}
	r.Env.Ctx, r.Env.Params, r.Env.Search = ctx, params, &w.searcher
	w.searcher.R, r.Env.Runner = r, r
	w.memory.Limit, w.memory.Pool = int64(e.statementMemory(ses))<<20, e.Pool
	r.Env.Memory = &w.memory
	for i, p := range params {
		if p.T == value.Float && i < 64 {
			r.Floats |= 1 << i
		}
	}
	r.Snapshot = e.Capture(ses, &w.snapshot)
	return r
}

// Close releases the snapshot, memory and temporary files, after the operators are closed.
func (r *Execution) Close() error {
	r.Snapshot.Close()
	r.Env.Memory.ReleaseAll()
	return r.Withs.Close()
}

// Build makes the operator of a node.
func (r *Execution) Build(n plan.Node) (operator.Operator, error) {
	op, err := r.operator(n)
	if err != nil {
		return nil, err
	}
	if op = operator.NewChecked(op, n); r.Stats == nil {
		return op, nil
	}
	return operator.NewTimed(op, r.Stats.Of(n)), nil
}

func (r *Execution) operator(n plan.Node) (operator.Operator, error) {
	switch n := n.(type) {
	case *plan.Layer:
		return r.layer(n)
	case *plan.Table:
		return r.Table(n)
	case *plan.File:
		return r.file(n), nil
	case *plan.Relation:
		return r.relation(n)
	case *plan.Evaluate:
		return r.Evaluation.Open(r, n)
	case plan.OneRow:
		return operator.NewOneRow(), nil
	case *plan.Rename:
		return r.Build(n.Input)
	case *plan.Join:
		return r.join(n)
	case *plan.Apply:
		return unary(r, n.Left, func(in operator.Operator) operator.Operator { return &apply{r: r, n: n, left: in} })
	case *plan.CTE:
		return r.readWith(n)
	case *plan.Limit:
		return r.limit(n)
	case *plan.Recursive:
		return r.recursive(n)
	case *plan.WorkTable:
		return r.workTable(n)
	case *plan.Union:
		return r.union(n)
	}
	return r.rowOperator(n)
}

// rowOperator makes an operator that computes its rows from those of one input.
func (r *Execution) rowOperator(n plan.Node) (operator.Operator, error) {
	type op = operator.Operator
	switch n := n.(type) {
	case *plan.Filter:
		if c, ok := n.Cond.(*expr.Const); ok && !c.V.Bool() {
			return operator.NewUnion(), nil
		}
		return unary(r, n.Input, func(in op) op { return operator.NewFilter(in, n.Cond, r.Env) })
	case *plan.Project:
		return unary(r, n.Input, func(in op) op { return operator.NewProject(in, n.Exprs, r.Env) })
	case *plan.Window:
		return unary(r, n.Input, func(in op) op { return operator.NewWindow(in, n, r.Env, r.budget()) })
	case *plan.Aggregate:
		return unary(r, n.Input, func(in op) op { return operator.NewAggregate(in, n, r.Env, r.budget()) })
	case *plan.Distinct:
		types := operator.TypesOf(n.Columns())
		return unary(r, n.Input, func(in op) op { return operator.NewDistinct(in, types, r.budget()) })
	case *plan.Summary:
		return unary(r, n.Input, func(in op) op { return operator.NewSummary(in, n, r.budget()) })
	case *plan.Sort:
		return unary(r, n.Input, func(in op) op { return operator.NewSorter(in, n, r.budget()) })
	}
	return nil, fmt.Errorf("no operator for %T", n)
}

// union makes the operator that yields the rows of its parts one after the other.
func (r *Execution) union(n *plan.Union) (operator.Operator, error) {
	var parts []operator.Operator
	for _, p := range n.Parts {
		op, err := r.Build(p)
		if err != nil {
			operator.NewUnion(parts...).Close()
			return nil, err
		}
		parts = append(parts, op)
	}
	return operator.NewUnion(parts...), nil
}

// unary makes an operator over the one of its input.
func unary(r *Execution, input plan.Node, wrap func(operator.Operator) operator.Operator) (operator.Operator, error) {
	in, err := r.Build(input)
	if err != nil {
		return nil, err
	}
	return wrap(in), nil
}
