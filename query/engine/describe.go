package engine

import (
	"context"

	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/change"
	"parlance/query/learn"
	"parlance/query/plan"
	"parlance/query/score"
	"parlance/storage/guard"
)

// Description is the columns and parameters of a statement, known before it runs.
type Description struct {
	Columns []plan.Column   // nil for a statement without rows
	Params  bind.Parameters // types by number minus one, Null if unknown; may be shorter than the list of parameters
}

// Describe binds a statement without running it. Statements that only read the catalog (SHOW, DESCRIBE) do run, since
// their columns depend on what they find. floats has a bit for each parameter that is known to be a float, the first at
// bit 0.
func (e *Engine) Describe(ctx context.Context, ses *Session, stmt ast.Statement,
	floats uint64) (d *Description, err error) {
	ctx, release := ses.WithStatementTimeout(ctx)
	defer release()
	defer func() { err = cancelCause(ctx, err) }()
	defer guard.Recover(&err, "describe")
	if ses.Block == FailedBlock {
		if err := ses.checkBlock(stmt); err != nil {
			return nil, err
		}
	}
	r := e.newExecution(ctx, ses, ses.Literals)
	r.Floats, ses.Literals = floats, nil
	defer func() { _ = r.Close() }()
	if err := r.authorize(stmt); err != nil {
		return nil, err
	}
	switch s := stmt.(type) {
	case *ast.Select:
		p, err := r.Planned(s)
		if err != nil {
			return nil, err
		}
		return &Description{p.Node.Columns(), r.withNodeOptions(p.Types, p.Node)}, nil
	case *ast.Evaluate:
		cols, err := r.Binder().EvaluateColumns(s)
		return &Description{cols, r.parameters(stmt)}, err
	case *ast.Show, *ast.Describe:
		// without notices: they come when the statement is executed
		res, err := r.derived(learn.Detached(r.Execution, ctx)).statement(ctx, stmt)
		if err != nil {
			return nil, err
		}
		return &Description{Columns: res.Columns}, nil
	}
	if f, ok := stmt.(*ast.Fetch); ok && !f.Move {
		c, err := r.cursor(f.Pos, f.Cursor)
		if err != nil {
			return nil, err
		}
		return &Description{Columns: c.cols}, nil
	}
	if cols, err := change.ReturningColumns(r.Execution, stmt); cols != nil || err != nil {
		return &Description{cols, r.parameters(stmt)}, err
	}
	return &Description{r.fixedColumns(stmt), r.parameters(stmt)}, nil
}

// fixedColumns are the columns of statements whose columns depend on nothing.
func (r *execution) fixedColumns(stmt ast.Statement) []plan.Column {
	switch s := stmt.(type) {
	case *ast.Explain:
		return explainColumns(s)
	case *ast.ExplainPrediction:
		return score.ExplanationColumns
	case *ast.DiffModels:
		return score.DiffColumns
	case *ast.Replay:
		return learn.ReplayColumns
	case *ast.Promote:
		if s.If != nil {
			return score.PromoteColumns
		}
	case *ast.Check:
		if o, ok := r.Snapshot.Object(s.Corpus); ok && s.Corpus != "" {
			return checkStatement(o, nil).Columns()
		}
	case *ast.Train:
		if s.Async {
			return learn.JobColumns
		}
	case *ast.Tune:
		if s.Async {
			return learn.JobColumns
		}
	case *ast.ResumeJob:
		return r.resumedColumns(s)
	}
	return nil
}

// resumedColumns are the columns of the training that RESUME JOB continues.
func (r *execution) resumedColumns(s *ast.ResumeJob) []plan.Column {
	id, err := r.JobNumber(s.Job)
	if err != nil {
		return nil
	}
	j, ok := r.Store.Job(id)
	if !ok {
		return nil
	}
	stmt, err := r.Parse(j.Statement)
	if err != nil {
		return nil
	}
	switch stmt.(type) {
	case *ast.Train, *ast.Tune:
		return r.fixedColumns(stmt)
	}
	return nil
}
