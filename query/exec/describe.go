package exec

import (
	"context"

	"parlance/query/ast"
	"parlance/query/plan"
	"parlance/storage/value"
)

// Description is what a statement takes and gives, known before it runs.
type Description struct {
	Columns []plan.Column   // nil for a statement without rows
	Params  plan.Parameters // types by number minus one, Null where nothing tells; may be short
}

// Describe binds a statement without running it. Statements that only read the catalog
// (SHOW, DESCRIBE) are run, for their columns depend on what they find. floats are the
// parameters that are known to be floats, the first at bit 0.
func (e *Engine) Describe(ctx context.Context, ses *Session, stmt ast.Statement, floats uint64) (d *Description, err error) {
	defer recovered(&err, "describe")
	if ses.Block == FailedBlock {
		if err := ses.admit(stmt); err != nil {
			return nil, err
		}
	}
	if x, ok := stmt.(*ast.Execute); ok {
		return e.describeExecute(ctx, ses, x)
	}
	r := e.newRun(ctx, ses, nil)
	r.floats = floats
	defer func() { r.snap.Close() }()
	if err := r.authorize(stmt); err != nil {
		return nil, err
	}
	switch s := stmt.(type) {
	case *ast.Select:
		p, err := r.planned(s)
		if err != nil {
			return nil, err
		}
		return &Description{p.node.Columns(), p.types}, nil
	case *ast.Evaluate:
		cols, err := r.EvaluateColumns(s)
		return &Description{Columns: cols}, err
	case *ast.Show, *ast.Describe:
		res, err := r.detached(ctx).statement(ctx, stmt) // silent: notices come when it is executed
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
	return &Description{r.fixedColumns(stmt), r.changeParameters(stmt)}, nil
}

// fixedColumns are the columns of statements that always have the same ones.
func (r *run) fixedColumns(stmt ast.Statement) []plan.Column {
	switch s := stmt.(type) {
	case *ast.Explain:
		return explainColumns(s)
	case *ast.ExplainPrediction:
		return explanationColumns
	case *ast.DiffModels:
		return diffColumns
	case *ast.Replay:
		return replayColumns
	case *ast.Promote:
		if s.If != nil {
			return promoteColumns
		}
	case *ast.Check:
		if o, ok := r.Store.Object(s.Corpus); ok && s.Corpus != "" {
			return plan.CorpusRelation(checkFunction.CorpusFunction, o, nil).Columns()
		}
	case *ast.Train:
		if s.Async {
			return jobColumns
		}
	case *ast.Tune:
		if s.Async {
			return jobColumns
		}
	case *ast.ResumeJob:
		return r.resumedColumns(s)
	}
	return nil
}

// resumedColumns are those of the training that a job repeats.
func (r *run) resumedColumns(s *ast.ResumeJob) []plan.Column {
	id, err := r.number(s.Job)
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

// changeParameters are the types of parameters of a change: those of the query that compares the
// columns with what is put into them. What is wrong with the statement shows when it runs.
func (r *run) changeParameters(stmt ast.Statement) plan.Parameters {
	switch s := stmt.(type) {
	case *ast.CancelStatement:
		return number(s.Statement)
	case *ast.CancelJob:
		return number(s.Job)
	case *ast.ResumeJob:
		return number(s.Job)
	case *ast.Insert:
		return r.insertParameters(s)
	case *ast.Update:
		var set []ast.Expr
		for _, a := range s.Set {
			set = append(set, &ast.Binary{Op: "=", X: &ast.Column{Parts: []string{a.Column}}, Y: a.Value})
		}
		return r.comparison(s.Table, s.Alias, s.Where, set)
	case *ast.Delete:
		return r.comparison(s.From, s.Alias, s.Where, nil)
	case *ast.CopyTo:
		if s.Select != nil {
			return r.selectParameters(s.Select)
		}
	case *ast.Declare:
		return r.selectParameters(s.Select)
	case *ast.CreateUser:
		return passwordParameter(s.Password)
	case *ast.AlterUser:
		return passwordParameter(s.Password)
	}
	return nil
}

// number is what a statement takes whose only argument is a number.
func number(e ast.Expr) plan.Parameters {
	if _, ok := e.(*ast.Param); ok {
		return plan.Parameters{{Type: value.Integer}}
	}
	return nil
}

func (r *run) insertParameters(s *ast.Insert) plan.Parameters {
	if s.Select != nil {
		return r.selectParameters(s.Select)
	}
	names := s.Columns
	if len(names) == 0 {
		n, err := r.binder().Select(starOf(s.Into, ""))
		if err != nil {
			return nil
		}
		for _, c := range n.Columns() {
			names = append(names, c.Name)
		}
	}
	var equal []ast.Expr
	for _, row := range s.Values {
		for i, x := range row {
			if _, ok := x.(*ast.Param); ok && i < len(names) {
				equal = append(equal, &ast.Binary{Op: "=", X: &ast.Column{Parts: []string{names[i]}}, Y: x})
			}
		}
	}
	return r.comparison(s.Into, "", nil, equal)
}

func (r *run) comparison(t ast.Target, alias string, where ast.Expr, items []ast.Expr) plan.Parameters {
	sel := starOf(t, alias)
	sel.Where = where
	for _, x := range items {
		sel.Items = append(sel.Items, ast.Item{Expr: x})
	}
	return r.selectParameters(sel)
}

func (r *run) selectParameters(sel *ast.Select) plan.Parameters {
	b := r.binder()
	if _, err := b.Select(sel); err != nil {
		return nil
	}
	return b.Types
}

// starOf is SELECT * FROM a target.
func starOf(t ast.Target, alias string) *ast.Select {
	return &ast.Select{Pos: t.Pos, Items: []ast.Item{{Pos: t.Pos, Expr: &ast.Star{Pos: t.Pos}}},
		From: []ast.TableRef{&ast.Table{Pos: t.Pos, Alias: alias, Ref: ast.Ref{Pos: t.Pos, Name: t.Name, Path: t.Layer}}}}
}

// jobColumns are those of a training that goes on in the background.
var jobColumns = []plan.Column{{Name: "job", Type: value.Integer}}
